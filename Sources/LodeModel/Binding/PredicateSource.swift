/// Something that a predicate can be evaluated on: a stored row, a pending object, plain values.
///
/// One evaluator reads all of them through this protocol, so that they answer alike.
public protocol PredicateSource {
  /// The identity that `SELF` stands for; nil for plain values.
  var objectID: ManagedObjectID? { get }

  /// Returns a property's value: `.objectID` or `.null` for a to-one relationship, a `.list` of object IDs
  /// for a to-many.
  ///
  /// - Parameter property: a property of the entity that the predicate was bound to.
  func value(of property: Property) throws -> Value

  /// Returns what stands behind an object ID met on a key path; nil when there is no such object.
  func source(for objectID: ManagedObjectID) throws -> Self?
}

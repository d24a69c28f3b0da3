package import LodeModel

/// What an object needs of the context that it lives in.
///
/// The context implements it; objects know nothing else of contexts, which keeps the folders in order.
package protocol ObjectHost: AnyObject {
  /// The context's name in messages.
  var hostName: String { get }

  /// Brings in a fault's image, or marks the object as gone when its row is.
  func fulfill(_ fault: ManagedObject)

  /// Returns the stored members of a to-many relationship, without pending changes; nil when they can't be
  /// read.
  func storedMembers(of relationship: Property, owner: ManagedObject) -> [ManagedObjectID]?

  /// Returns the one object of an ID in this context, as a fault when it isn't registered.
  func object(for objectID: ManagedObjectID) -> ManagedObject

  /// Tells whether the context deletes an object, or knows that its row is gone.
  func isKnownDeleted(_ objectID: ManagedObjectID) -> Bool

  /// Told before a property takes a new value; `old` is the value until now.
  func object(_ object: ManagedObject, willChange slot: Int, from old: Value)

  /// Told before members join or leave a to-many relationship.
  func object(_ object: ManagedObject, willChangeMembersAt slot: Int)

  /// Told after a change, when the object's pending values are as they shall be.
  func objectDidChange(_ object: ManagedObject)

  /// Stops the process when the calling thread may not use the context's objects now.
  func checkConfinement()

  /// Told of an error that a property access met and cannot throw.
  func accessDidFail(_ error: any Error, on objectID: ManagedObjectID?)
}

/// What an object is made of; only a context makes one.
public struct ObjectSeed {
  /// What kind of object it becomes.
  package let entity: Entity
  /// The ID that it gets.
  package let objectID: ManagedObjectID
  /// The context that it lives in.
  package let host: any ObjectHost

  /// Makes the seed of an object.
  package init(entity: Entity, objectID: ManagedObjectID, host: any ObjectHost) {
    self.entity = entity
    self.objectID = objectID
    self.host = host
  }
}

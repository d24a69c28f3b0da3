public import Foundation

// `#Predicate` wants what it captures to be `Sendable` and `Codable`; objects of a context are neither.
// The macro wraps each captured value in `build_Arg`, whose overloads here keep the identity of an
// object in the object's place.

/// An object, or a list of objects, that a Swift predicate captured: their identities.
///
/// Can be lowered and not evaluated by `Predicate.evaluate(_:)`, as it has no objects.
public struct CapturedObjects<Output>: StandardPredicateExpression {
  /// The identities; nil for a captured nil.
  let objectIDs: [ManagedObjectID?]
  /// Whether a list was captured.
  let isList: Bool

  fileprivate init(_ objects: [(any PredicateArgument)?], isList: Bool) {
    objectIDs = objects.map { object in
      if case .objectID(let objectID) = object?.predicateValue { objectID } else { nil }
    }
    self.isList = isList
  }

  /// Always throws: an identity is no object.
  public func evaluate(_ bindings: PredicateBindings) throws -> Output {
    throw ObjectPredicateError(
      .unsupported, "a predicate that captured objects is for fetches, and isn't evaluated by Swift"
    )
  }
}

extension CapturedObjects: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    let values = objectIDs.map { $0.map { Value.objectID($0) } ?? .null }
    return .expression(.constant(isList ? .list(values) : values[0]))
  }
}

extension PredicateExpressions {
  /// Captures an object by its identity.
  public static func build_Arg<Object: PropertyNaming & PredicateArgument & AnyObject>(
    _ object: Object
  ) -> CapturedObjects<Object> { CapturedObjects([object], isList: false) }

  /// Captures an object by its identity, or nil.
  public static func build_Arg<Object: PropertyNaming & PredicateArgument & AnyObject>(
    _ object: Object?
  ) -> CapturedObjects<Object?> { CapturedObjects([object], isList: false) }

  /// Captures objects by their identities.
  public static func build_Arg<Object: PropertyNaming & PredicateArgument & AnyObject>(
    _ objects: [Object]
  ) -> CapturedObjects<[Object]> { CapturedObjects(objects, isList: true) }

  /// Captures objects, or nils, by their identities.
  public static func build_Arg<Object: PropertyNaming & PredicateArgument & AnyObject>(
    _ objects: [Object?]
  ) -> CapturedObjects<[Object?]> { CapturedObjects(objects, isList: true) }

  /// Captures objects by their identities.
  public static func build_Arg<Object: PropertyNaming & PredicateArgument & AnyObject>(
    _ objects: Set<Object>
  ) -> CapturedObjects<Set<Object>> { CapturedObjects(Array(objects), isList: true) }
}

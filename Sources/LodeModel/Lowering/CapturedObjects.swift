public import Foundation

// `#Predicate` wants what it captures to be `Sendable` and `Codable`; objects of a context are neither.
// The macro writes `a == b` as `build_Equal(lhs:rhs:)` and the like, whose overloads here keep the
// identities of captured objects in their place. They take nothing but captured values, so that the
// compiler tells them from Foundation's at a glance; overloads of `build_Arg`, through which all captured
// values go, took it ten times as long.

/// Something that a Swift predicate captures by its identity: objects, and optionals, arrays and sets of
/// them.
public protocol CapturedByIdentity: PredicateArgument {}

extension Optional: CapturedByIdentity where Wrapped: CapturedByIdentity {}
extension Array: CapturedByIdentity where Element: CapturedByIdentity {}
extension Set: CapturedByIdentity where Element: CapturedByIdentity {}

/// The identities of captured objects, in the place of the objects.
///
/// Can be lowered and not evaluated by `Predicate.evaluate(_:)`, as it has no objects.
public struct CapturedObjects<Output>: StandardPredicateExpression {
  /// The identities of the objects; nil for a captured nil.
  private let objectIDs: [ManagedObjectID?]
  /// Whether a list was captured.
  private let isList: Bool

  fileprivate init(_ captured: PredicateExpressions.Value<Output>)
  where Output: CapturedByIdentity {
    let value = captured.value.predicateValue
    let members = if case .list(let members) = value { members } else { [value] }
    objectIDs = members.map { if case .objectID(let objectID) = $0 { objectID } else { nil } }
    if case .list = value { isList = true } else { isList = false }
  }

  fileprivate var value: LodeModel.Value {
    let values = objectIDs.map { $0.map { LodeModel.Value.objectID($0) } ?? .null }
    return isList ? .list(values) : values[0]
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
    .expression(.constant(value))
  }
}

extension PredicateExpressions {
  /// Compares with a captured object.
  public static func build_Equal<Left: PredicateExpression, Object: CapturedByIdentity & Equatable>(
    lhs: Left, rhs: Value<Object>
  ) -> Equal<Left, CapturedObjects<Object>> where Left.Output == Object {
    build_Equal(lhs: lhs, rhs: CapturedObjects(rhs))
  }

  /// Compares a captured object.
  public static func build_Equal<
    Right: PredicateExpression, Object: CapturedByIdentity & Equatable
  >(
    lhs: Value<Object>, rhs: Right
  ) -> Equal<CapturedObjects<Object>, Right> where Right.Output == Object {
    build_Equal(lhs: CapturedObjects(lhs), rhs: rhs)
  }

  /// Compares with a captured object.
  public static func build_NotEqual<
    Left: PredicateExpression, Object: CapturedByIdentity & Equatable
  >(
    lhs: Left, rhs: Value<Object>
  ) -> NotEqual<Left, CapturedObjects<Object>> where Left.Output == Object {
    build_NotEqual(lhs: lhs, rhs: CapturedObjects(rhs))
  }

  /// Compares a captured object.
  public static func build_NotEqual<
    Right: PredicateExpression, Object: CapturedByIdentity & Equatable
  >(
    lhs: Value<Object>, rhs: Right
  ) -> NotEqual<CapturedObjects<Object>, Right> where Right.Output == Object {
    build_NotEqual(lhs: CapturedObjects(lhs), rhs: rhs)
  }

  /// Asks a collection for a captured object.
  public static func build_contains<
    Collection: PredicateExpression, Object: CapturedByIdentity & Equatable
  >(
    _ lhs: Collection, _ rhs: Value<Object>
  ) -> SequenceContains<Collection, CapturedObjects<Object>>
  where Collection.Output: Sequence, Collection.Output.Element == Object {
    build_contains(lhs, CapturedObjects(rhs))
  }

  /// Asks a captured collection for an object.
  public static func build_contains<
    Objects: CapturedByIdentity & Sequence, Member: PredicateExpression
  >(
    _ lhs: Value<Objects>, _ rhs: Member
  ) -> SequenceContains<CapturedObjects<Objects>, Member>
  where Member.Output == Objects.Element, Member.Output: Equatable {
    build_contains(CapturedObjects(lhs), rhs)
  }
}

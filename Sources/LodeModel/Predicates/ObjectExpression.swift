/// A path of property names from an object, such as `team.players.lastName`.
public struct ObjectKeyPath: Hashable, Sendable {
  /// The steps, at least one.
  public let names: [String]

  /// Makes a key path of its steps.
  public init(_ names: [String]) { self.names = names }

  /// Makes a key path of dotted text.
  public init(_ text: String) {
    names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  /// The names with dots between them.
  public var string: String { names.joined(separator: ".") }

  /// The path without the words that stand for the object it has reached anyway: `SELF` in front,
  /// `objectID` behind. Empty when the path leads nowhere else.
  package var withoutSelf: ObjectKeyPath {
    var names = names[...]
    if names.first == "SELF" { names.removeFirst() }
    if names.last == "objectID" { names.removeLast() }
    return ObjectKeyPath(Array(names))
  }
}

/// What stands on either side of a comparison.
public indirect enum ObjectExpression: Hashable, Sendable {
  case constant(Value)
  /// The object that the predicate is evaluated on.
  case selfObject
  /// A variable by name: of a template, or the member that a SUBQUERY goes through.
  case variable(String)
  case keyPath(ObjectKeyPath)
  /// A key path from what an expression yields: `$x.age`, `players[0].name`.
  case path(ObjectExpression, ObjectKeyPath)
  case list([ObjectExpression])
  case function(ObjectFunction, [ObjectExpression])
  case cast(ObjectExpression, ObjectCast)
  /// The first where the condition holds, the second elsewhere.
  case conditional(ObjectPredicate, ObjectExpression, ObjectExpression)
  /// The members of a collection for which a condition holds, each in turn being the variable.
  case subquery(ObjectExpression, variable: String, ObjectPredicate)

  /// The count of a collection that a key path leads to: `players.@count`.
  public static func count(_ path: ObjectKeyPath) -> ObjectExpression {
    .function(.count, [.keyPath(path)])
  }

  /// The first key path in the expression as text, for messages.
  package var firstKeyPath: String? {
    switch self {
    case .constant, .selfObject, .variable: nil
    case .keyPath(let path): path.string
    case .path(let base, let path):
      base.firstKeyPath.map { "\($0).\(path.string)" } ?? path.string
    case .list(let parts), .function(_, let parts): parts.lazy.compactMap(\.firstKeyPath).first
    case .cast(let operand, _), .subquery(let operand, _, _): operand.firstKeyPath
    case .conditional(_, let first, let second): first.firstKeyPath ?? second.firstKeyPath
    }
  }
}

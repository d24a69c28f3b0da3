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
  case keyPath(ObjectKeyPath)
  /// The count of a collection that a key path leads to: `players.@count`.
  case count(ObjectKeyPath)
  case list([ObjectExpression])
}

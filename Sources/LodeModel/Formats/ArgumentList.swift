/// The arguments of a format string, handed out in order.
struct ArgumentList {
  private let arguments: [(any PredicateArgument)?]
  private var taken = 0

  init(_ arguments: [(any PredicateArgument)?]) { self.arguments = arguments }

  /// Returns the value for a placeholder other than `%K`.
  ///
  /// - Throws: `ObjectPredicateError` with code `arguments` when there is none left or it has the wrong type.
  mutating func value(
    for placeholder: FormatToken.Placeholder, at offset: Int
  ) throws(ObjectPredicateError) -> Value {
    let value = try next(at: offset)
    switch (placeholder, value) {
    case (.value, _), (.integer, .integer), (.integer, .boolean), (.number, .double),
      (.number, .integer), (.number, .decimal), (.text, .string):
      return value
    // Integers beyond 64 bits arrive as decimals.
    case (.integer, .decimal): return value
    default:
      throw ObjectPredicateError(
        .arguments,
        "argument \(taken) is \(value.kindWithArticle), which doesn't go with this placeholder",
        offset: offset)
    }
  }

  /// Returns the key path for `%K`, cut at its dots.
  mutating func keyPath(at offset: Int) throws(ObjectPredicateError) -> ObjectKeyPath {
    guard case .string(let text) = try next(at: offset) else {
      throw ObjectPredicateError(
        .arguments, "argument \(taken) must be the text of a key path, for %K", offset: offset)
    }
    let path = ObjectKeyPath(text)
    guard path.names.allSatisfy({ !$0.isEmpty }) else {
      throw ObjectPredicateError(
        .arguments, "argument \(taken) is no key path: a name in it is empty", offset: offset)
    }
    return path
  }

  /// Checks that all arguments have been handed out.
  func checkEnd(at offset: Int) throws(ObjectPredicateError) {
    guard taken == arguments.count else {
      throw ObjectPredicateError(
        .arguments,
        "the format has \(taken) placeholder\(taken == 1 ? "" : "s") for \(arguments.count) arguments; "
          + "placeholders in quotes don't count", offset: offset)
    }
  }

  private mutating func next(at offset: Int) throws(ObjectPredicateError) -> Value {
    guard taken < arguments.count else {
      throw ObjectPredicateError(
        .arguments, "there is no argument for this placeholder: only \(arguments.count) were given",
        offset: offset)
    }
    defer { taken += 1 }
    return arguments[taken]?.predicateValue ?? .null
  }
}

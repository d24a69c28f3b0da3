// Comparisons: an optional quantifier, an expression, an operator with its options, an expression.

extension FormatParser {
  /// Reads a comparison, or what is none: a predicate in parentheses, an expression.
  mutating func comparison() throws(ObjectPredicateError) -> Part {
    let offset = token.offset
    let quantifier = try quantifier()
    let left = try operation()
    try refuseOtherOperators()
    guard let `operator` = try comparisonOperator() else {
      guard quantifier == nil else { throw expected("a comparison operator") }
      return left
    }
    let leftExpression = try expression(from: left)
    let options = try options()
    let rightOffset = token.offset
    let part = try operation()
    let right = try expression(from: part)
    let comparison = ObjectComparison(
      leftExpression, `operator`, right, quantifier: quantifier ?? .direct, options: options)
    try check(comparison, rightAt: rightOffset)
    return .predicate(.comparison(comparison), offset: offset)
  }

  private mutating func quantifier() throws(ObjectPredicateError) -> ObjectComparison.Quantifier? {
    let quantifier: ObjectComparison.Quantifier? =
      switch keyword {
      case "ANY", "SOME": .any
      case "ALL": .all
      case "NONE": ObjectComparison.Quantifier.none
      default: nil
      }
    if quantifier != nil { try advance() }
    return quantifier
  }

  private static let symbols: [String: ObjectComparison.Operator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual,
  ]

  private static let words: [String: ObjectComparison.Operator] = [
    "BETWEEN": .between, "IN": .in, "CONTAINS": .contains, "BEGINSWITH": .beginsWith,
    "ENDSWITH": .endsWith, "LIKE": .like, "MATCHES": .matches,
  ]

  /// Reads an operator, if one comes now.
  private mutating func comparisonOperator() throws(ObjectPredicateError)
    -> ObjectComparison.Operator?
  {
    switch token.kind {
    case .symbol(let symbol):
      guard let `operator` = Self.symbols[symbol] else { return nil }
      try advance()
      return `operator`
    case .word:
      guard let keyword else { return nil }
      if keyword == "NOT" {
        throw ObjectPredicateError(
          .syntax, "NOT stands before the whole comparison: NOT name IN {…}", offset: token.offset)
      }
      guard let `operator` = Self.words[keyword] else { return nil }
      try advance()
      return `operator`
    default: return nil
    }
  }

  private static let optionLetters: [Character: ObjectComparison.Options] = [
    "c": .caseInsensitive, "d": .diacriticInsensitive, "n": .normalized, "l": .localeSensitive,
  ]

  private mutating func options() throws(ObjectPredicateError) -> ObjectComparison.Options {
    guard isSymbol("[") else { return [] }
    try advance()
    guard case .word(let letters) = token.kind else { throw expected("one of the options c d n l") }
    var options: ObjectComparison.Options = []
    for (index, letter) in letters.lowercased().enumerated() {
      guard let option = Self.optionLetters[letter] else {
        throw ObjectPredicateError(
          .syntax, "“\(letter)” is no option; they are c d n l", offset: token.offset + index)
      }
      options.insert(option)
    }
    try advance()
    try expect("]")
    return options
  }

  /// Finds what can be wrong with a comparison before there is an entity.
  private func check(_ comparison: ObjectComparison, rightAt offset: Int)
    throws(ObjectPredicateError)
  {
    switch (comparison.operator, comparison.right) {
    case (.matches, .constant(.string(let pattern))):
      do throws(ObjectPredicateError) {
        _ = try RegularExpression(pattern, options: comparison.options)
      } catch {
        var error = error
        error.offset = offset
        throw error
      }
    case (.between, .constant(.list(let bounds))) where bounds.count != 2:
      throw ObjectPredicateError(
        .syntax, "BETWEEN needs a list of two bounds, not of \(bounds.count)", offset: offset)
    case (.between, .list(let bounds)) where bounds.count != 2:
      throw ObjectPredicateError(
        .syntax, "BETWEEN needs a list of two bounds, not of \(bounds.count)", offset: offset)
    default: break
    }
  }
}

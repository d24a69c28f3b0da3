public import Foundation

extension ObjectPredicate {
  /// Makes a predicate of a Swift predicate over a class of objects.
  ///
  ///     try ObjectPredicate(lowering: #Predicate<Player> { $0.team?.name == "Crew" && $0.age > 20 })
  ///
  /// Answers are those of the resulting format, which differ from Swift's in two places: an empty text is
  /// contained in none, and a forced unwrapping of nil is nil.
  ///
  /// - Throws: `ObjectPredicateError` with code `unsupported` and the word that can't be expressed, or
  ///   `unknownKey` for a key path that leads to no property.
  public init<Root: PropertyNaming>(
    lowering predicate: Predicate<Root>
  ) throws(ObjectPredicateError) {
    var lowering = PredicateLowering()
    lowering.bases[predicate.variable.key] = .selfObject
    self = try lowering.predicate(predicate.expression)
  }
}

/// The state of lowering a Swift predicate: where its variables stand.
struct PredicateLowering {
  /// What each variable is.
  var bases: [PredicateExpressions.VariableID: ObjectExpression] = [:]

  private var depth = 0
  private var memberCount = 0

  /// Lowers an expression that is a condition.
  mutating func predicate(_ expression: any PredicateExpression) throws(ObjectPredicateError)
    -> ObjectPredicate
  {
    guard let predicate = try lower(expression).predicate else {
      throw Self.unsupported(expression)
    }
    return predicate
  }

  /// Lowers an expression that is a value.
  mutating func value(_ expression: any PredicateExpression) throws(ObjectPredicateError)
    -> ObjectExpression
  {
    try lower(expression).expression
  }

  /// Returns a name for the member of a subquery that no other variable has.
  mutating func memberName() -> String {
    memberCount += 1
    return memberCount == 1 ? "member" : "member\(memberCount)"
  }

  mutating func lower(_ expression: any PredicateExpression) throws(ObjectPredicateError) -> Lowered
  {
    guard let lowerable = expression as? any LowerableExpression else {
      throw Self.unsupported(expression)
    }
    try PredicateLimits.check(depth: depth)
    depth += 1
    defer { depth -= 1 }
    return try lowerable.lower(&self)
  }

  /// What the builders of Swift predicates are called in Swift itself, where their names don't say it.
  private static let words: [String: String] = [
    "CollectionRangeSubscript": "a subscript by a range",
    "DictionaryKeySubscript": "a subscript by a key",
    "DictionaryKeyDefaultValueSubscript": "a subscript by a key", "TypeCheck": "is",
    "ConditionalCast": "as?", "ForceCast": "as!", "StringContainsRegex": "contains(_:) of a regex",
    "PredicateEvaluate": "evaluate(_:)", "ExpressionEvaluate": "evaluate(_:)",
    "CollectionContainsCollection": "contains(_:) of a collection",
    "SequenceStartsWith": "starts(with:) of a collection",
  ]

  /// Says what can't be expressed: its word in Swift and the form it has.
  static func unsupported(
    _ expression: any PredicateExpression, because reason: String? = nil
  ) -> ObjectPredicateError {
    let form = String(describing: type(of: expression))
    let name = String(form.prefix { $0 != "<" })
    return ObjectPredicateError(
      .unsupported,
      "\(words[name] ?? name) can't be expressed\(reason.map { ": \($0)" } ?? "") (\(form))")
  }
}

/// A part of a Swift predicate that Lode can express.
protocol LowerableExpression: PredicateExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered
}

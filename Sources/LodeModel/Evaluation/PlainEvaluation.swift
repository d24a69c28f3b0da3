extension ObjectPredicate {
  /// Evaluates the predicate on plain values by name.
  ///
  /// Related objects are composites of their own values, to-many relationships lists of those; a
  /// composite's element `objectID` is what it is compared by. A name without a value is null. Answers
  /// are those that stores give for the same values; without an entity, nothing is checked beforehand.
  ///
  /// - Throws: `PredicateError` when an operator has no meaning for the values met, a key path goes on
  ///   behind a plain value, a pattern can't be read or the predicate is nested too deeply.
  public func evaluate(with values: [String: Value]) throws(PredicateError) -> Bool {
    try evaluate(with: .composite(values))
  }

  /// Evaluates the predicate on one value, which `SELF` stands for.
  ///
  /// - Throws: `PredicateError`, as `evaluate(with:)` for values by name.
  public func evaluate(with value: Value) throws(PredicateError) -> Bool {
    let condition = try Condition(self, depth: 0)
    do {
      return try condition.holds(PlainReader(root: value))
    } catch let error as PredicateError {
      throw error
    } catch {
      throw PredicateError(.unsupported, "plain values could not be read: \(error)")
    }
  }
}

extension Condition<ObjectKeyPath> {
  fileprivate init(_ predicate: ObjectPredicate, depth: Int) throws(PredicateError) {
    try PredicateLimits.check(depth: depth)
    switch predicate {
    case .constant(let constant): self = .constant(constant)
    case .and(let parts):
      self = .and(
        try parts.map { part throws(PredicateError) in try Condition(part, depth: depth + 1) })
    case .or(let parts):
      self = .or(
        try parts.map { part throws(PredicateError) in try Condition(part, depth: depth + 1) })
    case .not(let part): self = .not(try Condition(part, depth: depth + 1))
    case .comparison(let comparison):
      self =
        Comparison(
          comparison.quantifier, try Operand(comparison.left, depth: depth + 1),
          comparison.operator, comparison.options,
          try Operand(comparison.right, depth: depth + 1)
        ).condition
    }
  }
}

extension Operand<ObjectKeyPath> {
  fileprivate init(_ expression: ObjectExpression, depth: Int) throws(PredicateError) {
    try PredicateLimits.check(depth: depth)
    switch expression {
    case .constant(let value): self = .constant(value)
    case .selfObject: self = .selfObject
    case .keyPath(let path):
      let path = path.withoutSelf
      self = path.names.isEmpty ? .selfObject : .path(path)
    case .count(let path): self = .count(path.withoutSelf)
    case .list(let elements):
      self = .list(
        try elements.map { element throws(PredicateError) in try Operand(element, depth: depth + 1)
        })
    }
  }
}

extension ObjectPredicate {
  /// Evaluates the predicate on plain values by name.
  ///
  /// Related objects are composites of their own values, to-many relationships lists of those; a
  /// composite's element `objectID` is what it is compared by. A name without a value is null. Answers
  /// are those that stores give for the same values; without an entity, nothing is checked beforehand.
  ///
  /// - Throws: `ObjectPredicateError` when an operator has no meaning for the values met, a key path goes on
  ///   behind a plain value, a pattern can't be read or the predicate is nested too deeply.
  public func evaluate(with values: [String: Value]) throws(ObjectPredicateError) -> Bool {
    try evaluate(with: .composite(values))
  }

  /// Evaluates the predicate on one value, which `SELF` stands for.
  ///
  /// - Throws: `ObjectPredicateError`, as `evaluate(with:)` for values by name.
  public func evaluate(with value: Value) throws(ObjectPredicateError) -> Bool {
    let condition = try Condition(self, depth: 0)
    do {
      return try condition.holds(PlainReader(root: value))
    } catch let error as ObjectPredicateError {
      throw error
    } catch {
      throw ObjectPredicateError(.unsupported, "plain values could not be read: \(error)")
    }
  }
}

extension Condition<ObjectKeyPath> {
  fileprivate init(_ predicate: ObjectPredicate, depth: Int) throws(ObjectPredicateError) {
    try PredicateLimits.check(depth: depth)
    switch predicate {
    case .constant(let constant): self = .constant(constant)
    case .and(let parts):
      self = .and(
        try parts.map { part throws(ObjectPredicateError) in try Condition(part, depth: depth + 1) }
      )
    case .or(let parts):
      self = .or(
        try parts.map { part throws(ObjectPredicateError) in try Condition(part, depth: depth + 1) }
      )
    case .not(let part): self = .not(try Condition(part, depth: depth + 1))
    case .comparison(let comparison): self = try Self.make(comparison, depth: depth)
    }
  }

  private static func make(
    _ comparison: ObjectComparison, depth: Int
  ) throws(ObjectPredicateError) -> Self {
    var left = try Operand(comparison.left, depth: depth + 1)
    var right = try Operand(comparison.right, depth: depth + 1)
    var `operator` = comparison.operator
    if comparison.quantifier != .direct, left.constantValue != nil,
      let mirrored = `operator`.mirrored
    {
      swap(&left, &right)
      `operator` = mirrored
    }
    return Comparison(comparison.quantifier, left, `operator`, comparison.options, right).condition
  }
}

extension Operand<ObjectKeyPath> {
  fileprivate init(_ expression: ObjectExpression, depth: Int) throws(ObjectPredicateError) {
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
        try elements.map { element throws(ObjectPredicateError) in
          try Operand(element, depth: depth + 1)
        })
    }
  }
}

import Foundation

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
    let condition = try PlainCondition().condition(self, depth: 0)
    do {
      return try condition.holds(PlainReader(root: value))
    } catch let error as ObjectPredicateError {
      throw error
    } catch {
      throw ObjectPredicateError(.unsupported, "plain values could not be read: \(error)")
    }
  }
}

/// Makes conditions of predicates that are evaluated on plain values.
private struct PlainCondition {
  /// What `now()` is, once for a whole evaluation.
  private let now = Value.date(.now)
  /// The variables of the subqueries around, outermost first.
  private var variables: [String] = []

  func condition(
    _ predicate: ObjectPredicate, depth: Int
  ) throws(ObjectPredicateError) -> Condition<ObjectKeyPath> {
    try PredicateLimits.check(depth: depth)
    switch predicate {
    case .constant(let constant): return .constant(constant)
    case .and(let parts): return .and(try conditions(parts, depth: depth + 1))
    case .or(let parts): return .or(try conditions(parts, depth: depth + 1))
    case .not(let part): return .not(try condition(part, depth: depth + 1))
    case .comparison(let comparison): return try condition(comparison, depth: depth + 1)
    }
  }

  private func conditions(
    _ parts: [ObjectPredicate], depth: Int
  ) throws(ObjectPredicateError) -> [Condition<ObjectKeyPath>] {
    try parts.map { part throws(ObjectPredicateError) in try condition(part, depth: depth) }
  }

  private func condition(
    _ comparison: ObjectComparison, depth: Int
  ) throws(ObjectPredicateError) -> Condition<ObjectKeyPath> {
    var left = try operand(comparison.left, depth: depth)
    var right = try operand(comparison.right, depth: depth)
    var `operator` = comparison.operator
    if comparison.quantifier != .direct, let constant = left.constantValue,
      !constant.isList, let mirrored = `operator`.mirrored
    {
      swap(&left, &right)
      `operator` = mirrored
    }
    return Comparison(comparison.quantifier, left, `operator`, comparison.options, right).condition
  }

  private func operand(
    _ expression: ObjectExpression, depth: Int
  ) throws(ObjectPredicateError) -> Operand<ObjectKeyPath> {
    try PredicateLimits.check(depth: depth)
    switch expression {
    case .constant(let value): return .constant(value)
    case .selfObject: return .selfObject
    case .variable(let name): return .member(try index(of: name))
    case .keyPath(let path):
      let path = path.plain
      return path.names.isEmpty ? .selfObject : .path(path)
    case .path(let base, let path):
      let base = try operand(base, depth: depth + 1)
      return path.plain.names.isEmpty ? base : .behind(base, path.plain)
    case .list(let elements): return .list(try operands(elements, depth: depth + 1))
    case .function(let function, let arguments):
      return try call(function, arguments, depth: depth + 1)
    case .cast(let operand, let type):
      return .cast(try self.operand(operand, depth: depth + 1), type)
    case .conditional(let test, let first, let second):
      return .conditional(
        try condition(test, depth: depth + 1), try operand(first, depth: depth + 1),
        try operand(second, depth: depth + 1))
    case .subquery(let collection, let variable, let condition):
      var inner = self
      inner.variables.append(variable)
      return .subquery(
        try operand(collection, depth: depth + 1),
        try inner.condition(condition, depth: depth + 1))
    }
  }

  private func operands(
    _ expressions: [ObjectExpression], depth: Int
  ) throws(ObjectPredicateError) -> [Operand<ObjectKeyPath>] {
    try expressions.map { expression throws(ObjectPredicateError) in
      try operand(expression, depth: depth)
    }
  }

  private func call(
    _ function: ObjectFunction, _ arguments: [ObjectExpression], depth: Int
  ) throws(ObjectPredicateError) -> Operand<ObjectKeyPath> {
    let arguments = try operands(arguments, depth: depth)
    switch (function, arguments.first) {
    case (.now, _): return .constant(now)
    case (.count, .path(let path)): return .count(path)
    default: return .function(function, arguments)
    }
  }

  private func index(of variable: String) throws(ObjectPredicateError) -> Int {
    guard let index = variables.lastIndex(of: variable) else {
      throw ObjectPredicateError(
        .unboundVariable, "the variable $\(variable) has no value; substitute one")
    }
    return index
  }
}

extension ObjectKeyPath {
  /// The path as plain values are read: `entity.name` is what `entity` is.
  fileprivate var plain: ObjectKeyPath {
    let path = withoutSelf
    return path.names.suffix(2) == ["entity", "name"]
      ? ObjectKeyPath(Array(path.names.dropLast())) : path
  }
}

extension Value {
  fileprivate var isList: Bool { if case .list = self { true } else { false } }
}

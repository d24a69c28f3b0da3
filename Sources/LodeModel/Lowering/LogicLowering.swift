import Foundation

// Conditions, comparisons and what is nil.

extension PredicateExpressions.Conjunction: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    .predicate(.both(try lowering.predicate(lhs), try lowering.predicate(rhs)))
  }
}

extension PredicateExpressions.Disjunction: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    .predicate(.either(try lowering.predicate(lhs), try lowering.predicate(rhs)))
  }
}

extension PredicateExpressions.Negation: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    .predicate(try lowering.predicate(wrapped).inverse)
  }
}

extension PredicateLowering {
  fileprivate mutating func compare(
    _ whole: any PredicateExpression, _ left: any PredicateExpression,
    _ operator: ObjectComparison.Operator, _ right: any PredicateExpression
  ) throws(ObjectPredicateError) -> Lowered {
    guard let predicate = Lowered.compare(try lower(left), `operator`, try lower(right)) else {
      throw Self.unsupported(whole)
    }
    return .predicate(predicate)
  }
}

extension PredicateExpressions.Equal: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.compare(self, lhs, .equal, rhs)
  }
}

extension PredicateExpressions.NotEqual: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.compare(self, lhs, .notEqual, rhs)
  }
}

extension PredicateExpressions.Comparison: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.compare(self, lhs, `operator`, rhs)
  }

  private var `operator`: ObjectComparison.Operator {
    switch op {
    case .lessThan: .less
    case .lessThanOrEqual: .lessOrEqual
    case .greaterThan: .greater
    case .greaterThanOrEqual: .greaterOrEqual
    @unknown default: preconditionFailure("Swift compares in four orders")
    }
  }
}

extension PredicateExpressions.Conditional: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    .choice(
      try lowering.predicate(test), try lowering.lower(trueBranch), try lowering.lower(falseBranch))
  }
}

extension PredicateExpressions.NilLiteral: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered { .null }
}

extension PredicateExpressions.NilCoalesce: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.lower(lhs).coalesced(with: try lowering.lower(rhs))
  }
}

extension PredicateExpressions.ForcedUnwrap: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.lower(inner)
  }
}

extension PredicateExpressions.OptionalFlatMap: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    let base = try lowering.value(wrapped)
    lowering.bases[variable.key] = base
    let mapped = try lowering.lower(transform)
    // A key path is nil already where a step of it is.
    if case .expression(let path) = mapped, path.isPath { return mapped }
    return .choice(base.isNotNil, mapped, .null)
  }
}

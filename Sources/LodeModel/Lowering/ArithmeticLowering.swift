import Foundation

// Arithmetic, the least and the greatest, and members by position.

extension PredicateLowering {
  /// Lowers an operation; one on constants is done at once.
  fileprivate mutating func calculate(
    _ function: ObjectFunction, _ operands: any PredicateExpression...
  ) throws(ObjectPredicateError) -> Lowered {
    var arguments: [ObjectExpression] = []
    for operand in operands { arguments.append(try value(operand)) }
    var values: [Value] = []
    for case .constant(let value) in arguments { values.append(value) }
    return values.count == arguments.count
      ? .expression(.constant(try function.result(values)))
      : .expression(.function(function, arguments))
  }
}

extension PredicateExpressions.Arithmetic: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    switch op {
    case .add: try lowering.calculate(.add, lhs, rhs)
    case .subtract: try lowering.calculate(.subtract, lhs, rhs)
    case .multiply: try lowering.calculate(.multiply, lhs, rhs)
    @unknown default: throw PredicateLowering.unsupported(self)
    }
  }
}

extension PredicateExpressions.IntDivision: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.calculate(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.FloatDivision: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.calculate(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.IntRemainder: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.calculate(.modulus, lhs, rhs)
  }
}

extension PredicateExpressions.UnaryMinus: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.calculate(.negate, wrapped)
  }
}

extension PredicateExpressions.SequenceMinimum: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.calculate(.minimum, elements)
  }
}

extension PredicateExpressions.SequenceMaximum: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.calculate(.maximum, elements)
  }
}

extension PredicateExpressions.CollectionIndexSubscript: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.calculate(.element, wrapped, index)
  }
}

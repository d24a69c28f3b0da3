import Foundation

// `is`, `as?` and `as!` ask an object for a subclass, whose entity narrows it.

extension PredicateLowering {
  fileprivate mutating func narrow(
    _ whole: any PredicateExpression, _ object: any PredicateExpression, to type: Any.Type
  ) throws(ObjectPredicateError) -> ObjectExpression {
    guard let naming = type as? any PropertyNaming.Type, let name = naming.declaredEntityName else {
      throw Self.unsupported(whole, because: "\(type) declares no entity")
    }
    return .function(.ofEntity, [try value(object), .constant(.string(name))])
  }
}

extension PredicateExpressions.TypeCheck: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    .predicate(try lowering.narrow(self, input, to: Desired.self).isNotNil)
  }
}

extension PredicateExpressions.ConditionalCast: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    .expression(try lowering.narrow(self, input, to: Desired.self))
  }
}

extension PredicateExpressions.ForceCast: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    .expression(try lowering.narrow(self, input, to: Desired.self))
  }
}

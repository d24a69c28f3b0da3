import Foundation

// Texts, ranges, lists and to-many relationships.

extension PredicateExpressions.CollectionContainsCollection: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    guard Base.Output.self == String.self else { throw PredicateLowering.unsupported(self) }
    return try lowering.compareText(self, base, .contains, other)
  }
}

extension PredicateExpressions.SequenceStartsWith: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    guard Base.Output.self == String.self else { throw PredicateLowering.unsupported(self) }
    return try lowering.compareText(self, base, .beginsWith, self.prefix)
  }
}

extension ObjectExpression {
  /// Whether this is a collection of a relationship's members.
  fileprivate var isCollection: Bool { if case .subquery = self { true } else { isPath } }
}

extension PredicateLowering {
  fileprivate mutating func compareText(
    _ whole: any PredicateExpression, _ text: any PredicateExpression,
    _ operator: ObjectComparison.Operator, _ part: any PredicateExpression
  ) throws(ObjectPredicateError) -> Lowered {
    let part = try lower(part)
    guard let predicate = Lowered.compare(try lower(text), `operator`, part) else {
      throw Self.unsupported(whole)
    }
    return .predicate(predicate)
  }
}

extension PredicateExpressions.SequenceContains: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    if LHS.Output.self == String.self {
      return try lowering.compareText(self, sequence, .contains, element)
    }
    let sequence = try lowering.value(sequence)
    let element = try lowering.lower(element)
    if sequence.isCollection, case .expression(let member) = element {
      return .predicate(
        .comparison(ObjectComparison(sequence, .equal, member, quantifier: .any)))
    }
    guard let predicate = Lowered.compare(element, .in, .expression(sequence)) else {
      throw PredicateLowering.unsupported(self)
    }
    return .predicate(predicate)
  }
}

// Ranges.

/// A range that a predicate captured.
private protocol CapturedRange {
  var lowerBoundIfAny: Any? { get }
  var upperBoundIfAny: Any? { get }
  var containsUpperBound: Bool { get }
}

extension ClosedRange: CapturedRange {
  fileprivate var lowerBoundIfAny: Any? { lowerBound }
  fileprivate var upperBoundIfAny: Any? { upperBound }
  fileprivate var containsUpperBound: Bool { true }
}

extension Range: CapturedRange {
  fileprivate var lowerBoundIfAny: Any? { lowerBound }
  fileprivate var upperBoundIfAny: Any? { upperBound }
  fileprivate var containsUpperBound: Bool { false }
}

extension PartialRangeFrom: CapturedRange {
  fileprivate var lowerBoundIfAny: Any? { lowerBound }
  fileprivate var upperBoundIfAny: Any? { nil }
  fileprivate var containsUpperBound: Bool { false }
}

extension PartialRangeUpTo: CapturedRange {
  fileprivate var lowerBoundIfAny: Any? { nil }
  fileprivate var upperBoundIfAny: Any? { upperBound }
  fileprivate var containsUpperBound: Bool { false }
}

extension PartialRangeThrough: CapturedRange {
  fileprivate var lowerBoundIfAny: Any? { nil }
  fileprivate var upperBoundIfAny: Any? { upperBound }
  fileprivate var containsUpperBound: Bool { true }
}

/// A range that a predicate makes of two expressions.
private protocol RangeExpressions {
  var bounds: (any PredicateExpression, any PredicateExpression) { get }
  var containsUpperBound: Bool { get }
}

extension PredicateExpressions.Range: RangeExpressions {
  fileprivate var bounds: (any PredicateExpression, any PredicateExpression) { (lower, upper) }
  fileprivate var containsUpperBound: Bool { false }
}

extension PredicateExpressions.ClosedRange: RangeExpressions {
  fileprivate var bounds: (any PredicateExpression, any PredicateExpression) { (lower, upper) }
  fileprivate var containsUpperBound: Bool { true }
}

extension PredicateExpressions.RangeExpressionContains: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    let member = try lowering.lower(self.element)
    if let range = self.range as? any RangeExpressions {
      return .predicate(
        try condition(
          member, lowering.lower(range.bounds.0), lowering.lower(range.bounds.1),
          range.containsUpperBound))
    }
    guard let range = PredicateLowering.captured(self.range) as? any CapturedRange else {
      throw PredicateLowering.unsupported(self)
    }
    return .predicate(
      try condition(
        member, constant(range.lowerBoundIfAny), constant(range.upperBoundIfAny),
        range.containsUpperBound))
  }

  private func constant(_ bound: Any?) throws(ObjectPredicateError) -> Lowered? {
    guard let bound else { return nil }
    guard let value = Value(captured: bound) else { throw PredicateLowering.unsupported(self) }
    return .expression(.constant(value))
  }

  private func condition(
    _ member: Lowered, _ lower: Lowered?, _ upper: Lowered?, _ containsUpperBound: Bool
  ) throws(ObjectPredicateError) -> ObjectPredicate {
    if containsUpperBound, case .expression(let low) = lower, case .expression(let high) = upper {
      return try checked(
        Lowered.compare(member, .between, .expression(ObjectExpression.aggregate([low, high]))))
    }
    let isAbove = try lower.map { (bound) throws(ObjectPredicateError) in
      try checked(Lowered.compare(member, .greaterOrEqual, bound))
    }
    let isBelow = try upper.map { (bound) throws(ObjectPredicateError) in
      try checked(Lowered.compare(member, containsUpperBound ? .lessOrEqual : .less, bound))
    }
    return .both(isAbove ?? .constant(true), isBelow ?? .constant(true))
  }

  private func checked(
    _ predicate: ObjectPredicate?
  ) throws(ObjectPredicateError) -> ObjectPredicate {
    guard let predicate else { throw PredicateLowering.unsupported(self) }
    return predicate
  }
}

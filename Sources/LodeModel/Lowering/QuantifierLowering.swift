import Foundation

// `contains { … }` and `allSatisfy { … }` over a relationship become ANY and ALL where each comparison in
// the closure can be asked of the members by itself, and a SUBQUERY that is counted otherwise. `filter`
// is a SUBQUERY.

extension PredicateExpressions.SequenceContainsWhere: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.quantify(.any, sequence, variable.key, test)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.quantify(.all, sequence, variable.key, test)
  }
}

extension PredicateExpressions.Filter: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    let collection = try lowering.value(sequence)
    let name = lowering.memberName()
    lowering.bases[variable.key] = .variable(name)
    return .expression(
      .subquery(collection, variable: name, try lowering.predicate(filter)))
  }
}

extension PredicateLowering {
  fileprivate mutating func quantify(
    _ quantifier: ObjectComparison.Quantifier, _ sequence: any PredicateExpression,
    _ variable: PredicateExpressions.VariableID, _ test: any PredicateExpression
  ) throws(ObjectPredicateError) -> Lowered {
    let collection = try value(sequence)
    let name = memberName()
    bases[variable] = .variable(name)
    let condition = try predicate(test)
    let members = MemberQuantifier(collection: collection, variable: name)
    return .predicate(
      members.quantify(condition, quantifier) ?? members.counted(condition, quantifier))
  }
}

private struct MemberQuantifier {
  let collection: ObjectExpression
  let variable: String

  /// Returns the condition that some or all members satisfy another, as one of how many do.
  func counted(
    _ condition: ObjectPredicate, _ quantifier: ObjectComparison.Quantifier
  ) -> ObjectPredicate {
    let isAny = quantifier == .any
    let selected = ObjectExpression.subquery(
      collection, variable: variable, isAny ? condition : condition.inverse)
    return .comparison(
      ObjectComparison(
        .function(.count, [selected]), isAny ? .notEqual : .equal, .constant(.integer(0))))
  }

  /// Returns the same by quantifiers alone; nil when that can't be said.
  func quantify(
    _ condition: ObjectPredicate, _ quantifier: ObjectComparison.Quantifier
  ) -> ObjectPredicate? {
    switch (condition, quantifier) {
    case (.constant(let constant), _):
      let isEmpty = ObjectPredicate.comparison(
        ObjectComparison(.function(.count, [collection]), .equal, .constant(.integer(0))))
      let isAny = quantifier == .any
      return constant == isAny ? (isAny ? isEmpty.inverse : isEmpty) : .constant(constant)
    case (.not(let inner), .any): return quantify(inner, .all).map(\.inverse)
    case (.not(let inner), _): return quantify(inner, .any).map(\.inverse)
    case (.or(let parts), .any):
      let parts = parts.compactMap { quantify($0, .any) }.nonEmpty(count: parts.count)
      return parts.map { .or($0) }
    case (.and(let parts), .all):
      let parts = parts.compactMap { quantify($0, .all) }.nonEmpty(count: parts.count)
      return parts.map { .and($0) }
    case (.comparison(let comparison), _): return quantify(comparison, quantifier)
    default: return nil
    }
  }

  private func quantify(
    _ comparison: ObjectComparison, _ quantifier: ObjectComparison.Quantifier
  ) -> ObjectPredicate? {
    var comparison = comparison
    if !comparison.left.mentions(variable), let mirrored = comparison.operator.mirrored {
      swap(&comparison.left, &comparison.right)
      comparison.operator = mirrored
    }
    guard !comparison.right.mentions(variable), let left = joined(comparison.left) else {
      return nil
    }
    switch (quantifier, comparison.quantifier) {
    case (_, .direct), (.any, .any), (.all, .all): comparison.quantifier = quantifier
    case (.all, .none): break
    default: return nil
    }
    comparison.left = left
    return .comparison(comparison)
  }

  /// Returns the path from the collection for one from its member.
  private func joined(_ expression: ObjectExpression) -> ObjectExpression? {
    switch expression {
    case .variable(variable): collection
    case .path(.variable(variable), let path): path.names.reduce(collection) { $0.appending($1) }
    default: nil
    }
  }
}

extension Array {
  /// The array itself when nothing was lost on the way to it.
  fileprivate func nonEmpty(count: Int) -> Self? { self.count == count ? self : nil }
}

extension ObjectExpression {
  /// Tells whether the expression uses a variable.
  fileprivate func mentions(_ variable: String) -> Bool {
    ObjectPredicate.comparison(ObjectComparison(self, .equal, .constant(.null))).variables
      .contains(variable)
  }
}

import Foundation

// `contains { … }` and `allSatisfy { … }` over a to-many relationship become ANY and ALL. The closure is
// lowered with a stand-in for its member; each comparison that reads the member is then quantified. What
// would bind two comparisons to one member needs SUBQUERY and is refused.

extension PredicateExpressions.SequenceContainsWhere: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.quantify(.any, sequence, variable.key, test, in: self)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.quantify(.all, sequence, variable.key, test, in: self)
  }
}

extension PredicateLowering {
  fileprivate mutating func quantify(
    _ quantifier: ObjectComparison.Quantifier, _ sequence: any PredicateExpression,
    _ variable: PredicateExpressions.VariableID, _ test: any PredicateExpression,
    in whole: any PredicateExpression
  ) throws(ObjectPredicateError) -> Lowered {
    let path = try path(sequence)
    let standIn = "member \(names.count)"
    names[variable] = [standIn]
    let condition = try predicate(test)
    let quantified = MemberQuantifier(path: path, standIn: standIn)
      .quantify(condition, quantifier)
    guard let quantified else {
      throw Self.unsupported(
        whole, because: "it binds several conditions to one member, which SUBQUERY would do")
    }
    return .predicate(quantified)
  }
}

private struct MemberQuantifier {
  let path: [String]
  let standIn: String

  /// Returns the condition that some or all members satisfy another; nil when that can't be said.
  func quantify(
    _ condition: ObjectPredicate, _ quantifier: ObjectComparison.Quantifier
  ) -> ObjectPredicate? {
    switch (condition, quantifier) {
    case (.constant(let constant), _):
      let isEmpty = ObjectPredicate.comparison(
        ObjectComparison(.count(ObjectKeyPath(path)), .equal, .constant(.integer(0))))
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
    if !comparison.left.mentions(standIn), let mirrored = comparison.operator.mirrored {
      swap(&comparison.left, &comparison.right)
      comparison.operator = mirrored
    }
    guard case .keyPath(let read) = comparison.left, read.names.first == standIn,
      !comparison.right.mentions(standIn)
    else { return nil }
    switch (quantifier, comparison.quantifier) {
    case (_, .direct), (.any, .any), (.all, .all): comparison.quantifier = quantifier
    case (.all, .none): break
    default: return nil
    }
    comparison.left = .keyPath(ObjectKeyPath(path + read.names.dropFirst()))
    return .comparison(comparison)
  }
}

extension Array {
  /// The array itself when nothing was lost on the way to it.
  fileprivate func nonEmpty(count: Int) -> Self? { self.count == count ? self : nil }
}

extension ObjectExpression {
  /// Tells whether a key path in the expression begins with a name.
  fileprivate func mentions(_ name: String) -> Bool {
    switch self {
    case .constant, .selfObject: false
    case .keyPath(let path), .count(let path): path.names.first == name
    case .list(let elements): elements.contains { $0.mentions(name) }
    }
  }
}

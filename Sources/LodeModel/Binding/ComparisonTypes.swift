// The types of a comparison's sides: which of them compare, and into what constants are converted.

extension ComparisonBinder {
  /// Makes both sides one type, converting whichever is constant.
  func unify(_ bound: inout BoundComparison) throws(ObjectPredicateError) {
    if bound.right.isList, isCollection(bound.left) || !bound.left.isConstant {
      guard bound.quantifier == .direct, isCollection(bound.left), bound.operator != .contains
      else {
        throw failure(.typeMismatch, "a list compares with IN, BETWEEN or a whole collection only")
      }
      return try unifyElements(&bound, count: nil)
    }
    let (left, right) = (type(of: bound.left), type(of: bound.right))
    bound.right = try converted(bound.right, to: left)
    if !bound.left.isList { bound.left = try converted(bound.left, to: right) }
    try checkGroups(left, type(of: bound.right))
  }

  /// Makes the elements of the right side the left side's type.
  func unifyElements(_ bound: inout BoundComparison, count: Int?) throws(ObjectPredicateError) {
    let left = type(of: bound.left)
    switch bound.right {
    case .constant(.list(let values)):
      try checkCount(values.count, count)
      var members: [Value] = []
      for value in values {
        guard case .constant(let member) = try converted(.constant(value), to: left) else {
          continue
        }
        try checkGroups(left, .constant(member))
        members.append(member)
      }
      bound.right = .constant(.list(members))
    case .list(let elements):
      try checkCount(elements.count, count)
      var members: [BoundExpression] = []
      for element in elements {
        let member = try converted(element, to: left)
        try checkGroups(left, type(of: member))
        members.append(member)
      }
      bound.right = .list(members)
    default:
      throw failure(
        .typeMismatch, "\(bound.operator.rawValue) needs a list on its right, in braces or given")
    }
  }

  func unifyMembership(_ bound: inout BoundComparison) throws(ObjectPredicateError) {
    if bound.right.isList { return try unifyElements(&bound, count: nil) }
    if isCollection(bound.right) {
      return try checkGroups(type(of: bound.left), type(of: bound.right))
    }
    if type(of: bound.right).group == .null { return }
    try checkStrings()
  }

  private func checkCount(_ count: Int, _ expected: Int?) throws(ObjectPredicateError) {
    guard let expected, count != expected else { return }
    throw failure(.typeMismatch, "BETWEEN needs a list of two bounds, not of \(count)")
  }

  /// Checks that both sides are strings, as the operators for strings want them; nil is let pass.
  func checkStrings() throws(ObjectPredicateError) {
    for side in [comparison.left, comparison.right] {
      let group = type(of: side).group
      guard group == .string || group == .null else {
        throw failure(
          .typeMismatch,
          "\(comparison.operator.rawValue) compares strings, not \(group.withArticle)")
      }
    }
  }

  func checkOptions() throws(ObjectPredicateError) {
    guard !comparison.options.isEmpty else { return }
    let left = type(of: comparison.left).group
    let right = type(of: comparison.right).group
    guard [left, right].contains(where: { $0 == .string || $0 == .null }) else {
      throw failure(
        .invalidOptions, "options in brackets are for strings, not for \(left.withArticle)")
    }
  }

  func checkOrder(_ left: BoundExpression, _ right: BoundExpression) throws(ObjectPredicateError) {
    for side in [left, right] {
      switch type(of: side).group {
      case .data, .composite:
        throw failure(
          .typeMismatch, "values of this type have no order; compare them with == or !=")
      default: break
      }
    }
  }

  private func converted(
    _ expression: BoundExpression, to type: ExpressionType.Element
  ) throws(ObjectPredicateError) -> BoundExpression {
    guard case .constant(let value) = expression, case .attribute(let attributeType) = type else {
      return expression
    }
    guard let converted = value.converted(to: attributeType) else {
      throw failure(
        .typeMismatch,
        "is \(attributeType.rawValue.withIndefiniteArticle), which doesn't compare with "
          + value.kindWithArticle)
    }
    return .constant(converted)
  }

  private func checkGroups(_ left: ExpressionType.Element, _ right: ExpressionType.Element)
    throws(ObjectPredicateError)
  {
    let (left, right) = (left.group, right.group)
    guard left == right || left == .null || right == .null else {
      throw failure(
        .typeMismatch, "\(left.withArticle) doesn't compare with \(right.withArticle)")
    }
    if left == .composite && right == .composite {
      throw failure(.typeMismatch, "composites compare by their elements; name one in the key path")
    }
  }

  /// What one value of a side is; for a quantified list, one of its members.
  private func type(of expression: BoundExpression) -> ExpressionType.Element {
    comparison.quantifier != .direct && expression == comparison.left && expression.isList
      ? expression.memberType : expression.type.element
  }
}

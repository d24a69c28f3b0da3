/// Checks one comparison and brings it into the form that planners and evaluation expect: the property
/// on the left where the operator allows exchanging the sides, constants in the property's type.
struct ComparisonBinder {
  private(set) var comparison: BoundComparison
  private let entity: Entity

  init(
    _ comparison: ObjectComparison, left: BoundExpression, right: BoundExpression, entity: Entity
  ) {
    self.comparison = BoundComparison(
      quantifier: comparison.quantifier, left: left, operator: comparison.operator,
      options: comparison.options, right: right)
    self.entity = entity
    exchangeSides()
  }

  func bind() throws(ObjectPredicateError) -> BoundPredicate.Node {
    try checkCollections()
    try checkOptions()
    var bound = comparison
    switch comparison.operator {
    case .equal, .notEqual: try unify(&bound)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      try checkOrder(bound.left, bound.right)
      try unify(&bound)
    case .between:
      try checkOrder(bound.left, bound.right)
      try unifyElements(&bound, count: 2)
    case .in: try unifyMembership(&bound)
    case .contains:
      let isMembership = isCollection(bound.left) && bound.quantifier == .direct
      if isMembership { try unify(&bound) } else { try checkStrings() }
    case .beginsWith, .endsWith, .like, .matches: try checkStrings()
    }
    return try evaluated(bound)
  }

  /// Replaces a comparison of two constants by its answer, and finds patterns that can't be read.
  private func evaluated(
    _ bound: BoundComparison
  ) throws(ObjectPredicateError) -> BoundPredicate.Node {
    guard case .constant(let right) = bound.right else { return .comparison(bound) }
    let test = ValueTest(bound.operator, options: bound.options, right: right)
    if let error = test.preparationError { throw located(error) }
    guard bound.quantifier == .direct, case .constant(let left) = bound.left else {
      return .comparison(bound)
    }
    do throws(ObjectPredicateError) {
      return .constant(try test.holds(left, right))
    } catch { throw located(error) }
  }

  func located(_ error: ObjectPredicateError) -> ObjectPredicateError {
    var error = error
    error.entity = entity.name
    error.keyPath = comparison.left.keyPath ?? comparison.right.keyPath
    return error
  }

  func failure(_ code: ObjectPredicateError.Code, _ message: String) -> ObjectPredicateError {
    located(ObjectPredicateError(code, message))
  }
}

// Sides.
extension ComparisonBinder {
  private mutating func exchangeSides() {
    if comparison.operator == .in, comparison.quantifier == .direct,
      !comparison.right.isConstant, !comparison.right.isList, !isCollection(comparison.left),
      isCollection(comparison.right) || comparison.left.isConstant
    {
      // A member in a collection, or a constant text in an attribute's.
      exchange(.contains)
    } else if let mirrored = comparison.operator.mirrored, needsExchange {
      exchange(mirrored)
    }
  }

  /// Whether the side that leads somewhere, or through a collection, is the right one.
  private var needsExchange: Bool {
    comparison.quantifier == .direct
      ? comparison.left.isConstant && !comparison.right.isConstant
      : !isCollection(comparison.left) && isCollection(comparison.right)
  }

  private mutating func exchange(_ operator: ObjectComparison.Operator) {
    (comparison.left, comparison.right) = (comparison.right, comparison.left)
    comparison.operator = `operator`
  }

  func isCollection(_ expression: BoundExpression) -> Bool { expression.type.isMany }

  private func checkCollections() throws(ObjectPredicateError) {
    let (left, right) = (isCollection(comparison.left), isCollection(comparison.right))
    guard comparison.quantifier == .direct else {
      guard left || comparison.left.isList else {
        throw failure(
          .invalidQuantifier,
          "a quantifier needs a collection on its left: a key path through a to-many relationship")
      }
      if right && comparison.operator != .in {
        throw failure(
          .toManyKey, "a quantifier is for one side; the other leads to many values too")
      }
      return
    }
    switch comparison.operator {
    case .equal, .notEqual:
      guard left == right || (left ? comparison.right : comparison.left).isList else {
        throw toManyFailure
      }
    case .in: guard !left else { throw toManyFailure }
    case .contains: guard !right else { throw toManyFailure }
    default: guard !left && !right else { throw toManyFailure }
    }
  }

  private var toManyFailure: ObjectPredicateError {
    failure(
      .toManyKey,
      "leads to many values: write ANY, ALL or NONE before it, @count behind it, or compare it with "
        + "CONTAINS")
  }
}

extension BoundExpression {
  var isConstant: Bool { if case .constant = self { true } else { false } }

  var isList: Bool {
    switch self {
    case .list, .constant(.list): true
    default: false
    }
  }

  /// The first key path in the expression, for messages.
  var keyPath: String? {
    switch self {
    case .path(let path): return path.string
    case .count(let path): return path.string + ".@count"
    case .behind(let base, let path):
      return base.keyPath.map { "\($0).\(path.string)" } ?? path.string
    default:
      var first: String?
      forEachPart({ first = first ?? $0.keyPath }, condition: { _ in })
      return first
    }
  }
}

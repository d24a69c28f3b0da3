// The types of a comparison's sides: which of them compare, and into what constants are converted.

/// What a side of a comparison yields, one value at a time.
private enum SideType: Hashable {
  case attribute(AttributeType)
  case object
  case count
  /// A constant, whose value says what it is.
  case constant(Value)
  case list
}

/// The groups of types whose values compare with each other.
private enum TypeGroup: String {
  case null, number, string, date, data, UUID, URI, object, composite, list

  /// The group as messages name it.
  var withArticle: String {
    switch self {
    case .null: "nil"
    case .data: "data"
    default: rawValue.withIndefiniteArticle
    }
  }
}

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
    bound.left = try converted(bound.left, to: right)
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
    if group(type(of: bound.right)) == .null { return }
    try checkStrings()
  }

  private func checkCount(_ count: Int, _ expected: Int?) throws(ObjectPredicateError) {
    guard let expected, count != expected else { return }
    throw failure(.typeMismatch, "BETWEEN needs a list of two bounds, not of \(count)")
  }

  /// Checks that both sides are strings, as the operators for strings want them; nil is let pass.
  func checkStrings() throws(ObjectPredicateError) {
    for side in [comparison.left, comparison.right] {
      let group = group(type(of: side))
      guard group == .string || group == .null else {
        throw failure(
          .typeMismatch,
          "\(comparison.operator.rawValue) compares strings, not \(group.withArticle)")
      }
    }
  }

  func checkOptions() throws(ObjectPredicateError) {
    guard !comparison.options.isEmpty else { return }
    let left = group(type(of: comparison.left))
    let right = group(type(of: comparison.right))
    guard [left, right].contains(where: { $0 == .string || $0 == .null }) else {
      throw failure(
        .invalidOptions, "options in brackets are for strings, not for \(left.withArticle)")
    }
  }

  func checkOrder(_ left: BoundExpression, _ right: BoundExpression) throws(ObjectPredicateError) {
    for side in [left, right] {
      switch group(type(of: side)) {
      case .data, .composite:
        throw failure(
          .typeMismatch, "values of this type have no order; compare them with == or !=")
      default: break
      }
    }
  }

  private func converted(
    _ expression: BoundExpression, to type: SideType
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

  private func checkGroups(_ left: SideType, _ right: SideType) throws(ObjectPredicateError) {
    let (left, right) = (group(left), group(right))
    guard left == right || left == .null || right == .null else {
      throw failure(
        .typeMismatch, "\(left.withArticle) doesn't compare with \(right.withArticle)")
    }
    if left == .composite && right == .composite {
      throw failure(.typeMismatch, "composites compare by their elements; name one in the key path")
    }
  }

  private func type(of expression: BoundExpression) -> SideType {
    switch expression {
    case .constant(let value): .constant(value)
    case .selfObject: .object
    case .path(let path): path.attributeType.map { .attribute($0) } ?? .object
    case .count: .count
    case .list: .list
    }
  }

  private func group(_ type: SideType) -> TypeGroup {
    switch type {
    case .object: .object
    case .count: .number
    case .list: .list
    case .attribute(let type): group(type)
    case .constant(let value): group(value)
    }
  }

  private func group(_ type: AttributeType) -> TypeGroup {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: .number
    case .string: .string
    case .date: .date
    case .binaryData, .transformable: .data
    case .uuid: .UUID
    case .uri: .URI
    case .objectID: .object
    case .composite: .composite
    }
  }

  private func group(_ value: Value) -> TypeGroup {
    switch value {
    case .null: .null
    case .boolean, .integer, .double, .decimal: .number
    case .string: .string
    case .date: .date
    case .data: .data
    case .uuid: .UUID
    case .uri: .URI
    case .objectID: .object
    case .list: .list
    case .composite: .composite
    }
  }
}

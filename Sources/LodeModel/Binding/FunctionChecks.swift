// Which arguments a function takes: found before anything is evaluated.

extension ObjectFunction {
  /// Says what is wrong with the arguments; nil when they go with the function.
  func problem(with arguments: [BoundExpression]) -> (ObjectPredicateError.Code, String)? {
    guard arguments.count == argumentCount else {
      return (.typeMismatch, "\(rawValue) takes \(argumentCount) arguments, not \(arguments.count)")
    }
    if let problem = collectionProblem(with: arguments) ?? operandProblem(with: arguments) {
      return problem
    }
    for argument in arguments {
      let group = isOfMembers ? argument.memberType.group : argument.type.element.group
      if group != .null, let accepted = acceptedGroups, !accepted.contains(group) {
        return (
          .typeMismatch,
          "\(rawValue) has no meaning for \(group.withArticle)\(isOfMembers ? " as a member" : "")"
        )
      }
    }
    return nil
  }

  /// Checks that collections are where they are needed and nowhere else.
  private func collectionProblem(
    with arguments: [BoundExpression]
  ) -> (ObjectPredicateError.Code, String)? {
    if self == .noIndex { return nil }
    for (position, argument) in arguments.enumerated() {
      let isWanted = isAggregate || isOfCollections || (self == .element && position == 0)
      let isCollection = argument.type.isMany || argument.isList || argument == .constant(.null)
      if isWanted && !isCollection {
        return (.invalidKeyPath, "\(title) needs a collection, and this leads to one value")
      }
      if !isWanted && (argument.type.isMany || argument.isList) {
        return (.toManyKey, "\(title) needs one value, and this leads to many")
      }
    }
    guard [.first, .last, .element].contains(self) else { return nil }
    switch arguments[0] {
    case .path(let path), .behind(_, let path):
      return path.isOrdered
        ? nil
        : (.invalidKeyPath, "the members have no order to be picked by; only [SIZE] is theirs")
    default: return nil
    }
  }

  /// Checks that a date is summed up with a number and taken from a date, and that positions are numbers.
  private func operandProblem(
    with arguments: [BoundExpression]
  ) -> (ObjectPredicateError.Code, String)? {
    let groups = arguments.map(\.type.element.group)
    switch (self, groups) {
    case (.add, [.date, .date]): return (.typeMismatch, "dates can't be added to each other")
    case (.subtract, [.number, .date]):
      return (.typeMismatch, "a date can't be taken from a number")
    case (.ofEntity, _) where groups[0] != .object && groups[0] != .null:
      return (.typeMismatch, "an object is of an entity, not \(groups[0].withArticle)")
    case (.element, _) where groups[1] != .number && groups[1] != .null:
      return (.typeMismatch, "an index is a number, not \(groups[1].withArticle)")
    default: return nil
    }
  }

  /// The function as messages name it.
  private var title: String {
    switch self {
    case .count: "@count"
    case .first, .last, .element: "an index"
    case .add: "“+”"
    case .subtract, .negate: "“-”"
    case .multiply: "“*”"
    case .divide: "“/”"
    default: rawValue
    }
  }

  private var isOfCollections: Bool {
    [.union, .intersection, .difference].contains(self)
  }

  /// Whether the arguments' members are what the function works on.
  private var isOfMembers: Bool {
    switch self {
    case .sum, .average, .median, .standardDeviation, .minimum, .maximum: true
    default: false
    }
  }

  private var acceptedGroups: Set<TypeGroup>? {
    switch self {
    case .uppercase, .lowercase, .canonical: [.string]
    case .length: [.string, .data]
    case .add, .subtract: [.number, .date]
    case .minimum, .maximum: [.number, .string, .date, .UUID, .URI, .object]
    case .multiply, .divide, .modulus, .power, .negate, .squareRoot, .logarithm, .naturalLogarithm,
      .exponential, .absolute, .floor, .ceiling, .truncate, .bitwiseAnd, .bitwiseOr, .bitwiseXor,
      .leftShift, .rightShift, .complement, .randomBelow, .sum, .average, .median,
      .standardDeviation:
      [.number]
    default: nil
    }
  }
}

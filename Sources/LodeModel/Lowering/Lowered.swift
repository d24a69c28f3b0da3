/// What a part of a Swift predicate becomes.
///
/// Lode's comparisons have no conditional values; `?:`, `??` and optional chains are therefore carried
/// along as choices until a comparison or a condition is made of them, which takes them apart.
indirect enum Lowered: Sendable {
  case expression(ObjectExpression)
  case predicate(ObjectPredicate)
  /// The first where the condition holds, the second elsewhere.
  case choice(ObjectPredicate, Lowered, Lowered)

  static let null = Lowered.expression(.constant(.null))

  /// The value that this is: a condition is a Boolean.
  var expression: ObjectExpression {
    switch self {
    case .expression(let expression): expression
    case .predicate(let predicate):
      .conditional(predicate, .constant(.boolean(true)), .constant(.boolean(false)))
    case .choice(let test, let first, let second):
      .conditional(test, first.expression, second.expression)
    }
  }

  /// The condition that this is, if it can be one: a Boolean is compared with true.
  var predicate: ObjectPredicate? {
    switch self {
    case .predicate(let predicate): return predicate
    case .expression(.constant(.boolean(let constant))): return .constant(constant)
    case .expression(.constant(.null)): return .constant(false)
    case .expression(let boolean) where boolean.isPath:
      return .comparison(ObjectComparison(boolean, .equal, .constant(.boolean(true))))
    case .expression: return nil
    case .choice(let test, let first, let second):
      guard let first = first.predicate, let second = second.predicate else { return nil }
      return .either(.both(test, first), .both(test.inverse, second))
    }
  }

  /// Returns this, and where it is nil the fallback.
  func coalesced(with fallback: Lowered) -> Lowered {
    switch self {
    case .predicate, .expression(.function(.count, _)), .expression(.list),
      .expression(.selfObject), .expression(.variable):
      self
    case .expression(.constant(let value)): value.isNull ? fallback : self
    case .expression(let path): .choice(path.isNotNil, self, fallback)
    case .choice(let test, let first, let second):
      .choice(test, first.coalesced(with: fallback), second.coalesced(with: fallback))
    }
  }

  /// Compares two of these; nil when one is no value.
  static func compare(
    _ left: Lowered, _ operator: ObjectComparison.Operator, _ right: Lowered
  ) -> ObjectPredicate? {
    switch (left, right) {
    case (.expression(.constant(let left)), .expression(.constant(let right))):
      return (try? ValueTest(`operator`, options: []).holds(left, right)).map { .constant($0) }
    case (.expression(let left), .expression(let right)):
      return .comparison(ObjectComparison(left, `operator`, right))
    case (.choice(let test, let first, let second), _):
      guard let first = compare(first, `operator`, right),
        let second = compare(second, `operator`, right)
      else { return nil }
      return .either(.both(test, first), .both(test.inverse, second))
    case (_, .choice):
      return `operator`.mirrored.flatMap { compare(right, $0, left) }
    case (.predicate(let left), _): return compareTruth(left, `operator`, right)
    case (_, .predicate(let right)): return compareTruth(right, `operator`, left)
    }
  }

  /// Compares a condition with a Boolean; one that is nil equals no condition.
  private static func compareTruth(
    _ condition: ObjectPredicate, _ operator: ObjectComparison.Operator, _ other: Lowered
  ) -> ObjectPredicate? {
    let isEqual: ObjectPredicate
    switch other {
    case .expression(.constant(.null)): isEqual = .constant(false)
    case .expression(let boolean):
      func equals(_ constant: Bool) -> ObjectPredicate {
        if case .constant(.boolean(let value)) = boolean { return .constant(value == constant) }
        return .comparison(ObjectComparison(boolean, .equal, .constant(.boolean(constant))))
      }
      isEqual = .either(.both(condition, equals(true)), .both(condition.inverse, equals(false)))
    case .predicate(let other):
      isEqual = .either(.both(condition, other), .both(condition.inverse, other.inverse))
    case .choice: return nil
    }
    switch `operator` {
    case .equal: return isEqual
    case .notEqual: return isEqual.inverse
    default: return nil
    }
  }
}

extension ObjectExpression {
  /// Whether this is a key path, from the object or from something else.
  var isPath: Bool {
    switch self {
    case .keyPath, .path: true
    default: false
    }
  }

  /// Returns the expression of a path that goes on by a name.
  func appending(_ name: String) -> ObjectExpression {
    switch self {
    case .selfObject: .keyPath(ObjectKeyPath([name]))
    case .keyPath(let path): .keyPath(ObjectKeyPath(path.names + [name]))
    case .path(let base, let path): .path(base, ObjectKeyPath(path.names + [name]))
    default: .path(self, ObjectKeyPath([name]))
    }
  }

  /// Whether a key path is the beginning of another, or leads to the same.
  fileprivate func leads(to other: ObjectExpression) -> Bool {
    switch (self, other) {
    case (.selfObject, .keyPath): true
    case (.keyPath(let own), .keyPath(let other)): other.names.starts(with: own.names)
    case (.path(let base, let own), .path(let otherBase, let other)):
      base == otherBase && other.names.starts(with: own.names)
    case (_, .path(let base, _)): self == base
    default: false
    }
  }

  /// The condition that this is something.
  var isNotNil: ObjectPredicate { .comparison(ObjectComparison(self, .notEqual, .constant(.null))) }
}

extension ObjectPredicate {
  /// Returns the condition that both hold, without what says nothing.
  static func both(_ left: ObjectPredicate, _ right: ObjectPredicate) -> ObjectPredicate {
    switch (left, right) {
    case (.constant(false), _), (_, .constant(false)): .constant(false)
    case (.constant(true), let other), (let other, .constant(true)): other
    case (let left, let right) where right.implies(left): right
    case (.and(let left), .and(let right)): .and(left + right)
    case (.and(let left), let right): .and(left + [right])
    case (let left, .and(let right)): .and([left] + right)
    default: .and([left, right])
    }
  }

  /// Returns the condition that one of two holds, without what says nothing.
  static func either(_ left: ObjectPredicate, _ right: ObjectPredicate) -> ObjectPredicate {
    switch (left, right) {
    case (.constant(true), _), (_, .constant(true)): .constant(true)
    case (.constant(false), let other), (let other, .constant(false)): other
    case (.or(let left), .or(let right)): .or(left + right)
    case (.or(let left), let right): .or(left + [right])
    case (let left, .or(let right)): .or([left] + right)
    default: .or([left, right])
    }
  }

  /// The condition that this one doesn't hold.
  var inverse: ObjectPredicate {
    switch self {
    case .constant(let constant): return .constant(!constant)
    case .not(let predicate): return predicate
    case .comparison(var comparison) where comparison.quantifier == .direct:
      switch comparison.operator {
      case .equal: comparison.operator = .notEqual
      case .notEqual: comparison.operator = .equal
      default: return .not(self)
      }
      return .comparison(comparison)
    default: return .not(self)
    }
  }

  /// Whether this comparison is false wherever a value is nil, so that `other`, which says no more than
  /// that the value isn't, can be left out beside it.
  private func implies(_ other: ObjectPredicate) -> Bool {
    guard case .comparison(let test) = other, test.operator == .notEqual,
      test.quantifier == .direct, test.right == .constant(.null),
      test.left.isPath, case .comparison(let comparison) = self, comparison.left.isPath,
      test.left.leads(to: comparison.left)
    else { return false }
    switch (comparison.quantifier, comparison.operator, comparison.right) {
    case (.any, _, _): return comparison.left != test.left
    case (.all, _, _), (.none, _, _), (_, .notEqual, _): return false
    case (_, .equal, .constant(let value)): return !value.isNull
    case (_, .in, .constant(.list(let members))): return !members.contains(where: \.isNull)
    case (_, _, .constant): return true
    default: return false
    }
  }
}

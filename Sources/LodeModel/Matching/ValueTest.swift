import Foundation

/// One comparison of two values: an operator with its options and, when the right side is known
/// beforehand, what can be prepared of it.
///
/// This is the only place where operators get their meaning; `docs/queries.md` lists it.
package struct ValueTest: Sendable {
  private enum Preparation: Sendable {
    case none
    case folded(Value)
    case search(SearchText)
    case like(LikePattern)
    case expression(RegularExpression)
    case members(Set<Value>)
    case invalid(ObjectPredicateError)
  }

  /// How the values are compared.
  package let `operator`: ObjectComparison.Operator
  private let options: ObjectComparison.Options
  private let folding: StringFolding
  private let preparation: Preparation

  /// Makes a test whose right side varies.
  package init(_ operator: ObjectComparison.Operator, options: ObjectComparison.Options) {
    self.operator = `operator`
    self.options = options
    folding = StringFolding(options)
    preparation = .none
  }

  /// Makes a test that will always be given the same right side.
  package init(
    _ operator: ObjectComparison.Operator, options: ObjectComparison.Options, right: Value
  ) {
    self.operator = `operator`
    self.options = options
    folding = StringFolding(options)
    preparation = Self.prepare(`operator`, options, right, folding)
  }

  /// The reason why every evaluation fails, found while preparing: a pattern that can't be read.
  package var preparationError: ObjectPredicateError? {
    if case .invalid(let error) = preparation { error } else { nil }
  }

  /// Tells whether the comparison holds.
  ///
  /// - Throws: `ObjectPredicateError` with code `typeMismatch` when the operator has no meaning for values of
  ///   these kinds, `invalidPattern` when a pattern can't be read.
  package func holds(_ left: Value, _ right: Value) throws(ObjectPredicateError) -> Bool {
    switch `operator` {
    case .equal: areEqual(left, right)
    case .notEqual: !areEqual(left, right)
    case .less: try order(left, right).map { $0 == .orderedAscending } ?? false
    case .lessOrEqual: try order(left, right).map { $0 != .orderedDescending } ?? false
    case .greater: try order(left, right).map { $0 == .orderedDescending } ?? false
    case .greaterOrEqual: try order(left, right).map { $0 != .orderedAscending } ?? false
    case .between: try isBetween(left, right)
    case .in: try isMember(left, of: right)
    case .contains: try contains(left, right)
    case .beginsWith: try search(left, right) { $0.isPrefix(of: $1) }
    case .endsWith: try search(left, right) { $0.isSuffix(of: $1) }
    case .like: try isLike(left, right)
    case .matches: try matches(left, right)
    }
  }

  private static func prepare(
    _ operator: ObjectComparison.Operator, _ options: ObjectComparison.Options, _ right: Value,
    _ folding: StringFolding
  ) -> Preparation {
    switch (`operator`, right) {
    case (.equal, .string), (.notEqual, .string), (.less, .string), (.lessOrEqual, .string),
      (.greater, .string), (.greaterOrEqual, .string):
      return folding.isIdentity ? .none : .folded(folding.fold(right))
    case (.contains, .string(let text)), (.beginsWith, .string(let text)),
      (.endsWith, .string(let text)):
      return .search(SearchText(text, folding: folding))
    case (.like, .string(let text)): return .like(LikePattern(text, folding: folding))
    case (.in, .list(let members)):
      return hashable(members).map { .members(Set($0.map(folding.fold))) } ?? .none
    case (.matches, .string(let pattern)):
      do throws(ObjectPredicateError) {
        return .expression(try RegularExpression(pattern, options: options))
      } catch { return .invalid(error) }
    default: return .none
    }
  }

  /// Returns the members when equality as predicates mean it is that of `Value`'s hash: all of one
  /// kind that compares with no other.
  private static func hashable(_ members: [Value]) -> [Value]? {
    guard members.count > 4, let first = members.first else { return nil }
    let isHashable: (Value) -> Bool =
      switch first {
      case .string: { if case .string = $0 { true } else { false } }
      case .objectID: { if case .objectID = $0 { true } else { false } }
      case .integer: { if case .integer = $0 { true } else { false } }
      default: { _ in false }
      }
    return members.allSatisfy(isHashable) ? members : nil
  }
}

// Equality and order.
extension ValueTest {
  private func folded(_ right: Value) -> Value {
    if case .folded(let prepared) = preparation { prepared } else { folding.fold(right) }
  }

  private func areEqual(_ left: Value, _ right: Value) -> Bool {
    switch (left, right) {
    // A collection that nil leads to is an empty one.
    case (.null, .list(let members)), (.list(let members), .null): members.isEmpty
    case (.null, _), (_, .null): left.isNull && right.isNull
    case (.string(let left), .string(let right)): areEqual(left, right)
    case (.list(let left), .list(let right)): haveEqualMembers(left, right)
    default: Self.compare(left, right) == .orderedSame
    }
  }

  private func areEqual(_ left: String, _ right: String) -> Bool {
    if options.contains(.normalized) { return left.utf8.elementsEqual(right.utf8) }
    if folding.isIdentity { return left == right }
    if case .folded(.string(let right)) = preparation { return folding.fold(left, equals: right) }
    return folding.fold(left) == folding.fold(right)
  }

  /// Compares collections as sets: neither order nor repetition counts.
  private func haveEqualMembers(_ left: [Value], _ right: [Value]) -> Bool {
    if Set(left) == Set(right) { return true }
    return left.allSatisfy { member in right.contains { areEqual(member, $0) } }
      && right.allSatisfy { member in left.contains { areEqual(member, $0) } }
  }

  /// Returns the order of two values, nil when one is null.
  private func order(
    _ left: Value, _ right: Value
  ) throws(ObjectPredicateError) -> ComparisonResult? {
    if left.isNull || right.isNull { return nil }
    if case .string(let left) = left, case .string(let right) = right { return order(left, right) }
    guard left.isOrdered, right.isOrdered, let order = Self.compare(left, right) else {
      throw mismatch(left, right)
    }
    return order
  }

  private func order(_ left: String, _ right: String) -> ComparisonResult {
    if options.contains(.normalized) {
      return left.utf8.lexicographicallyPrecedes(right.utf8)
        ? .orderedAscending
        : left.utf8.elementsEqual(right.utf8) ? .orderedSame : .orderedDescending
    }
    if options.contains(.localeSensitive) { return localizedOrder(left, right) }
    return Value.compare(folding.fold(.string(left)), folded(.string(right))) ?? .orderedSame
  }

  private func localizedOrder(_ left: String, _ right: String) -> ComparisonResult {
    folding.fold(left).compare(folding.fold(right), locale: .current)
  }

  /// Compares values, taking a number beside a date as seconds since 2001 and a string beside a UUID or
  /// a URI as its text.
  private static func compare(_ left: Value, _ right: Value) -> ComparisonResult? {
    if let result = Value.compare(left, right) { return result }
    if let left = left.converted(besides: right) { return Value.compare(left, right) }
    return right.converted(besides: left).flatMap { Value.compare(left, $0) }
  }

  private func mismatch(_ left: Value, _ right: Value) -> ObjectPredicateError {
    ObjectPredicateError(
      .typeMismatch,
      "\(`operator`.rawValue) has no meaning for \(left.kindWithArticle) and "
        + right.kindWithArticle)
  }
}

// Ranges and membership.
extension ValueTest {
  private func isBetween(_ value: Value, _ bounds: Value) throws(ObjectPredicateError) -> Bool {
    guard case .list(let bounds) = bounds, bounds.count == 2 else {
      throw ObjectPredicateError(.typeMismatch, "BETWEEN needs a list of two bounds")
    }
    guard let low = try order(value, bounds[0]), let high = try order(value, bounds[1]) else {
      return false
    }
    return low != .orderedAscending && high != .orderedDescending
  }

  private func isMember(_ value: Value, of collection: Value) throws(ObjectPredicateError) -> Bool {
    if case .members(let members) = preparation {
      switch (value, members.first) {
      case (.string, .string), (.objectID, .objectID), (.integer, .integer):
        return members.contains(folding.fold(value))
      default: break
      }
    }
    switch (value, collection) {
    case (_, .list(let members)): return members.contains { areEqual(value, $0) }
    case (_, .null), (.null, .string): return false
    case (.string(let part), .string(let whole)):
      return SearchText(part, folding: folding).isContained(in: whole)
    default: throw mismatch(value, collection)
    }
  }

  private func contains(_ left: Value, _ right: Value) throws(ObjectPredicateError) -> Bool {
    if case .list(let members) = left { return members.contains { areEqual($0, right) } }
    return try search(left, right) { $0.isContained(in: $1) }
  }
}

// Strings.
extension ValueTest {
  private func search(
    _ left: Value, _ right: Value, _ finds: (SearchText, String) -> Bool
  ) throws(ObjectPredicateError) -> Bool {
    guard let (string, text) = try strings(left, right) else { return false }
    if case .search(let prepared) = preparation { return finds(prepared, string) }
    return finds(SearchText(text, folding: folding), string)
  }

  private func isLike(_ left: Value, _ right: Value) throws(ObjectPredicateError) -> Bool {
    guard let (string, text) = try strings(left, right) else { return false }
    if case .like(let pattern) = preparation { return pattern.matches(string) }
    return LikePattern(text, folding: folding).matches(string)
  }

  private func matches(_ left: Value, _ right: Value) throws(ObjectPredicateError) -> Bool {
    guard let (string, text) = try strings(left, right) else { return false }
    switch preparation {
    case .expression(let expression): return expression.matches(string)
    case .invalid(let error): throw error
    default: return try RegularExpression(text, options: options).matches(string)
    }
  }

  /// Returns both sides as strings, nil when one is null.
  private func strings(
    _ left: Value, _ right: Value
  ) throws(ObjectPredicateError) -> (String, String)? {
    switch (left, right) {
    case (.string(let left), .string(let right)): return (left, right)
    case (.null, _), (_, .null): return nil
    default: throw mismatch(left, right)
    }
  }
}

extension Value {
  /// Whether values of this kind have an order that comparisons may ask for.
  fileprivate var isOrdered: Bool {
    switch self {
    case .null, .data, .list, .composite: false
    default: true
    }
  }

  /// Returns a number as a date, a string as a UUID or a URI, when that is the kind of `other`.
  fileprivate func converted(besides other: Value) -> Value? {
    switch other {
    case .date: converted(to: .date)
    case .uuid: converted(to: .uuid)
    case .uri: converted(to: .uri)
    default: nil
    }
  }
}

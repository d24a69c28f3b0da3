internal import LodeModel

/// What one comparison of a condition says of one column, in a form that index bounds are made of.
enum SlotTest: Equatable {
  struct Edge: Equatable {
    var value: Value
    var isInclusive: Bool
  }

  /// The column has one of these values, null among them perhaps.
  case points([Value])
  /// The column isn't null and lies between these, as far as they are given.
  case range(lower: Edge?, upper: Edge?)
  /// The column's text begins with this one.
  case prefix(String)
  /// No row can satisfy it.
  case never
}

/// A comparison that index bounds can be made of.
struct SlotCondition: Equatable {
  var slot: Int
  var test: SlotTest

  /// Reads a node of a condition; nil when it is of another form.
  ///
  /// - Parameter kinds: the kinds of the entity's columns, by slot.
  init?(_ node: BoundPredicate.Node, _ kinds: [RecordLayout.Kind]) {
    switch node {
    case .comparison(let comparison):
      guard let condition = Self(comparison, kinds) else { return nil }
      self = condition
    case .or(let parts):
      guard let condition = Self(anyOf: parts, kinds) else { return nil }
      self = condition
    case .constant, .and, .not: return nil
    }
  }

  private init(slot: Int, test: SlotTest) {
    self.slot = slot
    self.test = test
  }

  /// Reads `a == 1 OR a == 2` as `a IN {1, 2}`.
  private init?(anyOf parts: [BoundPredicate.Node], _ kinds: [RecordLayout.Kind]) {
    var all: [Value] = []
    var slots: Set<Int> = []
    for part in parts {
      guard let condition = Self(part, kinds), case .points(let values) = condition.test else {
        return nil
      }
      all += values
      slots.insert(condition.slot)
    }
    guard slots.count == 1, let slot = slots.first else { return nil }
    self.init(slot: slot, test: .points(all))
  }

  private init?(_ comparison: BoundComparison, _ kinds: [RecordLayout.Kind]) {
    guard comparison.quantifier == .direct, comparison.options.isEmpty,
      case .path(let path) = comparison.left, path.properties.count == 1,
      path.elementNames.isEmpty, !path.isToMany, case .constant(let constant) = comparison.right
    else { return nil }
    let slot = path.properties[0].slot
    guard let test = SlotTest(comparison.operator, constant, kinds[slot]) else { return nil }
    self.init(slot: slot, test: test)
  }
}

extension SlotTest {
  init?(
    _ operator: ObjectComparison.Operator, _ constant: Value, _ kind: RecordLayout.Kind
  ) {
    let test: SlotTest? =
      switch `operator` {
      case .equal: Self.equal([constant], kind)
      case .notEqual: constant.isNull ? .range(lower: nil, upper: nil) : nil
      case .less, .lessOrEqual:
        Self.below(constant, isInclusive: `operator` == .lessOrEqual, kind)
      case .greater, .greaterOrEqual:
        Self.above(constant, isInclusive: `operator` == .greaterOrEqual, kind)
      case .between: Self.between(constant, kind)
      case .in: if case .list(let values) = constant { Self.equal(values, kind) } else { nil }
      case .beginsWith: Self.prefix(constant, kind)
      case .contains, .endsWith, .like, .matches: nil
      }
    guard let test else { return nil }
    self = test
  }

  private static func equal(_ constants: [Value], _ kind: RecordLayout.Kind) -> SlotTest? {
    var values: [Value] = []
    for constant in constants {
      guard !constant.isNull else {
        values.append(.null)
        continue
      }
      switch DomainPosition.of(constant, in: kind) {
      case .at(let value): values.append(value)
      case .between: continue
      case nil: return nil
      }
    }
    return values.isEmpty ? .never : .points(values)
  }

  private static func below(
    _ constant: Value, isInclusive: Bool, _ kind: RecordLayout.Kind
  ) -> SlotTest? {
    guard !constant.isNull else { return .never }
    guard kind != .reference else { return nil }
    switch DomainPosition.of(constant, in: kind) {
    case .at(let value):
      return .range(lower: nil, upper: Edge(value: value, isInclusive: isInclusive))
    case .between(let below?, _):
      return .range(lower: nil, upper: Edge(value: below, isInclusive: true))
    case .between(nil, _): return .never
    case nil: return nil
    }
  }

  private static func above(
    _ constant: Value, isInclusive: Bool, _ kind: RecordLayout.Kind
  ) -> SlotTest? {
    guard !constant.isNull else { return .never }
    guard kind != .reference else { return nil }
    switch DomainPosition.of(constant, in: kind) {
    case .at(let value):
      return .range(lower: Edge(value: value, isInclusive: isInclusive), upper: nil)
    case .between(_, let above?):
      return .range(lower: Edge(value: above, isInclusive: true), upper: nil)
    case .between(_, nil): return .never
    case nil: return nil
    }
  }

  private static func between(_ constant: Value, _ kind: RecordLayout.Kind) -> SlotTest? {
    guard case .list(let bounds) = constant, bounds.count == 2,
      let low = above(bounds[0], isInclusive: true, kind),
      let high = below(bounds[1], isInclusive: true, kind)
    else { return nil }
    guard case .range(let lower, _) = low, case .range(_, let upper) = high else { return .never }
    return .range(lower: lower, upper: upper)
  }

  private static func prefix(_ constant: Value, _ kind: RecordLayout.Kind) -> SlotTest? {
    switch constant {
    case .null: kind == .string ? .never : nil
    // The empty text begins nothing.
    case .string(let text): kind != .string ? nil : text.isEmpty ? .never : .prefix(text)
    default: nil
    }
  }
}

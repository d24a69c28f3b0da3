internal import LodeModel

/// One way to use one index for a query: which keys to read, what that answers, and in which order.
struct IndexMatch {
  /// How an element of the index is used, for costs and for the plan's text.
  enum Use: Hashable {
    /// The element has one of so many values.
    case points(Int)
    case range(isBounded: Bool)
    case prefix
    case order
  }

  let index: StoredIndex
  private(set) var ranges: [KeyRange] = []
  /// The comparisons that the ranges answer exactly.
  private(set) var answered: Set<Int> = []
  private(set) var uses: [(slot: Int, use: Use)] = []
  /// The order that the index gives when it has the one that is asked for.
  private(set) var order: IndexOrder?
  /// Whether entries come by object number: all elements have one value.
  private(set) var isByNumber = false

  /// The most ranges that lists of values may multiply to.
  static let rangeCountMax = 65_536

  /// Matches an index with a condition and an order.
  init(
    _ index: StoredIndex, _ condition: QueryCondition, sort: [BoundSortTerm],
    _ references: ReferenceTable
  ) {
    self.index = index
    matchBounds(condition, references)
    order = IndexOrder(index, constants: condition.constantSlots, sort)
    for slot in order?.slots ?? [] where !uses.contains(where: { $0.slot == slot }) {
      uses.append((slot, .order))
    }
    isByNumber =
      ranges.count == 1
      && uses.count { $0.use == .points(1) } == index.key.elements.count
  }

  // MARK: Bounds

  private mutating func matchBounds(_ condition: QueryCondition, _ references: ReferenceTable) {
    var prefixes: [[UInt8]] = [[]]
    for element in index.key.elements {
      let bounds = condition.slots[element.slot] ?? SlotBounds()
      let maker = ElementBounds(element: element, references: references)
      if let points = bounds.points, extend(&prefixes, points.values, points.node, maker) {
        continue
      }
      if matchRange(prefixes, bounds, maker) { return }
      break
    }
    ranges = prefixes.map { KeyRange(prefix: $0) }
    if uses.isEmpty { ranges = [KeyRange(lower: [0], upper: nil)] }
  }

  private mutating func extend(
    _ prefixes: inout [[UInt8]], _ values: [Value], _ node: Int, _ maker: ElementBounds
  ) -> Bool {
    let parts = values.compactMap { maker.part($0) }
    let distinct = Set(parts.map { maker.oriented($0.bytes) })
    guard prefixes.count * distinct.count <= Self.rangeCountMax else { return false }
    let sorted = distinct.sorted { $0.lexicographicallyPrecedes($1) }
    prefixes = prefixes.flatMap { prefix in sorted.map { prefix + $0 } }
    if !parts.contains(where: \.isCut) { answered.insert(node) }
    uses.append((maker.element.slot, .points(distinct.count)))
    return true
  }

  private mutating func matchRange(
    _ prefixes: [[UInt8]], _ bounds: SlotBounds, _ maker: ElementBounds
  ) -> Bool {
    if let prefix = bounds.prefix {
      let made = prefixes.map { maker.range(behind: $0, textPrefix: prefix.text) }
      ranges = made.map(\.range)
      if made.allSatisfy(\.isExact) { answered.insert(prefix.node) }
      uses.append((maker.element.slot, .prefix))
      return true
    }
    guard bounds.hasRange else { return false }
    let made = prefixes.compactMap { maker.range(behind: $0, bounds.lower, bounds.upper) }
    guard made.count == prefixes.count else { return false }
    ranges = made.map(\.range).filter { !$0.isEmpty }
    if made.allSatisfy(\.isExact) { answered.formUnion(bounds.rangeNodes) }
    uses.append(
      (maker.element.slot, .range(isBounded: bounds.lower != nil && bounds.upper != nil)))
    return true
  }
}

/// The order in which an index gives rows, where that is the order of a query.
struct IndexOrder: Hashable {
  /// How many elements of the index decide the order; the rest, if any, would only disturb it.
  let elementCount: Int
  let isReversed: Bool
  /// Whether rows that the terms leave equal already come by object number.
  let isComplete: Bool
  /// The slots that the order needs.
  let slots: [Int]

  /// Finds the order; nil when the index has another one than the terms, or there are none.
  ///
  /// - Parameter constants: the slots that have one value in all rows.
  init?(_ index: StoredIndex, constants: Set<Int>, _ sort: [BoundSortTerm]) {
    guard !sort.isEmpty else { return nil }
    let terms = sort.compactMap { term in term.plainSlot.map { ($0, term.isAscending) } }
    guard terms.count == sort.count else { return nil }
    var isReversed: Bool?
    var elementCount = 0
    var matched = 0
    for element in index.key.elements where matched < terms.count {
      elementCount += 1
      guard element.slot == terms[matched].0 else {
        guard constants.contains(element.slot) else { return nil }
        continue
      }
      let isTermReversed = element.isAscending != terms[matched].1
      guard isReversed == nil || isReversed == isTermReversed else { return nil }
      isReversed = isTermReversed
      matched += 1
    }
    guard matched == terms.count, let isReversed else { return nil }
    self.elementCount = elementCount
    self.isReversed = isReversed
    slots = terms.map(\.0)
    // Cut texts and rows that are equal so far must be brought into order in groups.
    isComplete =
      !isReversed && !index.key.elements.prefix(elementCount).contains { $0.kind.isText }
      && index.key.elements.dropFirst(elementCount).allSatisfy { constants.contains($0.slot) }
  }
}

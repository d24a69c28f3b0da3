internal import LodeModel

/// The plans that are possible for one query, and what each would cost.
struct PlanBuilder {
  let schema: StoreSchema
  let entity: StoredEntity
  let entityNumbers: Set<UInt16>
  let condition: QueryCondition
  let sort: [BoundSortTerm]
  let purpose: PlanPurpose
  /// How many matches the query's window reaches to; nil for all.
  let reach: Double?

  /// One way to run the query.
  struct Candidate {
    let plan: QueryPlan
    let cost: Double
  }

  /// Returns the cheapest plan; of equally cheap ones the first.
  func cheapest() -> QueryPlan {
    guard !condition.isNever else { return plan(.nothing, answered: [], order: .source) }
    let candidates = candidates()
    var best = candidates[0]
    for candidate in candidates where candidate.cost < best.cost { best = candidate }
    return best.plan
  }

  /// Returns all ways to run the query, the scan first.
  func candidates() -> [Candidate] {
    [scan()] + [objects()].compactMap(\.self) + linkCandidates()
      + entity.indexes.flatMap { indexCandidates($0) }
  }

  private func plan(
    _ source: QueryPlan.Source, answered: Set<Int>, order: QueryPlan.Order,
    uses: [(slot: Int, use: IndexMatch.Use)] = []
  ) -> QueryPlan {
    QueryPlan(
      entity: entity, entityNumbers: entityNumbers, source: source,
      residual: condition.residual(without: answered), order: order, uses: uses)
  }

  // MARK: Ways

  private func scan() -> Candidate {
    let cost = PlanCost.scan(
      isSorted: !sort.isEmpty, reach: reach, hasCondition: !condition.nodes.isEmpty)
    return Candidate(
      plan: plan(.scan, answered: [], order: sort.isEmpty ? .source : .terms(sort)), cost: cost)
  }

  private func objects() -> Candidate? {
    guard let objects = condition.objects else { return nil }
    // An ID of another store, or of an entity that isn't meant, has no row here.
    let references = objects.objectIDs.compactMap { schema.references.reference(to: $0) }
      .filter { entityNumbers.contains($0.entityNumber) }
    let numbers = Set(references.map(\.number)).sorted()
    let source: QueryPlan.Source = numbers.isEmpty ? .nothing : .numbers(numbers)
    // The comparison itself is tested again, for IDs whose row has another entity.
    return Candidate(
      plan: plan(source, answered: [], order: sort.isEmpty ? .source : .terms(sort)),
      cost: Double(numbers.count) * PlanCost.record)
  }

  private func linkCandidates() -> [Candidate] {
    entity.feeds.compactMap { slot, links in
      guard let points = condition.slots[slot]?.points else { return nil }
      var owners: Set<ObjectReference> = []
      for value in points.values {
        // Rows without an owner are in no link tree.
        guard case .objectID(let objectID) = value else { return nil }
        if let owner = schema.references.reference(to: objectID) { owners.insert(owner) }
      }
      let order: QueryPlan.Order =
        !sort.isEmpty ? .terms(sort) : owners.count > 1 ? .number : .source
      let made = plan(
        owners.isEmpty ? .nothing : .links(links, owners.sorted()), answered: [points.node],
        order: order, uses: [(slot, .points(owners.count))])
      let count = PlanCost.matchCount([.points(owners.count)], isUnique: false)
      return Candidate(plan: made, cost: cost(made, count))
    }
  }

  private func indexCandidates(_ index: StoredIndex) -> [Candidate] {
    let match = IndexMatch(index, condition, sort: sort, schema.references)
    let bounds = match.uses.map(\.use).filter { $0 != .order }
    guard !bounds.isEmpty || match.order != nil else { return [] }
    let isUnique = index.isUnique && bounds.count == index.key.elements.count
    let count = PlanCost.matchCount(bounds, isUnique: isUnique)
    let source: QueryPlan.Source =
      match.ranges.isEmpty ? .nothing : .index(index, match.ranges)
    var candidates: [Candidate] = []
    if let order = match.order {
      let ordered = plan(
        source, answered: match.answered,
        order: order.isComplete
          ? .source
          : .index(
            elementCount: order.elementCount, isReversed: order.isReversed, groupTerms: sort),
        uses: match.uses)
      candidates.append(Candidate(plan: ordered, cost: cost(ordered, count)))
    }
    guard !bounds.isEmpty else { return candidates }
    let order: QueryPlan.Order =
      !sort.isEmpty ? .terms(sort) : purpose == .count || match.isByNumber ? .source : .number
    let sorted = plan(
      source, answered: match.answered, order: order, uses: match.uses.filter { $0.use != .order })
    candidates.append(Candidate(plan: sorted, cost: cost(sorted, count)))
    return candidates
  }

  /// Returns the cost of reading so many entries and what has to be done with them.
  private func cost(_ plan: QueryPlan, _ count: Double) -> Double {
    if case .nothing = plan.source { return 0 }
    var (entries, isSorted) = (count, false)
    switch plan.order {
    case .source, .index:
      // An ordered source is read only as far as the window reaches, further with a filter.
      if let reach {
        entries = min(count, reach * (plan.residual == nil ? 1 : PlanCost.filterLoss))
      }
    case .number: break
    case .terms: isSorted = true
    }
    let needsRecords = plan.residual != nil || purpose == .rows || isSorted
    return entries * PlanCost.entry + (needsRecords ? entries * PlanCost.record : 0)
      + (isSorted ? entries * PlanCost.sorting : 0)
  }
}

/// Costs in units of one record read by a scan, for a store of nominal size.
enum PlanCost {
  static let rowCount = 100_000.0
  /// One entry of an index.
  static let entry = 0.3
  /// One record found by its key.
  static let record = 4.0
  static let sorting = 3.0
  /// How many rows a filter lets one of pass.
  static let filterLoss = 10.0

  static func scan(isSorted: Bool, reach: Double?, hasCondition: Bool) -> Double {
    guard !isSorted else { return rowCount * (1 + (hasCondition ? sorting / filterLoss : sorting)) }
    guard let reach else { return rowCount }
    return min(rowCount, reach * (hasCondition ? filterLoss : 1))
  }

  /// Returns how many entries bounds leave over.
  static func matchCount(_ bounds: [IndexMatch.Use], isUnique: Bool) -> Double {
    var count = rowCount
    for bound in bounds {
      switch bound {
      case .points(let points): count *= min(1, Double(points) / 1_000)
      case .range(let isBounded): count /= isBounded ? 10 : 3
      case .prefix: count /= 50
      case .order: break
      }
    }
    guard isUnique else { return max(count, 1) }
    let points = bounds.map { if case .points(let points) = $0 { Double(points) } else { 1.0 } }
    return min(count, points.reduce(1, *))
  }
}

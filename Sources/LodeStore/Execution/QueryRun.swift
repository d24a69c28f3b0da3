internal import LodeKV
internal import LodeModel

/// Runs a plan on a snapshot: candidates are found, tested, ordered and cut to the query's window.
final class QueryRun {
  private let plan: QueryPlan
  private let limit: Int
  private let offset: Int
  private let schema: StoreSchema
  private let snapshot: any KeyValueSnapshot
  private let context: RowContext
  private let reader: CandidateReader
  private let test: RowTest?

  init(
    _ plan: QueryPlan, _ query: StoreQuery, _ schema: StoreSchema,
    _ snapshot: any KeyValueSnapshot
  ) {
    self.plan = plan
    limit = query.limit <= 0 ? .max : query.limit
    offset = max(query.offset, 0)
    self.schema = schema
    self.snapshot = snapshot
    context = RowContext(schema, snapshot)
    reader = CandidateReader(plan, schema, snapshot)
    test = plan.residual.map { RowTest($0, plan.entity.layout) }
  }

  /// How many of the first matches the window reaches to.
  private var reach: Int {
    let (sum, overflows) = offset.addingReportingOverflow(limit)
    return overflows ? .max : sum
  }

  /// Returns the rows of the query's window, each with a copy of its record.
  func rows() throws -> [ObjectRow] {
    let window = try window()
    var rows: [ObjectRow] = []
    rows.reserveCapacity(window.count)
    for candidate in window {
      let view = try reader.view(of: candidate)
      rows.append(
        ObjectRow(
          objectID: try schema.references.objectID(of: candidate.reference),
          version: view.version, record: try Record(copying: view)))
    }
    return rows
  }

  /// Returns the IDs of the query's window.
  func objectIDs() throws -> [ManagedObjectID] {
    try window().map { try schema.references.objectID(of: $0.reference) }
  }

  /// Returns the count of the query's window.
  func count() throws -> Int {
    let matches = try countedRows() ?? countedEntries() ?? countMatches()
    return max(0, min(matches, reach) - offset)
  }

  private func countMatches() throws -> Int {
    var count = 0
    try forEachMatch { _ in
      count += 1
      return count < reach
    }
    return count
  }

  /// Returns the count of all rows of the plan's entities when nothing else is asked for.
  private func countedRows() throws -> Int? {
    guard plan.residual == nil, case .scan = plan.source else { return nil }
    return Int(
      try plan.entityNumbers.reduce(0) { try $0 + snapshot.counters(ofEntity: $1).rowCount })
  }

  /// Returns the count of index entries when each is a match.
  private func countedEntries() throws -> Int? {
    guard test == nil, case .index(let index, let ranges) = plan.source,
      index.entity.selfAndDescendants.allSatisfy({
        schema.entity($0).map { reader.means($0.number) } ?? false
      })
    else { return nil }
    return try IndexScan(index, ranges, snapshot).count(upTo: reach)
  }

  // MARK: The window

  private func window() throws -> ArraySlice<Candidate> {
    guard reach > 0 else { return [] }
    if case .terms(let terms) = plan.order { return try sortedMatches(terms).dropFirst(offset) }
    var matches: [Candidate] = []
    var passedOver = 0
    try forEachMatch { match in
      guard passedOver == offset else {
        passedOver += 1
        return true
      }
      matches.append(match)
      return matches.count < limit
    }
    return matches[...]
  }

  private func sortedMatches(_ terms: [BoundSortTerm]) throws -> [Candidate] {
    var buffer = SortBuffer(countMax: reach)
    var keys = SortKeyMaker(terms, context)
    try forEachMatch { match in
      let view = try reader.view(of: match)
      try keys.withKey(match.reference, view) { key in
        buffer.add(key, Candidate(reference: match.reference, view: view))
      }
      return true
    }
    return buffer.sorted()
  }

  // MARK: Matches

  /// Calls a closure with each match until it returns false; in the plan's order, unless that is one of
  /// terms.
  private func forEachMatch(_ body: (Candidate) throws -> Bool) throws {
    switch plan.order {
    case .source, .terms:
      try reader.forEach { candidate in
        guard let match = try tested(candidate) else { return true }
        return try body(match)
      }
    case .number: try forEachMatchByNumber(body)
    case .index(let elementCount, let isReversed, let terms):
      try forEachMatchInGroups(elementCount, isReversed, terms, body)
    }
  }

  /// Sorts before it tests: records are then read in their own order.
  private func forEachMatchByNumber(_ body: (Candidate) throws -> Bool) throws {
    var references: [ObjectReference] = []
    try reader.forEach { candidate in
      references.append(candidate.reference)
      return true
    }
    references.sort()
    _ = try pass(references, body)
  }

  private func forEachMatchInGroups(
    _ elementCount: Int, _ isReversed: Bool, _ terms: [BoundSortTerm],
    _ body: (Candidate) throws -> Bool
  ) throws {
    guard case .index(let index, let ranges) = plan.source else { return }
    var group = EntryGroup()
    var isGoingOn = true
    let scan = IndexScan(index, ranges, snapshot, groupedBy: elementCount)
    try scan.forEachEntry(backwards: isReversed) { entry in
      guard reader.means(entry.reference.entityNumber) else { return true }
      if !group.holds(entry) {
        isGoingOn = try pass(&group, terms, body)
        group.removeAll()
      }
      group.add(entry)
      return isGoingOn
    }
    if isGoingOn { _ = try pass(&group, terms, body) }
  }

  private func pass(
    _ group: inout EntryGroup, _ terms: [BoundSortTerm], _ body: (Candidate) throws -> Bool
  ) throws -> Bool {
    guard group.isCut, group.references.count > 1 else {
      return try pass(group.sorted(), body)
    }
    var buffer = SortBuffer(countMax: .max)
    var keys = SortKeyMaker(terms, context)
    for reference in group.references {
      let view = try reader.view(of: Candidate(reference: reference, view: nil))
      try keys.withKey(reference, view) {
        buffer.add($0, Candidate(reference: reference, view: view))
      }
    }
    for candidate in buffer.sorted() {
      guard let match = try tested(candidate) else { continue }
      guard try body(match) else { return false }
    }
    return true
  }

  private func pass(
    _ references: [ObjectReference], _ body: (Candidate) throws -> Bool
  ) throws -> Bool {
    for reference in references {
      guard let match = try tested(Candidate(reference: reference, view: nil)) else { continue }
      guard try body(match) else { return false }
    }
    return true
  }

  /// Returns a candidate when it satisfies what the source hasn't answered.
  private func tested(_ candidate: Candidate) throws -> Candidate? {
    guard let test else { return candidate }
    let view = try reader.view(of: candidate)
    let holds = try test.holds(view, number: candidate.reference.number, context)
    return holds ? Candidate(reference: candidate.reference, view: view) : nil
  }
}

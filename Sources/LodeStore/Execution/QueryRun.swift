internal import LodeKV
internal import LodeModel

/// A row that a query has found; valid as long as the query's snapshot.
struct MatchedRow {
  let reference: ObjectReference
  /// nil where the plan found the row without its record and nobody asked for it.
  let view: RecordView?
}

/// Runs a plan on a snapshot.
struct QueryRun {
  private let plan: QueryPlan
  private let limit: Int
  private let offset: Int
  private let schema: StoreSchema
  private let snapshot: any KeyValueSnapshot
  private let context: RowContext

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
  }

  /// How many of the first matches the window reaches to.
  private var reach: Int {
    let (sum, overflows) = offset.addingReportingOverflow(limit)
    return overflows ? .max : sum
  }

  /// Returns the rows of the query's window, each with a copy of its record.
  func rows() throws -> [ObjectRow] {
    try window(needsRecords: true).map { row in
      guard let view = row.view else {
        throw RecordError.malformed(reason: "an index entry without a row")
      }
      let objectID = try schema.references.objectID(of: row.reference)
      return ObjectRow(
        objectID: objectID, version: view.version, record: Record(copying: view))
    }
  }

  func objectIDs() throws -> [ManagedObjectID] {
    try window(needsRecords: false).map { try schema.references.objectID(of: $0.reference) }
  }

  func count() throws -> Int {
    let matches = try countedRows() ?? countMatches()
    return max(0, min(matches, reach) - offset)
  }

  private func countMatches() throws -> Int {
    var count = 0
    try forEachMatch(needsRecords: false) { _ in
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

  // MARK: The window

  private func window(needsRecords: Bool) throws -> ArraySlice<MatchedRow> {
    var rows: [MatchedRow] = []
    if plan.sort.isEmpty {
      try forEachMatch(needsRecords: needsRecords) { row in
        rows.append(row)
        return rows.count < reach
      }
    } else {
      rows = try sortedMatches()
    }
    return rows.dropFirst(offset)
  }

  private func sortedMatches() throws -> [MatchedRow] {
    var buffer = SortBuffer(countMax: reach)
    var key = OrderedKey()
    try forEachMatch(needsRecords: true) { row in
      guard let view = row.view else { return true }
      key.removeAll()
      for term in plan.sort { try append(term, row, view, to: &key) }
      key.append(number: row.reference.number)
      buffer.add(key.bytes, row)
      return true
    }
    return buffer.sorted()
  }

  private func append(
    _ term: BoundSortTerm, _ row: MatchedRow, _ view: RecordView, to key: inout OrderedKey
  ) throws {
    if let slot = term.plainSlot {
      return try key.append(
        view, slot: slot, isAscending: term.isAscending, textBudget: OrderedKey.unlimited,
        tails: context.tails)
    }
    let value = try term.value(
      on: RowSource(context: context, number: row.reference.number, view: view))
    let kind = term.path.attributeType.map { RecordLayout.Kind($0) } ?? .reference
    let isAppended = key.append(
      value, as: kind, isAscending: term.isAscending, textBudget: OrderedKey.unlimited,
      references: schema.references)
    guard isAppended else { throw RecordError.malformed(reason: "a sort key of another kind") }
  }

  // MARK: Matches

  /// Calls a closure with each match, until it returns false.
  private func forEachMatch(
    needsRecords: Bool, _ body: (MatchedRow) throws -> Bool
  ) throws {
    guard reach > 0 else { return }
    switch plan.source {
    case .nothing: return
    case .scan: try scan(body)
    }
  }

  private func scan(_ body: (MatchedRow) throws -> Bool) throws {
    let cursor = try snapshot.cursor(in: plan.entity.recordTree)
    var isPresent = try cursor.first()
    while isPresent {
      if let row = try match(try ObjectKey(cursor.key).number, cursor.value) {
        guard try body(row) else { return }
      }
      isPresent = try cursor.next()
    }
  }

  /// Returns the row of a record when it is of the plan's entities and satisfies what is still to be tested.
  private func match(_ number: UInt64, _ bytes: UnsafeRawBufferPointer) throws -> MatchedRow? {
    guard let entityNumber = RecordView.entityNumber(of: bytes) else {
      throw RecordError.malformed(reason: "a record cut short")
    }
    guard plan.entityNumbers.contains(entityNumber) else { return nil }
    let view = try schema.view(bytes)
    if let residual = plan.residual {
      let source = RowSource(context: context, number: number, view: view)
      guard try residual.evaluate(on: source) else { return nil }
    }
    return MatchedRow(
      reference: ObjectReference(number: number, entityNumber: entityNumber), view: view)
  }
}

extension BoundSortTerm {
  /// The slot of a term that sorts by a property of the row itself, unfolded.
  var plainSlot: Int? {
    guard options.isEmpty, path.properties.count == 1, path.elementNames.isEmpty else { return nil }
    return path.properties[0].slot
  }
}

internal import LodeKV
internal import LodeModel

/// Compares everything that a snapshot of a store holds with everything else that it must agree with.
///
/// Nothing is written. Rows are looked up rather than remembered, so that memory doesn't grow with the
/// store, but for two bits a row of one inheritance tree.
struct StoreCheck {
  let schema: StoreSchema
  let snapshot: any KeyValueSnapshot
  let notes: CheckNotes

  init(_ schema: StoreSchema, _ snapshot: any KeyValueSnapshot, _ notes: CheckNotes) {
    self.schema = schema
    self.snapshot = snapshot
    self.notes = notes
  }

  /// Runs all checks.
  ///
  /// - Complexity: all rows, with all values decoded, and one look-up for each index entry, link and
  ///   reference.
  /// - Throws: `EngineError` when the engine can't be read at all.
  func run() throws {
    try checkCatalogue()
    var records = RecordCheck(self)
    try records.run()
    try records.compareCounters()
    for entity in schema.entities {
      for index in entity.indexes where index.entity == entity.entity {
        var check = IndexCheck(self, index, rowCount: records.rowCount(under: index.entity))
        try check.run()
      }
      for links in entity.links.values.sorted(by: { $0.tree < $1.tree })
      where links.entity == entity.entity {
        try LinkCheck(self, links).run()
      }
    }
  }

  // MARK: The catalogue

  private func checkCatalogue() throws {
    guard let catalogue = try Catalogue(snapshot) else { return }
    for (entityNumber, dictionaries) in catalogue.dictionaries.sorted(by: { $0.key < $1.key }) {
      for (number, bytes) in dictionaries where !isDictionary(number, bytes) {
        let name = schema.entity(number: entityNumber)?.entity.name ?? "entity \(entityNumber)"
        notes.add(
          StoreFault(
            .catalogue,
            "compression dictionary \(number) is damaged: rows that need it can't be read",
            place: name))
      }
    }
    try noteUnreadable("the object counter") { _ = try snapshot.nextObjectNumber() }
    let known = Set(catalogue.trees.map(\.number))
    for number in 2..<max(2, catalogue.store.nextTree) where !known.contains(number) {
      let count = try snapshot.count(of: TreeID(number))
      guard count > 0 else { continue }
      notes.add(
        StoreFault(.catalogue, "tree \(number) is nobody's and holds \(count) entries"))
    }
  }

  private func isDictionary(_ number: UInt16, _ bytes: [UInt8]?) -> Bool {
    guard let bytes else { return false }
    return (try? TailDictionary(number: number, bytes)) != nil
  }

  private func noteUnreadable(_ subject: String, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch is RecordError {
      notes.add(StoreFault(.catalogue, "\(subject) is damaged"))
    }
  }

  // MARK: For all checks

  /// Returns the row that a reference leads to; nil when there is none or it is damaged, which the check of
  /// records has noted.
  func row(_ reference: ObjectReference) throws -> RecordView? {
    guard let entity = schema.entity(number: reference.entityNumber) else { return nil }
    do {
      return try snapshot.record(of: reference.number, entity, schema)
    } catch is RecordError {
      return nil
    }
  }

  /// Tells whether a reference leads to a row of its entity, or to a damaged one.
  func hasRecord(_ reference: ObjectReference) throws -> Bool {
    guard let entity = schema.entity(number: reference.entityNumber),
      let value = try snapshot.value(ofObject: reference.number, in: entity.recordTree)
    else { return false }
    let view = try? schema.view(value, of: reference.number, in: entity.recordTree)
    return view.map { $0.layout.entityNumber == entity.number } ?? true
  }

  /// Returns the object that a reference names; nil for one of no known entity.
  func objectID(_ reference: ObjectReference) -> ManagedObjectID? {
    try? schema.references.objectID(of: reference)
  }
}

/// Gathers what a check finds.
final class CheckNotes {
  private(set) var report = StoreCheckReport()
  private let faultCountMax: Int

  init(faultCountMax: Int) { self.faultCountMax = faultCountMax }

  func add(_ fault: StoreFault) {
    report.faultCount += 1
    if report.faults.count < faultCountMax { report.faults.append(fault) }
  }

  func countRow() { report.rowCount += 1 }
  func countIndexEntry() { report.indexEntryCount += 1 }
  func countLink() { report.linkCount += 1 }
  func count(pages: Int) { report.pageCount += pages }
}

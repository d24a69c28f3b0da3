internal import LodeKV
internal import LodeModel

/// Carries out prepared changes on the state that a commit finds: compares versions, makes the writes.
///
/// Pure: an engine may run it more than once, and only the last run counts.
struct CommitRun {
  private let changes: PreparedChanges
  private let snapshot: any KeyValueSnapshot
  private var writes = WriteSet()
  private var indexWriter = IndexWriter()
  private var encoder = RecordEncoder()
  private var counters: [UInt16: EntityCounters] = [:]
  private var conflicts: [Conflict] = []
  /// The new records of updated rows, in the order of the change set.
  private(set) var updatedRecords: [Record] = []
  /// The counters of the entities that the commit changes, as they are after it.
  private(set) var newCounters: [UInt16: EntityCounters] = [:]

  init(_ changes: PreparedChanges, _ snapshot: any KeyValueSnapshot) {
    self.changes = changes
    self.snapshot = snapshot
  }

  /// Makes the write list.
  ///
  /// - Throws: `StoreError` with code `conflict`, `constraint` or `invalidValue`; `RecordError` and
  ///   `EngineError` when the store can't be read.
  mutating func writeList() throws -> WriteList {
    for update in changes.updates { try write(update) }
    for delete in changes.deletes { try write(delete) }
    try writeInserts()
    var references = ReferenceCheck(changes, snapshot)
    conflicts += try references.conflicts()
    if conflicts.isEmpty, changes.schema.hasCheckedInverses {
      var inverses = InverseCheck(changes, snapshot)
      conflicts += try inverses.run()
    }
    guard conflicts.isEmpty else { throw Self.conflict(conflicts) }
    var links = LinkWriter(changes, snapshot)
    try links.write(to: &writes)
    try writeCounters()
    for (number, dictionary) in changes.dictionaries {
      let key = CatalogueKey.dictionary(ofEntity: number, dictionary.number)
      writes[CatalogueKey.tree].put(key, SealedValue.seal(dictionary.content.bytes, of: key))
    }
    writes.sort()
    try checkConstraints()
    return writes.list
  }

  private static func conflict(_ conflicts: [Conflict]) -> StoreError {
    var error = StoreError(
      .conflict, conflicts.map(\.description).joined(separator: "\n"),
      objectIDs: conflicts.map(\.objectID))
    error.conflicts = conflicts
    return error
  }

  // MARK: Rows

  /// Returns the row that a change was based on; nil, after noting a conflict, when it is another.
  private mutating func base(
    _ objectID: ManagedObjectID, _ entity: StoredEntity, _ version: UInt32
  ) throws -> RecordView? {
    guard let record = try snapshot.record(of: objectID.number, entity, changes.schema) else {
      conflicts.append(Conflict(objectID, .deleted))
      return nil
    }
    guard record.version == version else {
      conflicts.append(Conflict(objectID, .changed(properties: [])))
      return nil
    }
    return record
  }

  private mutating func write(_ update: PreparedChanges.Update) throws {
    guard let old = try base(update.objectID, update.entity, update.baseVersion) else { return }
    let version = update.baseVersion == .max ? 1 : update.baseVersion + 1
    let record: Record
    do throws(RecordError) {
      record = try encoder.record(update.values, to: old, version: version)
    } catch {
      throw StoreError(error, objectIDs: [update.objectID])
    }
    updatedRecords.append(record)
    try record.withView { try replace(update.objectID, update.entity, old, $0) }
  }

  private mutating func write(_ delete: PreparedChanges.Delete) throws {
    guard let old = try base(delete.objectID, delete.entity, delete.baseVersion) else { return }
    try replace(delete.objectID, delete.entity, old, nil)
  }

  private mutating func writeInserts() throws {
    guard !changes.inserts.isEmpty else { return }
    let end = try snapshot.nextObjectNumber()
    for insert in changes.inserts {
      guard insert.objectID.number < end else {
        throw StoreError(
          .invalidValue, "object number \(insert.objectID.number) has not been reserved",
          objectIDs: [insert.objectID])
      }
      guard try !hasRow(insert) else {
        conflicts.append(Conflict(insert.objectID, .inserted))
        continue
      }
      try insert.record.withView { try replace(insert.objectID, insert.entity, nil, $0) }
    }
  }

  private func hasRow(_ insert: PreparedChanges.Insert) throws -> Bool {
    try snapshot.value(ofObject: insert.objectID.number, in: insert.entity.recordTree) != nil
  }

  /// Writes a row, its index entries and what its counters gain or lose.
  private mutating func replace(
    _ objectID: ManagedObjectID, _ entity: StoredEntity, _ old: RecordView?, _ new: RecordView?
  ) throws {
    ObjectKey(objectID.number).withBytes { key in
      if let new {
        writes[entity.recordTree].put(key, new.bytes)
      } else {
        writes[entity.recordTree].delete(key)
      }
    }
    let reference = ObjectReference(number: objectID.number, entityNumber: entity.number)
    try indexWriter.write(reference, of: entity, from: old, to: new, into: &writes)
    if let old { counters[entity.number, default: EntityCounters()].remove(old) }
    if let new { counters[entity.number, default: EntityCounters()].add(new) }
  }

  private mutating func writeCounters() throws {
    for (number, change) in counters where change != EntityCounters() {
      var sum = try snapshot.counters(ofEntity: number)
      sum += change
      newCounters[number] = sum
      let key = CatalogueKey.counters(ofEntity: number)
      writes[CatalogueKey.tree].put(key, SealedValue.seal(sum.bytes, of: key))
    }
  }

  // MARK: Constraints

  private func checkConstraints() throws {
    var check = ConstraintCheck(changes.schema, snapshot, newRecord: newRecord)
    try check.check(writes)
  }

  /// Finds an object's new record; a linear search, for the rare collisions alone.
  private func newRecord(_ number: UInt64) -> Record? {
    if let insert = changes.inserts.first(where: { $0.objectID.number == number }) {
      return insert.record
    }
    return zip(changes.updates, updatedRecords).first { $0.0.objectID.number == number }?.1
  }
}

extension EntityCounters {
  fileprivate mutating func add(_ record: RecordView) {
    rowCount += 1
    rawByteCount += Int64(record.rawByteCount)
    storedByteCount += Int64(record.bytes.count)
  }

  fileprivate mutating func remove(_ record: RecordView) {
    rowCount -= 1
    rawByteCount -= Int64(record.rawByteCount)
    storedByteCount -= Int64(record.bytes.count)
  }
}

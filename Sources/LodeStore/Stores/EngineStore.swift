public import Foundation
package import LodeKV
public import LodeModel
internal import Synchronization

/// A store over an engine: every kind that comes with Lode is this one with another engine below.
///
/// May be used from any thread. Reads run on a snapshot each and never wait for a commit; commits come
/// one after the other, and concurrent ones share a sync.
public final class EngineStore: PersistentStore {
  /// The kind of engine below.
  public let type: StoreType
  /// The folder with the engine's files; nil for memory.
  public let url: URL?
  /// What the store is kept in; belongs to the store.
  package let engine: any KeyValueEngine
  let schema: StoreSchema
  private let numbers = NumberBlocks()
  let trainer: DictionaryTrainer

  /// The UUID that the catalogue holds.
  public var identifier: StoreIdentifier { schema.references.store }
  /// The model that the store was opened with.
  public var model: ManagedObjectModel { schema.model }

  /// Opens the store that an engine holds, or makes one in an empty engine.
  ///
  /// Indexes and constraints that the model has gained are built, those it has lost are removed.
  ///
  /// - Parameters:
  ///   - engine: belongs to the store from now on, and is closed when opening fails.
  ///   - url: where the engine's files are; nil for memory.
  /// - Throws: `StoreError` with code `incompatibleModel`, `notAStore`, `newerFormat`, `constraint` or
  ///   `corrupt`; the engine's contents are unchanged then.
  package init(
    engine: any KeyValueEngine, type: StoreType, url: URL?, model: ManagedObjectModel,
    options: StoreOptions = StoreOptions()
  ) throws(StoreError) {
    self.engine = engine
    self.type = type
    self.url = url
    do {
      let schema = try StoreOpening(engine, model, options).run()
      self.schema = schema
      trainer = DictionaryTrainer(engine, schema)
    } catch {
      // The failure to open is what the caller must hear of, not one of closing after it.
      try? engine.close()
      throw StoreError(wrapping: error, path: url?.path)
    }
  }

  // MARK: Reading

  /// Returns the rows that a query asks for, each with a copy of its record.
  public func rows(_ query: StoreQuery) throws(StoreError) -> [ObjectRow] {
    try run(query, for: .rows) { try $0.rows() }
  }

  /// Returns the IDs of the rows that a query asks for.
  public func objectIDs(_ query: StoreQuery) throws(StoreError) -> [ManagedObjectID] {
    try run(query, for: .objectIDs) { try $0.objectIDs() }
  }

  /// Returns how many rows a query asks for; O(1) for all rows of an entity.
  public func count(_ query: StoreQuery) throws(StoreError) -> Int {
    try run(query, for: .count) { try $0.count() }
  }

  /// Returns the text of a query's plan: the source of candidates, then what is done with them.
  public func explain(_ query: StoreQuery) throws(StoreError) -> String {
    "\(try QueryPlanner(schema).plan(query))"
  }

  private func run<Result>(
    _ query: StoreQuery, for purpose: PlanPurpose, _ body: (QueryRun) throws -> Result
  ) throws(StoreError) -> Result {
    let plan = try QueryPlanner(schema).plan(query, for: purpose)
    return try read { try body(QueryRun(plan, query, schema, $0)) }
  }

  /// Returns the rows of IDs by one look-up each; nil for IDs of other stores as well.
  public func rows(for objectIDs: [ManagedObjectID]) throws(StoreError) -> [ObjectRow?] {
    try read { snapshot in
      try objectIDs.map { objectID in
        guard let entity = schema.entity(of: objectID),
          let view = try snapshot.record(of: objectID.number, entity, schema)
        else { return nil }
        return ObjectRow(
          objectID: objectID, version: view.version, record: try Record(copying: view))
      }
    }
  }

  /// Returns the members of a to-many relationship, in its order or by object number.
  public func members(
    of relationship: Property, owner: ManagedObjectID
  ) throws(StoreError) -> [ManagedObjectID] {
    guard let entity = schema.entity(of: owner), let links = entity.links[relationship.slot],
      let reference = schema.references.reference(to: owner)
    else {
      throw StoreError(
        .invalidValue,
        "“\(relationship.name)” is no to-many relationship of “\(owner.entityName.string)”",
        objectIDs: [owner])
    }
    return try read { snapshot in
      try snapshot.members(of: reference, through: links, schema: schema)
        .map { try schema.references.objectID(of: $0) }
    }
  }

  /// Returns the counters of the catalogue and the figures of the engine.
  public func statistics() throws(StoreError) -> StoreStatistics {
    var statistics = StoreStatistics()
    try read { snapshot in
      for entity in schema.entities {
        let counters = try snapshot.counters(ofEntity: entity.number)
        guard counters.rowCount > 0 else { continue }
        statistics.rowCounts[entity.entity.name] = Int(counters.rowCount)
        statistics.rawByteCount += UInt64(clamping: counters.rawByteCount)
        statistics.storedByteCount += UInt64(clamping: counters.storedByteCount)
      }
      statistics.add(try engine.statistics())
    }
    return statistics
  }

  private func read<Result>(
    _ body: (any KeyValueSnapshot) throws -> Result
  ) throws(StoreError) -> Result {
    do {
      return try engine.read(body)
    } catch {
      throw StoreError(wrapping: error, path: url?.path)
    }
  }

  // MARK: Writing

  /// Gives out object numbers from a reserved block; commits a new block when it is used up.
  public func reserveObjectNumbers(count: Int) throws(StoreError) -> Range<UInt64> {
    precondition(count >= 0, "a count of numbers to reserve is 0 or more, not \(count)")
    return try numbers.take(UInt64(count)) { blockCount throws(StoreError) in
      try reserveBlock(blockCount)
    }
  }

  private func reserveBlock(_ count: UInt64) throws(StoreError) -> Range<UInt64> {
    let block = Box<Range<UInt64>>(0..<0)
    try commit { snapshot in
      let first = try snapshot.nextObjectNumber()
      let (end, overflows) = first.addingReportingOverflow(count)
      guard !overflows, end <= ManagedObjectID.numberMax + 1 else {
        throw StoreError(.full, "the store has no object numbers left")
      }
      block.value = first..<end
      return WriteList(objectNumber: end)
    }
    return block.value
  }

  /// Carries out a change set as one commit of the engine; an empty one writes nothing.
  public func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt {
    let prepared = try PreparedChanges(changes, schema: schema)
    let outcome = Box<CommitOutcome>(CommitOutcome())
    let durability = changes.durability.map { CommitDurability($0) }
    let sequence = try commit(durability) { snapshot in
      var run = CommitRun(prepared, snapshot)
      let list = try run.writeList()
      outcome.value = CommitOutcome(records: run.updatedRecords, counters: run.newCounters)
      return list
    }
    for (number, dictionary) in prepared.dictionaries {
      schema.entity(number: number)?.layout.tails.use(dictionary)
    }
    let (records, counters) = (outcome.value.records, outcome.value.counters)
    trainer.learn(after: counters)
    let updates = zip(prepared.updates, records).map { update, record in
      ObjectRow(objectID: update.objectID, version: record.version, record: record)
    }
    let inserts = prepared.inserts.map {
      ObjectRow(objectID: $0.objectID, version: $0.record.version, record: $0.record)
    }
    return CommitReceipt(sequence: sequence, rows: inserts + updates)
  }

  @discardableResult
  private func commit(
    _ durability: CommitDurability? = nil,
    _ prepare: @escaping @Sendable (any KeyValueSnapshot) throws -> WriteList
  ) throws(StoreError) -> UInt64 {
    do {
      return try engine.commit(durability: durability, prepare)
    } catch {
      throw StoreError(wrapping: error, path: url?.path)
    }
  }

  /// Closes the engine; calls after it throw `StoreError` with code `closed`.
  public func close() throws(StoreError) {
    do {
      try engine.close()
    } catch {
      throw StoreError(wrapping: error, path: url?.path)
    }
  }
}

/// What a run of a commit leaves behind besides its write list.
private struct CommitOutcome: Sendable {
  var records: [Record] = []
  var counters: [UInt16: EntityCounters] = [:]
}

/// Takes a result out of a closure that may run on another thread, and more than once.
private final class Box<Value: Sendable>: Sendable {
  private let content: Mutex<Value>

  init(_ value: Value) { content = Mutex(value) }

  var value: Value {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}

extension StoreStatistics {
  fileprivate mutating func add(_ engine: EngineStatistics) {
    journalFrameCount = engine.journalFrameCount
    journalSyncCount = engine.journalSyncCount
    dataFileByteCount = engine.dataFileByteCount
    journalFileByteCount = engine.journalFileByteCount
    lastSequence = engine.lastSequence
    durableSequence = engine.durableSequence
  }
}

extension WriteList {
  /// Adds a put of arrays.
  mutating func put(_ key: [UInt8], _ value: [UInt8], in tree: TreeID) {
    key.withUnsafeBytes { key in value.withUnsafeBytes { put(key, $0, in: tree) } }
  }

  fileprivate init(objectNumber: UInt64) {
    self.init()
    var bytes: [UInt8] = []
    bytes.appendInteger(objectNumber)
    let key = CatalogueKey.objectNumber
    put(key, SealedValue.seal(bytes, of: key), in: CatalogueKey.tree)
  }
}

// An LMDB environment: one file, one named database per tree, commits that are not synced. What
// makes them durable is the journal (docs/journal.md).

internal import CLMDB
internal import Foundation
internal import Glibc

/// An open data file.
///
/// Unchecked because LMDB's environment may be used by all threads; the table of handles and the
/// map size change under the gate's lock only.
final class LMDBEnvironment: @unchecked Sendable {
  struct Options: Sendable {
    var mapByteCount: UInt64
    var mapByteCountMax: UInt64
    var readerCountMax: UInt32
    var treeCountMax: UInt32
    /// Whether other processes may change the file.
    var isShared = false
    /// Whether this process only reads the file; unless it is shared, without LMDB's table of
    /// readers: nobody may write it meanwhile.
    var isReadOnly = false
    /// How long growth waits for readers.
    var growthWait: TimeInterval = 10
  }

  /// The data file, for what is done beside LMDB.
  let file: any File
  /// The store's folder.
  let folder: String
  let options: Options
  let handle: OpaquePointer
  /// Places in LMDB's table of readers for the pins of the last two checkpoints.
  private static let pinCountMax: UInt32 = 2
  private let gate = ReaderGate<OpaquePointer>()
  private var trees: [UInt32: MDB_dbi] = [:]
  /// Pairs of the main database when `trees` were opened; more are trees of another process.
  private var nameCount = 0
  private(set) var mapByteCount: UInt64

  /// Opens LMDB on a file, which may be empty, and every tree in it.
  ///
  /// - Throws: `EngineError.addressSpace` when the file can't be mapped, and what LMDB refuses.
  init(_ file: any File, in folder: String, options: Options) throws(EngineError) {
    var created: OpaquePointer?
    let code = mdb_env_create(&created)
    guard code == MDB_SUCCESS, let created else {
      throw EngineError(lmdb: code, path: file.path, mapByteCount: 0)
    }
    self.file = file
    self.folder = folder
    self.options = options
    handle = created
    mapByteCount = min(options.mapByteCount, options.mapByteCountMax)
    do throws(EngineError) {
      try open()
      try openTrees()
    } catch {
      mdb_env_close(created)
      throw error
    }
  }

  var path: String { file.path }

  private func open() throws(EngineError) {
    try check(mdb_env_set_mapsize(handle, Int(clamping: mapByteCount)))
    try check(mdb_env_set_maxreaders(handle, options.readerCountMax + Self.pinCountMax))
    try check(mdb_env_set_maxdbs(handle, options.treeCountMax))
    var flags = MDB_NOSUBDIR | MDB_NOTLS | MDB_NOSYNC | MDB_NORDAHEAD
    if options.isReadOnly { flags |= MDB_RDONLY | (options.isShared ? 0 : MDB_NOLOCK) }
    let code = mdb_env_open(handle, path, UInt32(flags), 0o644)
    if code == ENOMEM { throw .addressSpace(path: folder, byteCount: mapByteCount) }
    try check(code)
    try check(mdb_reader_check(handle, nil))
    var info = MDB_envinfo()
    try check(mdb_env_info(handle, &info))
    mapByteCount = UInt64(info.me_mapsize)
  }

  /// Waits for the readers inside and closes the file; nothing of it may be used afterwards.
  func close() {
    for transaction in gate.close() { mdb_txn_abort(transaction) }
    mdb_env_close(handle)
  }

  func error(_ code: Int32) -> EngineError {
    EngineError(lmdb: code, path: path, mapByteCount: mapByteCount)
  }

  func check(_ code: Int32) throws(EngineError) {
    if code != MDB_SUCCESS { throw error(code) }
  }
}

// MARK: Reading

extension LMDBEnvironment {
  /// Runs a closure on a snapshot of the last commit.
  func read<Result>(_ body: (LMDBSnapshot) throws -> Result) throws -> Result {
    let (transaction, handles) = try enter()
    let snapshot = LMDBSnapshot(transaction, handles: handles, environment: self)
    defer {
      snapshot.finish()
      mdb_txn_reset(transaction)
      gate.leave(transaction)
    }
    return try body(snapshot)
  }

  private func enter() throws(EngineError) -> (OpaquePointer, [UInt32: MDB_dbi]) {
    var handles: [UInt32: MDB_dbi] = [:]
    let entered = try withPresentMap { () throws(EngineError) in
      try gate.enter { idle, activeCount throws(EngineError) in
        guard activeCount < options.readerCountMax else { throw error(MDB_READERS_FULL) }
        let transaction = try begin(idle)
        handles = trees
        return transaction
      }
    }
    guard let entered else { throw .closed(path: folder) }
    return (entered, handles)
  }

  /// Makes a read transaction see the last commit, and all trees of it that other processes made.
  private func begin(_ idle: OpaquePointer?) throws(EngineError) -> OpaquePointer {
    var transaction = try renew(idle)
    while options.isShared, try countNames(transaction) > nameCount {
      mdb_txn_abort(transaction)
      try openTrees()
      transaction = try renew(nil)
    }
    return transaction
  }

  /// Reads a value of the engine's own.
  func engineValue(of key: StaticString) throws(EngineError) -> [UInt8]? {
    do {
      return try read { try $0.value(of: key.bytes, in: .engine).map { Array($0) } }
    } catch let error as EngineError {
      throw error
    } catch {
      preconditionFailure("a snapshot throws the engine's errors only")
    }
  }

  /// Begins a read transaction outside the pool, which keeps the pages of the last commit from
  /// being reused until it is ended with `mdb_txn_abort`.
  func pin() throws(EngineError) -> LMDBPin {
    let transaction = try withPresentMap { () throws(EngineError) in
      try gate.withLock { () throws(EngineError) in try renew(nil) }
    }
    return LMDBPin(transaction)
  }

  private func renew(_ idle: OpaquePointer?) throws(EngineError) -> OpaquePointer {
    if let idle {
      let code = mdb_txn_renew(idle)
      if code == MDB_SUCCESS { return idle }
      mdb_txn_abort(idle)
      throw error(code)
    }
    var transaction: OpaquePointer?
    var code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    if code == MDB_READERS_FULL {
      // Processes that died may still occupy places.
      try check(mdb_reader_check(handle, nil))
      code = mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &transaction)
    }
    guard code == MDB_SUCCESS, let transaction else { throw error(code) }
    return transaction
  }
}

/// A read transaction that does nothing but keep its snapshot's pages.
///
/// Unchecked because without thread-local storage (`MDB_NOTLS`) a read transaction may be ended by
/// any thread, and this one is only ever ended.
final class LMDBPin: @unchecked Sendable {
  /// Number of the LMDB transaction that made the snapshot.
  let transactionID: UInt64
  private let transaction: OpaquePointer

  fileprivate init(_ transaction: OpaquePointer) {
    self.transaction = transaction
    transactionID = UInt64(mdb_txn_id(transaction))
  }

  /// Lets go of the pages; the environment must still be open, and nothing follows.
  func release() { mdb_txn_abort(transaction) }
}

// MARK: Writing

extension LMDBEnvironment {
  /// Begins the one write transaction, which must end on this thread.
  func write() throws(EngineError) -> LMDBWriteTransaction {
    let transaction = try withPresentMap { () throws(EngineError) in
      var transaction: OpaquePointer?
      try check(mdb_txn_begin(handle, nil, 0, &transaction))
      return transaction
    }
    guard let transaction else { throw error(EINVAL) }
    return LMDBWriteTransaction(transaction, trees: trees, environment: self)
  }

  /// Commits a write transaction; readers see it from then on.
  ///
  /// New trees become known in the same instant as the commit becomes visible, since a reader
  /// that saw the one without the other would miss pairs.
  func commit(
    _ transaction: OpaquePointer, trees newTrees: [UInt32: MDB_dbi]
  ) throws(EngineError) {
    guard newTrees.count != trees.count else { return try check(mdb_txn_commit(transaction)) }
    try gate.withLock { () throws(EngineError) in
      try check(mdb_txn_commit(transaction))
      nameCount += newTrees.count - trees.count
      trees = newTrees
    }
  }

  /// Doubles the map once the readers inside have left.
  ///
  /// - Throws: `EngineError.mapFull` at the largest size that the options allow, and when readers
  ///   have not left in time; then a later commit may succeed. `addressSpace` when the system has no
  ///   more; the map is as before then.
  func grow() throws(EngineError) {
    let (doubled, overflow) = mapByteCount.multipliedReportingOverflow(by: 2)
    let wanted = min(overflow ? .max : doubled, options.mapByteCountMax)
    guard wanted > mapByteCount else { throw error(MDB_MAP_FULL) }
    let deadline = Date(timeIntervalSinceNow: options.growthWait)
    let code = gate.whileEmpty(until: deadline) { remap(wanted) }
    guard let code else { throw error(MDB_MAP_FULL) }
    if code == ENOMEM { throw .addressSpace(path: folder, byteCount: wanted) }
    try check(code)
    mapByteCount = wanted
  }

  /// Maps the file anew; without address space for that, as before.
  private func remap(_ wanted: UInt64) -> Int32 {
    let code = mdb_env_set_mapsize(handle, Int(clamping: wanted))
    if code != MDB_SUCCESS {
      let secondCode = mdb_env_set_mapsize(handle, Int(clamping: mapByteCount))
      precondition(secondCode == MDB_SUCCESS, "the data file can't be mapped any more")
    }
    return code
  }

  /// Puts right what a process has left that died in a commit, or that made trees of its own; for
  /// whoever is about to write.
  func repair() throws(EngineError) {
    try write().abort()
    try reapReaders()
    try gate.withLock { () throws(EngineError) in try openTrees() }
  }

  /// Takes processes that died out of the table of readers, where they would keep pages for good.
  func reapReaders() throws(EngineError) {
    if options.isShared { try check(mdb_reader_check(handle, nil)) }
  }

  /// Runs a closure again after another process has grown the map, with a map of its size.
  private func withPresentMap<Result>(
    _ body: () throws(EngineError) -> Result
  ) throws(EngineError) -> Result {
    while true {
      do throws(EngineError) {
        return try body()
      } catch {
        guard case .lmdb(MDB_MAP_RESIZED, _, _) = error else { throw error }
        try adoptMap()
      }
    }
  }

  private func adoptMap() throws(EngineError) {
    let deadline = Date(timeIntervalSinceNow: options.growthWait)
    let code = gate.whileEmpty(until: deadline) { mdb_env_set_mapsize(handle, 0) }
    guard let code else { throw error(MDB_MAP_RESIZED) }
    if code == ENOMEM { throw .addressSpace(path: folder, byteCount: mapByteCount) }
    try check(code)
    var info = MDB_envinfo()
    try check(mdb_env_info(handle, &info))
    mapByteCount = UInt64(info.me_mapsize)
  }

  /// Makes everything committed so far durable in the data file.
  ///
  /// The same as `mdb_env_sync` with force, but through the file seam, where tests can see it.
  func sync() throws(EngineError) {
    try EngineError.rethrowing { () throws(FileError) in try file.sync() }
  }

  /// Returns the number of the last page in use, from 0.
  func lastPage() throws(EngineError) -> UInt64 {
    var info = MDB_envinfo()
    try check(mdb_env_info(handle, &info))
    return UInt64(info.me_last_pgno)
  }
}

// MARK: Trees

extension LMDBEnvironment {
  /// The main database, which holds the engine's own keys beside the names of the trees.
  static let mainTree: MDB_dbi = 1

  /// Returns the handles of all trees, the engine's own included, by their numbers.
  func knownTrees() -> [UInt32: MDB_dbi] {
    gate.withLock { trees.merging([0: Self.mainTree]) { tree, _ in tree } }
  }

  /// Opens every tree in the file, so that no reader ever has to.
  private func openTrees() throws(EngineError) {
    var begun: OpaquePointer?
    try check(mdb_txn_begin(handle, nil, UInt32(MDB_RDONLY), &begun))
    guard let transaction = begun else { throw error(EINVAL) }
    var known = trees
    var count = 0
    do throws(EngineError) {
      for number in try treeNumbers(transaction, &known) where known[number] == nil {
        var tree: MDB_dbi = 0
        try check(mdb_dbi_open(transaction, String(number), 0, &tree))
        known[number] = tree
      }
      count = try countNames(transaction)
    } catch {
      mdb_txn_abort(transaction)
      throw error
    }
    try check(mdb_txn_commit(transaction))
    trees = known
    nameCount = count
  }

  private func countNames(_ transaction: OpaquePointer) throws(EngineError) -> Int {
    var figures = MDB_stat()
    try check(mdb_stat(transaction, Self.mainTree, &figures))
    return figures.ms_entries
  }

  private func treeNumbers(
    _ transaction: OpaquePointer, _ known: inout [UInt32: MDB_dbi]
  ) throws(EngineError) -> [UInt32] {
    var main: MDB_dbi = 0
    try check(mdb_dbi_open(transaction, nil, 0, &main))
    assert(main == Self.mainTree)
    known[TreeID.engine.number] = main
    let snapshot = LMDBSnapshot(transaction, handles: [0: main], environment: self)
    defer { snapshot.finish() }
    let cursor = try snapshot.cursor(in: .engine)
    var numbers: [UInt32] = []
    while try cursor.next() {
      if let number = UInt32(String(decoding: cursor.key, as: UTF8.self)) { numbers.append(number) }
    }
    return numbers
  }
}

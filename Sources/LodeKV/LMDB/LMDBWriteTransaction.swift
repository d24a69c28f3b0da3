// The one write transaction: closures look at it, write lists are applied to it, and it ends in a
// commit or an abort on the thread that began it.

internal import CLMDB
internal import Glibc

/// An unfinished commit of the data file.
final class LMDBWriteTransaction {
  private let transaction: OpaquePointer
  private let environment: LMDBEnvironment
  /// The environment's trees and those that this transaction made.
  private var trees: [UInt32: MDB_dbi]
  private var writers: [UInt32: LMDBTreeWriter] = [:]
  private var lastWriter: (number: UInt32, writer: LMDBTreeWriter)?
  private var isEnded = false

  init(
    _ transaction: OpaquePointer, trees: [UInt32: MDB_dbi], environment: LMDBEnvironment
  ) {
    self.transaction = transaction
    self.trees = trees
    self.environment = environment
  }

  deinit { assert(isEnded, "a write transaction is committed or aborted") }

  /// Shows the pairs as they are with everything applied so far.
  func view<Result>(_ body: (LMDBSnapshot) throws -> Result) rethrows -> Result {
    let snapshot = LMDBSnapshot(transaction, handles: trees, environment: environment)
    defer { snapshot.finish() }
    return try body(snapshot)
  }

  /// Applies the operations of a write list; after an error the transaction must be aborted.
  func apply(_ list: consuming WriteListReader) throws(EngineError) {
    while let entry = try list.next() {
      switch entry.operation {
      case .put: try writer(making: entry.tree).put(entry.key, entry.value)
      case .delete: try existingWriter(entry.tree)?.delete(entry.key)
      }
    }
  }

  /// Reads a value of the engine's own from the main database.
  func engineValue(of key: StaticString) throws(EngineError) -> [UInt8]? {
    let main = LMDBSnapshot(
      transaction, handles: [0: LMDBEnvironment.mainTree], environment: environment)
    defer { main.finish() }
    return try main.value(of: key.bytes, in: .engine).map { Array($0) }
  }

  /// Writes a value of the engine's own into the main database.
  func putEngineValue(_ value: [UInt8], for key: StaticString) throws(EngineError) {
    var name = MDB_val(key.bytes)
    let code = value.withUnsafeBytes { raw in
      var value = MDB_val(raw)
      return mdb_put(transaction, LMDBEnvironment.mainTree, &name, &value, 0)
    }
    try environment.check(code)
  }

  /// Makes the transaction visible; not durable.
  func commit() throws(EngineError) {
    end()
    try environment.commit(transaction, trees: trees)
  }

  func abort() {
    end()
    mdb_txn_abort(transaction)
  }

  /// LMDB frees the cursors of a write transaction when that ends.
  private func end() {
    assert(!isEnded)
    isEnded = true
    writers = [:]
    lastWriter = nil
  }

  private func writer(making tree: TreeID) throws(EngineError) -> LMDBTreeWriter {
    if let writer = try existingWriter(tree) { return writer }
    var handle: MDB_dbi = 0
    try environment.check(
      mdb_dbi_open(transaction, String(tree.number), UInt32(MDB_CREATE), &handle))
    trees[tree.number] = handle
    return try makeWriter(tree, handle)
  }

  private func existingWriter(_ tree: TreeID) throws(EngineError) -> LMDBTreeWriter? {
    if let lastWriter, lastWriter.number == tree.number { return lastWriter.writer }
    if let writer = writers[tree.number] {
      lastWriter = (tree.number, writer)
      return writer
    }
    guard let handle = trees[tree.number] else { return nil }
    return try makeWriter(tree, handle)
  }

  private func makeWriter(
    _ tree: TreeID, _ handle: MDB_dbi
  ) throws(EngineError) -> LMDBTreeWriter {
    var cursor: OpaquePointer?
    try environment.check(mdb_cursor_open(transaction, handle, &cursor))
    guard let cursor else { throw environment.error(EINVAL) }
    let writer = LMDBTreeWriter(cursor, environment: environment)
    writers[tree.number] = writer
    lastWriter = (tree.number, writer)
    return writer
  }
}

extension StaticString {
  /// The text's bytes, which are part of the program.
  var bytes: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}

/// Puts and deletes in one tree of a write transaction.
///
/// It remembers the last key, so that puts behind it are appended: LMDB then fills its pages
/// instead of leaving each half empty.
private final class LMDBTreeWriter {
  private let cursor: OpaquePointer
  private let environment: LMDBEnvironment
  private var lastKey: [UInt8] = []
  private var isLastKeyKnown = false

  init(_ cursor: OpaquePointer, environment: LMDBEnvironment) {
    self.cursor = cursor
    self.environment = environment
  }

  func put(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws(EngineError) {
    if !isLastKeyKnown { try findLastKey() }
    let isAppend = lastKey.withUnsafeBytes { compareKeys(key, $0) > 0 }
    var newKey = MDB_val(key)
    var newValue = MDB_val(value)
    try environment.check(
      mdb_cursor_put(cursor, &newKey, &newValue, isAppend ? UInt32(MDB_APPEND) : 0))
    if isAppend { remember(key) }
  }

  func delete(_ key: UnsafeRawBufferPointer) throws(EngineError) {
    var sought = MDB_val(key)
    var found = MDB_val()
    let code = mdb_cursor_get(cursor, &sought, &found, MDB_SET)
    if code == MDB_NOTFOUND { return }
    try environment.check(code)
    try environment.check(mdb_cursor_del(cursor, 0))
    if lastKey.withUnsafeBytes({ compareKeys(key, $0) >= 0 }) { isLastKeyKnown = false }
  }

  private func findLastKey() throws(EngineError) {
    var key = MDB_val()
    var value = MDB_val()
    let code = mdb_cursor_get(cursor, &key, &value, MDB_LAST)
    if code != MDB_NOTFOUND { try environment.check(code) }
    remember(code == MDB_NOTFOUND ? UnsafeRawBufferPointer(start: nil, count: 0) : key.bytes)
    isLastKeyKnown = true
  }

  private func remember(_ key: UnsafeRawBufferPointer) {
    lastKey.removeAll(keepingCapacity: true)
    lastKey.append(contentsOf: key)
  }
}

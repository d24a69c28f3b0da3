// A transaction of LMDB as a snapshot: of the last commit for readers, of the unfinished commit
// for the closures that prepare write lists.

internal import CLMDB
internal import Glibc

/// The trees of a transaction, for as long as the closure runs that was given it.
final class LMDBSnapshot: KeyValueSnapshot {
  let transaction: OpaquePointer
  private let handles: [UInt32: MDB_dbi]
  private let environment: LMDBEnvironment
  private var isOpen = true
  /// Cursors that are not in use, for the next request for the same tree.
  private var idleCursors: [(tree: MDB_dbi, handle: OpaquePointer)] = []
  /// The cursors that are in use.
  private var openCursors: [OpaquePointer] = []
  private var lastLookup: (number: UInt32, tree: MDB_dbi)?

  init(
    _ transaction: OpaquePointer, handles: [UInt32: MDB_dbi], environment: LMDBEnvironment
  ) {
    self.transaction = transaction
    self.handles = handles
    self.environment = environment
  }

  func value(
    of key: UnsafeRawBufferPointer, in tree: TreeID
  ) throws(EngineError) -> UnsafeRawBufferPointer? {
    checkIsOpen()
    guard let tree = handle(of: tree), !key.isEmpty else { return nil }
    var sought = MDB_val(key)
    var found = MDB_val()
    let code = mdb_get(transaction, tree, &sought, &found)
    if code == MDB_SUCCESS { return found.bytes }
    if code == MDB_NOTFOUND { return nil }
    throw error(code)
  }

  func cursor(in tree: TreeID) throws(EngineError) -> any KeyValueCursor {
    checkIsOpen()
    guard let tree = handle(of: tree) else {
      return LMDBCursor(of: self, tree: 0, handle: nil)
    }
    let idle = idleCursor(of: tree)
    let handle = if let idle { idle } else { try openCursor(of: tree) }
    openCursors.append(handle)
    return LMDBCursor(of: self, tree: tree, handle: handle)
  }

  func count(of tree: TreeID) throws(EngineError) -> Int {
    checkIsOpen()
    guard let tree = handle(of: tree) else { return 0 }
    var figures = MDB_stat()
    try check(mdb_stat(transaction, tree, &figures))
    return figures.ms_entries
  }

  /// Ends the life of the snapshot and of every cursor that was opened in it.
  func finish() {
    isOpen = false
    for cursor in idleCursors { mdb_cursor_close(cursor.handle) }
    for handle in openCursors { mdb_cursor_close(handle) }
    idleCursors = []
    openCursors = []
  }

  /// Takes back a cursor of LMDB that nobody uses any more.
  func recycle(_ handle: OpaquePointer, of tree: MDB_dbi) {
    guard let index = openCursors.lastIndex(of: handle) else { return }
    openCursors.swapAt(index, openCursors.count - 1)
    openCursors.removeLast()
    if idleCursors.count < 8 {
      idleCursors.append((tree, handle))
    } else {
      mdb_cursor_close(handle)
    }
  }

  @inline(__always)
  func checkIsOpen() {
    precondition(isOpen, "a snapshot and its cursors are used only inside the closure that got it")
  }

  func error(_ code: Int32) -> EngineError { environment.error(code) }

  private func check(_ code: Int32) throws(EngineError) {
    if code != MDB_SUCCESS { throw error(code) }
  }

  @inline(__always)
  private func handle(of tree: TreeID) -> MDB_dbi? {
    if let lastLookup, lastLookup.number == tree.number { return lastLookup.tree }
    guard let handle = handles[tree.number] else { return nil }
    lastLookup = (tree.number, handle)
    return handle
  }

  private func idleCursor(of tree: MDB_dbi) -> OpaquePointer? {
    guard let index = idleCursors.lastIndex(where: { $0.tree == tree }) else { return nil }
    return idleCursors.remove(at: index).handle
  }

  private func openCursor(of tree: MDB_dbi) throws(EngineError) -> OpaquePointer {
    var handle: OpaquePointer?
    try check(mdb_cursor_open(transaction, tree, &handle))
    guard let handle else { throw error(EINVAL) }
    return handle
  }
}

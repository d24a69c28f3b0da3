// A position in one tree of an LMDB transaction. LMDB's own cursors forget on which side of the
// ends they stand; this one remembers, so that it can turn round there.

internal import CLMDB

/// A cursor, usable until its snapshot's closure returns.
final class LMDBCursor: KeyValueCursor {
  private enum Place {
    case beforeFirst
    case pair
    case afterLast
  }

  private let snapshot: LMDBSnapshot
  private let tree: MDB_dbi
  /// Nil for a missing tree, which reads as an empty one.
  private let handle: OpaquePointer?
  private var place = Place.beforeFirst
  private var foundKey = MDB_val()
  private var foundValue = MDB_val()

  /// Takes a cursor of LMDB from its snapshot, and gives it back when it goes away.
  init(of snapshot: LMDBSnapshot, tree: MDB_dbi, handle: OpaquePointer?) {
    self.snapshot = snapshot
    self.tree = tree
    self.handle = handle
  }

  deinit {
    if let handle { snapshot.recycle(handle, of: tree) }
  }

  var key: UnsafeRawBufferPointer {
    precondition(place == .pair, "a cursor is read only after a move that returned true")
    return foundKey.bytes
  }

  var value: UnsafeRawBufferPointer {
    precondition(place == .pair, "a cursor is read only after a move that returned true")
    return foundValue.bytes
  }

  func first() throws(EngineError) -> Bool { try move(MDB_FIRST, orElse: .beforeFirst) }

  func last() throws(EngineError) -> Bool { try move(MDB_LAST, orElse: .beforeFirst) }

  func next() throws(EngineError) -> Bool {
    switch place {
    case .pair: try move(MDB_NEXT, orElse: .afterLast)
    case .beforeFirst: try first()
    case .afterLast: false
    }
  }

  func previous() throws(EngineError) -> Bool {
    switch place {
    case .pair: try move(MDB_PREV, orElse: .beforeFirst)
    case .afterLast: try last()
    case .beforeFirst: false
    }
  }

  func seek(_ key: UnsafeRawBufferPointer) throws(EngineError) -> Bool {
    guard !key.isEmpty else { return try first() }
    return try move(MDB_SET_RANGE, from: MDB_val(key), orElse: .afterLast)
  }

  func seekBefore(_ key: UnsafeRawBufferPointer) throws(EngineError) -> Bool {
    guard !key.isEmpty else {
      place = .beforeFirst
      return false
    }
    return try seek(key) ? try previous() : try last()
  }

  /// Moves LMDB's cursor. Its results go through local variables, which the compiler knows to be
  /// nobody else's; properties would be guarded at every step.
  @inline(__always)
  private func move(
    _ operation: MDB_cursor_op, from start: MDB_val = MDB_val(), orElse end: Place
  ) throws(EngineError) -> Bool {
    snapshot.checkIsOpen()
    guard let handle else { return false }
    var key = start
    var value = MDB_val()
    let code = mdb_cursor_get(handle, &key, &value, operation)
    if code == MDB_SUCCESS {
      foundKey = key
      foundValue = value
      place = .pair
      return true
    }
    place = end
    if code == MDB_NOTFOUND { return false }
    throw snapshot.error(code)
  }
}

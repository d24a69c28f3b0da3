// The one place where LMDB's codes become errors.

internal import CLMDB
internal import Glibc

extension EngineError {
  /// Names the error behind an LMDB code, which is either LMDB's own or an `errno`.
  init(lmdb code: Int32, path: String, mapByteCount: UInt64) {
    let message = String(cString: mdb_strerror(code))
    switch code {
    case MDB_MAP_FULL: self = .mapFull(path: path, byteCountMax: mapByteCount)
    case MDB_CORRUPTED, MDB_PAGE_NOTFOUND, MDB_INVALID, MDB_CURSOR_FULL, MDB_PAGE_FULL,
      MDB_INCOMPATIBLE:
      self = .corrupt(path: path, position: nil, reason: message)
    case MDB_VERSION_MISMATCH:
      self = .newerFormat(path: path, found: 2, supported: 1)
    case MDB_PANIC: self = .poisoned(path: path, reason: message)
    case ENOSPC, EDQUOT: self = .diskFull(path: path)
    case 1...: self = .file(path: path, operation: "LMDB", errno: code)
    default: self = .lmdb(code: code, message: message, path: path)
    }
  }
}

extension MDB_val {
  /// Refers to bytes, which LMDB reads and never writes.
  @inline(__always)
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      mv_size: bytes.count, mv_data: UnsafeMutableRawPointer(mutating: bytes.baseAddress))
  }

  @inline(__always)
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: mv_data, count: mv_size) }
}

/// Who has a store that can't be opened.
package enum LockHolder: Sendable, Hashable {
  case thisProcess
  case anotherProcess
}

/// Why an engine could not do what it was asked; stores turn it into `StoreError`.
package enum EngineError: Error, Sendable, Hashable {
  /// The operating system refused a file operation.
  case file(path: String, operation: String, errno: Int32)
  /// No space was left on the disk; nothing was written, and later commits may succeed.
  case diskFull(path: String)
  /// The data file reached the largest map size that the options allow.
  case mapFull(path: String, byteCountMax: UInt64)
  /// The system has no address space of this size for the data file.
  case addressSpace(path: String, byteCount: UInt64)
  /// The folder holds other things and no store; nothing was written there.
  case notAStore(path: String, reason: String)
  /// The store was opened for reading only.
  case readOnly(path: String)
  /// A file was moved, removed or replaced while the store was open; nothing was written.
  case displaced(path: String)
  /// A file is not what it should be; `position` is a byte offset in it, where there is one.
  case corrupt(path: String, position: UInt64?, reason: String)
  /// A file was written by a newer format than this code reads.
  case newerFormat(path: String, found: UInt32, supported: UInt32)
  /// Somebody holds the store in a way that excludes this opener.
  case locked(path: String, holder: LockHolder)
  /// Another process is writing and has not let go in time; nothing was written.
  case busy(path: String)
  /// An earlier sync failed, so that nothing more may be written until the store is reopened.
  case poisoned(path: String, reason: String)
  /// The engine has been closed.
  case closed(path: String)
  /// LMDB answered with a code that has no case of its own.
  case lmdb(code: Int32, message: String, path: String)
}

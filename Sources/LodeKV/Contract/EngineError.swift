/// Why an engine could not do what it was asked; stores turn it into `StoreError`.
package enum EngineError: Error, Sendable, Hashable {
  /// The operating system refused a file operation.
  case file(path: String, operation: String, errno: Int32)
  /// No space was left on the disk; nothing was written, and later commits may succeed.
  case diskFull(path: String)
  /// The data file reached the largest map size that the options allow.
  case mapFull(path: String, byteCountMax: UInt64)
  /// A file is not what it should be; `position` is a byte offset in it, where there is one.
  case corrupt(path: String, position: UInt64?, reason: String)
  /// A file was written by a newer format than this code reads.
  case newerFormat(path: String, found: UInt32, supported: UInt32)
  /// Another process holds the store in a way that excludes this one.
  case locked(path: String)
  /// An earlier sync failed, so that nothing more may be written until the store is reopened.
  case poisoned(path: String, reason: String)
  /// The engine has been closed.
  case closed(path: String)
  /// LMDB answered with a code that has no case of its own.
  case lmdb(code: Int32, message: String, path: String)
}

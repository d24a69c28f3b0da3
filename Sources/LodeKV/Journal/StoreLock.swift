// Who may use a store: locks on bytes of `store.lock`, and the flag there that says that a sync
// failed. Layout in docs/journal.md.

internal import Synchronization

/// The stores that this process has open, by their lock files: the system's locks don't tell
/// whose they are.
private enum OpenStores {
  private static let identities = Mutex<Set<FileIdentity>>([])

  /// Returns false when the store is open already.
  static func enter(_ identity: FileIdentity) -> Bool {
    identities.withLock { $0.insert(identity).inserted }
  }

  static func contains(_ identity: FileIdentity) -> Bool {
    identities.withLock { $0.contains(identity) }
  }

  static func leave(_ identity: FileIdentity) {
    identities.withLock { _ = $0.remove(identity) }
  }
}

/// The lock file of an attached store; closing it releases everything.
final class StoreLock: Sendable {
  /// Bytes beyond the file's content, one for each lock.
  private enum LockByte {
    static let attach: UInt64 = 1 << 30
    static let lease: UInt64 = (1 << 30) + 1
  }

  private static let pageByteCount = 4096
  private let file: any File
  private let isEntered = Atomic(true)

  /// Takes the store for recovery.
  ///
  /// - Throws: `EngineError.locked` when anybody, in this process or another, has it open.
  init(_ files: StoreFiles) throws(EngineError) {
    file = try EngineError.rethrowing { () throws(FileError) in
      try files.fileSystem.open(files.lock, .create)
    }
    guard OpenStores.enter(file.identity) else {
      throw .locked(path: files.folder, holder: .thisProcess)
    }
    guard try lock(LockByte.attach, .exclusive), try lock(LockByte.lease, .exclusive) else {
      throw .locked(path: files.folder, holder: .anotherProcess)
    }
  }

  deinit { leave() }

  /// Ends recovery: the store is in use, by a writer.
  func finishRecovery() throws(EngineError) {
    try writePage(isPoisoned: false)
    _ = try lock(LockByte.attach, .shared)
  }

  /// Lets others open the store.
  func release() throws(EngineError) {
    leave()
    _ = try lock(LockByte.lease, .released)
    _ = try lock(LockByte.attach, .released)
  }

  /// Leaves word that nobody may go on writing before a recovery.
  func markPoisoned() throws(EngineError) { try writePage(isPoisoned: true) }

  /// Keeps writers out, and lets other readers in; for a store in a folder that can't be written.
  ///
  /// - Returns: nil where there is no lock file, as on a copy: then nobody is kept out.
  /// - Throws: `EngineError.locked` when a writer has the store.
  static func excludingWriters(_ files: StoreFiles) throws(EngineError) -> (any File)? {
    let file: any File
    do throws(FileError) {
      file = try files.fileSystem.open(files.lock, .read)
    } catch {
      if error.isNoSuchFile { return nil }
      throw EngineError(error)
    }
    let isFree = try EngineError.rethrowing { () throws(FileError) in
      try file.lock(byte: LockByte.lease, .shared)
    }
    guard isFree else {
      let isOwn = OpenStores.contains(file.identity)
      throw .locked(path: files.folder, holder: isOwn ? .thisProcess : .anotherProcess)
    }
    return file
  }

  /// Ends what `excludingWriters` began.
  static func admitWriters(_ file: any File) throws(EngineError) {
    _ = try EngineError.rethrowing { () throws(FileError) in
      try file.lock(byte: LockByte.lease, .released)
    }
  }

  private func leave() {
    if isEntered.exchange(false, ordering: .relaxed) { OpenStores.leave(file.identity) }
  }

  private func lock(_ byte: UInt64, _ kind: FileLock) throws(EngineError) -> Bool {
    try EngineError.rethrowing { () throws(FileError) in try file.lock(byte: byte, kind) }
  }

  private func writePage(isPoisoned: Bool) throws(EngineError) {
    var page = Array("LODELOCK".utf8)
    page.appendInteger(UInt32(1))
    page.appendInteger(UInt32(isPoisoned ? 1 : 0))
    page.appendZeros(toMultipleOf: Self.pageByteCount)
    try EngineError.rethrowing { () throws(FileError) in try file.write(page, at: 0) }
  }
}

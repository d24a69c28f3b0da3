// The locks of those who only read: with writers that share, or instead of writers.

internal import Synchronization

/// A reader's hold on a store, which ends with its last reference.
final class ReaderLock: Sendable {
  private let file: any File
  /// Whether this attached as a writer would, instead of reading in place.
  private let isAttached: Bool
  private let isEntered = Atomic(true)

  private init(_ file: any File, isAttached: Bool) {
    self.file = file
    self.isAttached = isAttached
    if !isAttached { OpenStores.enterReader(file.identity) }
  }

  /// By name, since a process that is just being started may have the file open for a moment more.
  deinit { try? release() }

  /// Attaches to processes that have the store open and share it.
  ///
  /// - Returns: nil when there is none.
  static func joining(_ files: StoreFiles) throws(EngineError) -> ReaderLock? {
    guard let file = try open(files) else { return nil }
    guard OpenStores.enter(file.identity) else { throw locked(file, files) }
    let lock = ReaderLock(file, isAttached: true)
    return try file.attachShared() ? lock : nil
  }

  /// Keeps writers out, and lets other readers in.
  ///
  /// - Returns: nil where there is no lock file, as on a copy: then nobody is kept out.
  /// - Throws: `EngineError.locked` when a writer has the store.
  static func excludingWriters(_ files: StoreFiles) throws(EngineError) -> ReaderLock? {
    guard let file = try open(files) else { return nil }
    guard try file.take(LockByte.lease, .shared) else { throw locked(file, files) }
    return ReaderLock(file, isAttached: false)
  }

  /// Lets others do what they want.
  func release() throws(EngineError) {
    leave()
    for byte in [LockByte.lease, LockByte.valid, LockByte.attach] {
      _ = try file.take(byte, .released)
    }
  }

  private func leave() {
    guard isEntered.exchange(false, ordering: .relaxed) else { return }
    if isAttached {
      OpenStores.leave(file.identity)
    } else {
      OpenStores.leaveReader(file.identity)
    }
  }

  private static func open(_ files: StoreFiles) throws(EngineError) -> (any File)? {
    do throws(FileError) {
      return try files.fileSystem.open(files.lock, .read)
    } catch {
      if error.isNoSuchFile { return nil }
      throw EngineError(error)
    }
  }

  private static func locked(_ file: any File, _ files: StoreFiles) -> EngineError {
    let isOwn = OpenStores.contains(file.identity)
    return .locked(path: files.folder, holder: isOwn ? .thisProcess : .anotherProcess)
  }
}

// Who may use a store: locks on bytes of `store.lock`, and a page there that all processes share.
// Meaning of the locks and layout of the page are in docs/journal.md, "Locks".

internal import Foundation
internal import Synchronization

/// Bytes beyond the lock file's content, one for each lock.
enum LockByte {
  static let attach: UInt64 = 1 << 30
  static let lease: UInt64 = (1 << 30) + 1
  static let want: UInt64 = (1 << 30) + 2
  static let valid: UInt64 = (1 << 30) + 3
}

/// The lock file of an attached store; closing it releases everything.
final class StoreLock: Sendable {
  /// What an opener has to do first.
  enum Role: Sendable {
    /// Nobody else is there: recover.
    case recovering
    /// Others are, and the store is sound.
    case attached
  }

  private enum Position {
    static let poison: UInt64 = 12
    static let sequence: UInt64 = 16
  }

  private static let pageByteCount = 4096
  let role: Role
  private let folder: String
  private let file: any File
  private let isSharing: Bool
  private let isEntered = Atomic(true)

  /// Takes the store for recovery or, when others have it and share it, attaches to it.
  ///
  /// - Parameter wait: how long to wait for others that share; nil to be alone, without waiting.
  /// - Throws: `EngineError.locked` when somebody, in this process or another, is in the way,
  ///   `poisoned` when a sync of those attached has failed.
  init(_ files: StoreFiles, sharingWithin wait: Duration?) throws(EngineError) {
    let file = try EngineError.rethrowing { () throws(FileError) in
      try files.fileSystem.open(files.lock, .create)
    }
    guard OpenStores.enter(file.identity) else {
      throw .locked(path: files.folder, holder: .thisProcess)
    }
    do throws(EngineError) {
      role = try Self.attach(file, files.folder, wait)
    } catch {
      OpenStores.leave(file.identity)
      guard case .locked(let path, _) = error, OpenStores.hasReaders(file.identity) else {
        throw error
      }
      throw .locked(path: path, holder: .thisProcess)
    }
    self.file = file
    folder = files.folder
    isSharing = wait != nil
    if role == .attached { try checkIsSound() }
  }

  /// By name, since a process that is just being started may have the file open for a moment more.
  deinit { try? release() }

  private static func attach(
    _ file: any File, _ folder: String, _ wait: Duration?
  ) throws(EngineError) -> Role {
    let locked = EngineError.locked(path: folder, holder: .anotherProcess)
    var polling = LockPolling(within: wait ?? .zero)
    while true {
      if try file.take(LockByte.attach, .exclusive) {
        if try file.take(LockByte.lease, .exclusive) { return .recovering }
        _ = try file.take(LockByte.attach, .released)
        throw locked
      }
      guard wait != nil else { throw locked }
      if try file.attachShared() { return .attached }
      guard polling.pause() else { throw locked }
    }
  }

  /// Ends recovery: the store is in use, by this writer and whoever attaches now.
  func finishRecovery(lastSequence: UInt64) throws(EngineError) {
    var page = Array("LODELOCK".utf8)
    page.appendInteger(UInt32(1))
    page.appendInteger(UInt32(0))
    page.appendInteger(lastSequence)
    page.appendZeros(toMultipleOf: Self.pageByteCount)
    try EngineError.rethrowing { () throws(FileError) in try file.write(page, at: 0) }
    guard isSharing else { return }
    _ = try file.take(LockByte.valid, .shared)
    _ = try file.take(LockByte.attach, .shared)
  }

  /// Lets others open the store.
  func release() throws(EngineError) {
    leave()
    for byte in [LockByte.lease, LockByte.valid, LockByte.attach] {
      _ = try file.take(byte, .released)
    }
  }

  private func leave() {
    if isEntered.exchange(false, ordering: .relaxed) { OpenStores.leave(file.identity) }
  }
}

// MARK: The lease

extension StoreLock {
  /// Waits for the right to write.
  ///
  /// - Throws: `EngineError.busy` when another process hasn't let go in time.
  func takeLease(within wait: Duration) throws(EngineError) {
    var polling = LockPolling(within: wait)
    while try !file.take(LockByte.want, .exclusive) {
      guard polling.pause() else { throw .busy(path: folder) }
    }
    do throws(EngineError) {
      while try !file.take(LockByte.lease, .exclusive) {
        // Each time, since the holder may have got the lease after the last one.
        try EngineError.rethrowing { () throws(FileError) in try file.touch() }
        guard polling.pause() else { throw EngineError.busy(path: folder) }
      }
    } catch {
      _ = try? file.take(LockByte.want, .released)
      throw error
    }
    _ = try file.take(LockByte.want, .released)
  }

  func releaseLease() throws(EngineError) { _ = try file.take(LockByte.lease, .released) }

  /// Whether another process waits for the lease.
  func isWanted() -> Bool { isSharing && (try? file.isLockedByOthers(byte: LockByte.want)) == true }

  /// Calls back when another process may want the lease; nil where nobody can, or the system has no
  /// more watches: then the holder notices after its next commit.
  func watchWants(
    _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) -> FileWatch? {
    isSharing ? try? FileWatch(file.path, .attributes, queue, handler) : nil
  }
}

// MARK: The shared page

extension StoreLock {
  /// Leaves word that nobody may go on writing before a recovery.
  func markPoisoned() throws(EngineError) { try write(UInt32(1), at: Position.poison) }

  /// Throws when somebody has left word of a failed sync.
  func checkIsSound() throws(EngineError) {
    guard try read(at: Position.poison, as: UInt32.self) != 0 else { return }
    throw .poisoned(
      path: folder, reason: "a sync failed; every process has to close the store first")
  }

  /// Tells the other processes how far commits have come.
  func publish(sequence: UInt64) throws(EngineError) {
    if isSharing { try write(sequence, at: Position.sequence) }
  }

  /// The number of the last commit of any process.
  func publishedSequence() throws(EngineError) -> UInt64 {
    try read(at: Position.sequence, as: UInt64.self)
  }

  /// Calls back after commits of any process, at least once after the last.
  func watchCommits(
    _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) throws(EngineError) -> FileWatch {
    try EngineError.rethrowing { () throws(FileError) in
      try FileWatch(file.path, .content, queue, handler)
    }
  }

  private func write(_ value: some FixedWidthInteger, at position: UInt64) throws(EngineError) {
    var bytes: [UInt8] = []
    bytes.appendInteger(value)
    try EngineError.rethrowing { () throws(FileError) in try file.write(bytes, at: position) }
  }

  private func read<Value: FixedWidthInteger>(
    at position: UInt64, as type: Value.Type
  ) throws(EngineError) -> Value {
    let bytes = try EngineError.rethrowing { () throws(FileError) in
      try file.read(at: position, byteCount: Value.bitWidth / 8)
    }
    guard bytes.count == Value.bitWidth / 8 else { return 0 }
    return bytes.withUnsafeBytes { $0.integer(at: 0, as: type) }
  }
}

extension File {
  /// Takes, changes or releases one of the store's locks, and returns false when it can't be had.
  func take(_ byte: UInt64, _ kind: FileLock) throws(EngineError) -> Bool {
    try EngineError.rethrowing { () throws(FileError) in try lock(byte: byte, kind) }
  }

  /// Joins those who have a sound store open, if there are any.
  ///
  /// The order counts: nobody can recover while this one is attached, so that whoever is seen to hold
  /// the store valid then does so of what is there now.
  func attachShared() throws(EngineError) -> Bool {
    guard try take(LockByte.attach, .shared) else { return false }
    let isValid = try EngineError.rethrowing { () throws(FileError) in
      try isLockedByOthers(byte: LockByte.valid)
    }
    if isValid { return try take(LockByte.valid, .shared) }
    _ = try take(LockByte.attach, .released)
    return false
  }
}

/// Waiting for a lock in small steps, of different lengths so that two who wait don't keep step.
struct LockPolling {
  private let deadline: ContinuousClock.Instant
  private var stepMicroseconds = 200.0

  init(within wait: Duration) { deadline = .now + wait }

  /// Waits a little and returns whether there is time left.
  mutating func pause() -> Bool {
    guard ContinuousClock.now < deadline else { return false }
    Thread.sleep(forTimeInterval: stepMicroseconds * .random(in: 0.5...1) / 1_000_000)
    stepMicroseconds = min(stepMicroseconds * 1.5, 5000)
    return true
  }
}

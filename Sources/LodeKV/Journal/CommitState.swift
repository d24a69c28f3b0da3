// What commits change: the segment they are appended to and the numbers they get. All of it is
// behind the commit lock, which a leader holds from its first closure to its LMDB commit.

internal import Synchronization

/// What a writer has for as long as it holds the lease.
struct Tenure: Sendable {
  /// Where commits are appended.
  var segment: JournalSegment
  /// Keeps the pages of the segment's checkpoint.
  var pin: LMDBPin
  /// Last page of the data file when the checkpoint was made.
  var checkpointLastPage: UInt64
}

/// That a commit has to wait until this process has the lease; nothing has been done for it.
struct LeaseMissing: Error {}

/// The state behind the commit lock.
struct CommitState: Sendable {
  /// Nil while another process may write.
  var tenure: Tenure?
  var lastSequence: UInt64
  /// The last sequence that was synced, here or in the data file.
  var durableSequence: UInt64
  /// Why nothing may be written any more.
  var poison: EngineError?
  var isClosed = false
  var frameCount: UInt64 = 0
  var syncCount: UInt64 = 0
  var payloadByteCount: UInt64 = 0
  var checkpointCount: UInt64 = 0

  /// - Parameter durableSequence: what a recovery has read may be in the system's memory only.
  init(_ tenure: Tenure?, lastSequence: UInt64, durableSequence: UInt64) {
    self.tenure = tenure
    self.lastSequence = lastSequence
    self.durableSequence = durableSequence
  }

  /// Throws when nothing may be written.
  func checkIsWritable(path: String) throws(EngineError) {
    if isClosed { throw .closed(path: path) }
    if let poison { throw poison }
  }

  /// Makes everything in the journal durable.
  mutating func syncJournal(
    _ tenure: Tenure, _ files: StoreFiles, _ lock: StoreLock
  ) throws(EngineError) {
    guard durableSequence < lastSequence else { return }
    do throws(FileError) {
      try tenure.segment.file.sync()
    } catch {
      throw poison(by: EngineError(error), path: files.folder, lock: lock)
    }
    durableSequence = lastSequence
    syncCount += 1
  }

  /// Forbids all further writing, since what is on the disk is in doubt.
  mutating func poison(by error: EngineError, path: String, lock: StoreLock) -> EngineError {
    let poison = EngineError.poisoned(path: path, reason: "\(error)")
    self.poison = poison
    // The flag is for other processes; if it can't be written either, recovery does without.
    try? lock.markPoisoned()
    return error
  }
}

/// The commit lock with its queue.
final class CommitLock: Sendable {
  private let queue = CommitQueue()
  private let state: Mutex<CommitState>

  init(_ state: CommitState) { self.state = Mutex(state) }

  var waitingCount: Int { queue.waitingCount }

  /// Has a commit carried out in a group, by this thread or another one.
  func commit(
    durability: CommitDurability, _ prepare: @escaping WaitingCommit.Prepare,
    lead: ([WaitingCommit], inout CommitState) -> Void
  ) throws -> UInt64 {
    CommitTurn.checkMayWait(for: self)
    return try queue.submit(WaitingCommit(durability, prepare)) { group in
      CommitTurn.run(for: self) { state.withLock { lead(group, &$0) } }
    }
  }

  /// Uses the state in turn with the groups, so that a stream of commits can't keep it waiting.
  func withState<Result, Failure: Error>(
    _ body: (inout CommitState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    CommitTurn.checkMayWait(for: self)
    return try queue.runAlone { () throws(Failure) in
      try withLock(body)
    }
  }

  /// Ends all writing.
  func close() {
    withState { state in
      guard !state.isClosed else { return }
      state.isClosed = true
      state.tenure?.pin.release()
      state.tenure = nil
    }
  }

  private func withLock<Result, Failure: Error>(
    _ body: (inout CommitState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try state.withLock { state throws(Failure) in Unshared(value: try body(&state)) }.value
  }

  /// Carries a result out of the lock.
  ///
  /// Unchecked because results are figures and files that the caller alone holds.
  private struct Unshared<Value>: @unchecked Sendable {
    let value: Value
  }
}

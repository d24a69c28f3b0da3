// What has to be done after commits without keeping them waiting: checkpoints, by size and by time,
// and the syncs that commits with eventual durability leave out. Where that falls behind, commits
// are held up, so that neither journal nor data file grows without bound.

internal import Dispatch
internal import Synchronization

/// The work that follows commits, on queues of its own.
final class BackgroundWork: Sendable {
  private let options: LMDBEngine.Options
  private let files: StoreFiles
  private let lock: StoreLock
  private let environment: LMDBEnvironment
  private let commits: CommitLock
  private let checkpointing: Checkpointing
  private let checkpointQueue = DispatchQueue(label: "lode.checkpoint", qos: .utility)
  private let syncQueue = DispatchQueue(label: "lode.sync", qos: .utility)
  private let isCheckpointScheduled = Atomic(false)
  private let isTimedCheckpointScheduled = Atomic(false)
  private let isSyncScheduled = Atomic(false)
  /// Whether the next commit has to make a checkpoint first.
  private let isFull = Atomic(false)
  /// After a failed checkpoint, where in the segment the next one is tried.
  private let retryPosition = Atomic<UInt64>(0)

  init(
    _ options: LMDBEngine.Options, _ files: StoreFiles, lock: StoreLock,
    environment: LMDBEnvironment, commits: CommitLock, checkpointing: Checkpointing
  ) {
    self.options = options
    self.files = files
    self.lock = lock
    self.environment = environment
    self.commits = commits
    self.checkpointing = checkpointing
  }

  /// Schedules what a group of commits has made necessary; called by its leader, with the lock held.
  func follow(_ group: [WaitingCommit], _ state: CommitState) {
    guard state.poison == nil, !state.isClosed, !state.segment.isEmpty else { return }
    let growth = growthByteCount(state)
    isFull.store(isFull(state, growth), ordering: .relaxed)
    if isCheckpointDue(state, growth) { scheduleCheckpoint() }
    scheduleTimedCheckpoint()
    if state.durableSequence < state.lastSequence,
      group.contains(where: { $0.durability == .eventual })
    {
      scheduleSync()
    }
  }

  /// Makes a checkpoint when the journal or the data file has grown as far as it may; waits for the
  /// one that is under way.
  ///
  /// - Throws: why there can't be one; nothing may be written until there is space again.
  func waitForRoom() throws(EngineError) {
    guard isFull.load(ordering: .relaxed) else { return }
    try checkpointing.run { isFull($0, growthByteCount($0)) }
    isFull.store(false, ordering: .relaxed)
  }

  /// Bytes by which the data file has grown since its checkpoint.
  func growthByteCount(_ state: CommitState) -> UInt64 {
    guard let lastPage = try? environment.lastPage(), lastPage > state.checkpointLastPage else {
      return 0
    }
    return (lastPage - state.checkpointLastPage) * UInt64(state.segment.header.meta.pageByteCount)
  }

  private func isFull(_ state: CommitState, _ growth: UInt64) -> Bool {
    state.segment.endPosition >= options.journalByteCountLimit
      || growth >= options.growthByteCountLimit
  }
}

// MARK: Checkpoints

extension BackgroundWork {
  private func isCheckpointDue(_ state: CommitState, _ growth: UInt64) -> Bool {
    let endPosition = state.segment.endPosition
    guard endPosition >= retryPosition.load(ordering: .relaxed) else { return false }
    return endPosition >= options.journalSegmentByteCount / 4 * 3
      || growth >= options.checkpointByteCount
  }

  private func scheduleCheckpoint() {
    guard !isCheckpointScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    checkpointQueue.async { [weak self] in
      guard let self else { return }
      isCheckpointScheduled.store(false, ordering: .releasing)
      checkpoint()
    }
  }

  private func scheduleTimedCheckpoint() {
    guard !isTimedCheckpointScheduled.exchange(true, ordering: .acquiringAndReleasing) else {
      return
    }
    checkpointQueue.asyncAfter(deadline: .now() + options.checkpointDelay.dispatchInterval) {
      [weak self] in
      guard let self else { return }
      isTimedCheckpointScheduled.store(false, ordering: .releasing)
      checkpoint()
    }
  }

  /// A failure shows in the commits, when it matters for them; a full disk may have space later.
  private func checkpoint() {
    do throws(EngineError) {
      try checkpointing.run()
      retryPosition.store(0, ordering: .relaxed)
    } catch {
      let endPosition = commits.withState { $0.segment.endPosition }
      retryPosition.store(endPosition + options.journalSegmentByteCount / 4, ordering: .relaxed)
    }
  }
}

// MARK: Syncs

extension BackgroundWork {
  private func scheduleSync() {
    guard !isSyncScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    syncQueue.asyncAfter(deadline: .now() + options.syncDelay.dispatchInterval) { [weak self] in
      guard let self else { return }
      isSyncScheduled.store(false, ordering: .releasing)
      sync()
    }
  }

  /// Between two groups and not beside them, since the system reports a failed write to the first
  /// sync after it only. A failure poisons, which the next commit hears of.
  private func sync() {
    commits.withState { state in
      guard !state.isClosed, state.poison == nil else { return }
      try? state.syncJournal(files, lock)
    }
  }
}

extension LMDBEngine.Options {
  /// The journal's bound, at which commits wait; not below the size that starts a checkpoint.
  var journalByteCountLimit: UInt64 { max(journalByteCountMax, journalSegmentByteCount) }

  /// The same for the growth of the data file since its checkpoint.
  var growthByteCountLimit: UInt64 { max(growthByteCountMax, checkpointByteCount) }
}

extension Duration {
  /// From nothing to an hour, which is more than any of the engine's delays needs.
  fileprivate var dispatchInterval: DispatchTimeInterval {
    let bounded = min(max(self, .zero), .seconds(3600)).components
    let microseconds = bounded.seconds * 1_000_000 + bounded.attoseconds / 1_000_000_000_000
    return .microseconds(Int(microseconds))
  }
}

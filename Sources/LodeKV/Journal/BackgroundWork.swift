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
  private let isHandOverScheduled = Atomic(false)
  private let wantWatch = Mutex<FileWatch?>(nil)
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
    if lock.isWanted() { scheduleHandOver(after: .zero) }
    guard state.poison == nil, !state.isClosed, let tenure = state.tenure, !tenure.segment.isEmpty
    else { return }
    let growth = growthByteCount(tenure)
    isFull.store(isFull(tenure, growth), ordering: .relaxed)
    guard options.worksInBackground else { return }
    if isCheckpointDue(tenure, growth) { scheduleCheckpoint() }
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
  func growthByteCount(_ tenure: Tenure) -> UInt64 {
    guard let lastPage = try? environment.lastPage(), lastPage > tenure.checkpointLastPage else {
      return 0
    }
    return (lastPage - tenure.checkpointLastPage) * UInt64(tenure.segment.header.meta.pageByteCount)
  }

  private func isFull(_ tenure: Tenure, _ growth: UInt64) -> Bool {
    tenure.segment.endPosition >= options.journalByteCountLimit
      || growth >= options.growthByteCountLimit
  }
}

// MARK: Checkpoints

extension BackgroundWork {
  private func isCheckpointDue(_ tenure: Tenure, _ growth: UInt64) -> Bool {
    let endPosition = tenure.segment.endPosition
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
      let endPosition = commits.withState { $0.tenure?.segment.endPosition ?? 0 }
      retryPosition.store(endPosition + options.journalSegmentByteCount / 4, ordering: .relaxed)
    }
  }
}

// MARK: Handing over

extension BackgroundWork {
  /// Begins to listen to other processes that want to write.
  func watchWants() {
    let watch = lock.watchWants(checkpointQueue) { [weak self] in self?.handOver() }
    wantWatch.withLock { $0 = watch }
  }

  private func scheduleHandOver(after delay: Duration) {
    guard !isHandOverScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    checkpointQueue.asyncAfter(deadline: .now() + delay.dispatchInterval) { [weak self] in
      guard let self else { return }
      isHandOverScheduled.store(false, ordering: .releasing)
      handOver()
    }
  }

  /// Lets go of the lease if another process wants it and this one has had it long enough.
  private func handOver() {
    guard lock.isWanted() else { return }
    let rest = checkpointing.tenureRest
    guard rest <= .zero else { return scheduleHandOver(after: rest) }
    // What fails poisons, or lets the other process wait in vain; both will be heard of there.
    try? checkpointing.handOver()
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
      guard !state.isClosed, state.poison == nil, let tenure = state.tenure else { return }
      try? state.syncJournal(tenure, files, lock)
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

// Making a checkpoint: the data file durable, a new segment, the old one recycled. The steps and
// their order are those of docs/journal.md; one checkpoint runs at a time, commits go on meanwhile
// but for the short switch.

internal import Dispatch
internal import Foundation
internal import Synchronization

/// The maker of checkpoints.
final class Checkpointing: Sendable {
  /// State that only checkpoints and changes of the lease change.
  struct State: Sendable {
    var successor: PreparedSegment?
    var nextNumber: UInt32
    /// When this process got the lease.
    var tenureStart = ContinuousClock.now
  }

  let files: StoreFiles
  let lock: StoreLock
  let environment: LMDBEnvironment
  let segmentByteCount: UInt64
  let commits: CommitLock
  let state: Mutex<State>

  init(
    _ files: StoreFiles, lock: StoreLock, environment: LMDBEnvironment, segmentByteCount: UInt64,
    commits: CommitLock
  ) {
    self.files = files
    self.lock = lock
    self.environment = environment
    self.segmentByteCount = segmentByteCount
    self.commits = commits
    let number = commits.withState { $0.tenure?.segment.header.number ?? 0 }
    state = Mutex(State(nextNumber: number + 1))
  }

  /// Makes a checkpoint, unless nothing was written since the last one.
  func run() throws(EngineError) { try run { !$0.segment.isEmpty } }

  /// Makes a checkpoint if there is a reason when its turn has come, and this process may write.
  func run(_ isNeeded: (Tenure) -> Bool) throws(EngineError) {
    try state.withLock { state throws(EngineError) in
      try run(&state, isLast: false, isNeeded)
    }
  }

  /// Makes a last checkpoint and ends all writing, even when the checkpoint fails.
  ///
  /// - Parameter isAbandoned: leaves the checkpoint to the next opening.
  func close(isAbandoned: Bool) throws(EngineError) {
    try state.withLock { state throws(EngineError) in
      defer { commits.close() }
      guard !isAbandoned else { return }
      try run(&state, isLast: true) { !$0.segment.isEmpty }
      try discardSuccessor(&state)
    }
  }

  func run(
    _ state: inout State, isLast: Bool, _ isNeeded: (Tenure) -> Bool
  ) throws(EngineError) {
    let isNeeded = try commits.withState { commits throws(EngineError) in
      try commits.checkIsWritable(path: files.folder)
      guard let tenure = commits.tenure else { return false }
      try files.checkInPlace(tenure.segment.file)
      try files.checkInPlace(environment.file)
      return isNeeded(tenure)
    }
    guard isNeeded else { return }
    let successor = try prepareSuccessor(&state)
    try flush()
    let (oldSegment, oldPin) = try commits.withState { commits throws(EngineError) in
      try switchOver(to: successor, &commits)
    }
    state.successor = nil
    try retire(oldSegment, oldPin, isLast: isLast, &state)
  }

  private func prepareSuccessor(_ state: inout State) throws(EngineError) -> PreparedSegment {
    if let successor = state.successor { return successor }
    let successor = try EngineError.rethrowing { () throws(FileError) in
      try PreparedSegment.make(state.nextNumber, byteCount: segmentByteCount, files)
    }
    state.nextNumber += 1
    state.successor = successor
    return successor
  }

  private func discardSuccessor(_ state: inout State) throws(EngineError) {
    guard let successor = state.successor else { return }
    state.successor = nil
    try EngineError.rethrowing { () throws(FileError) in
      try files.removeIfPresent([successor.file.path])
    }
  }

  /// Writes out the bulk while commits go on, so that little is left for the switch.
  private func flush() throws(EngineError) {
    try environment.reapReaders()
    let clock = ContinuousClock()
    for _ in 0..<4 {
      let start = clock.now
      let sequence = try environment.sequence()
      try environment.sync()
      if clock.now - start < .milliseconds(5) { return }
      if try environment.sequence() == sequence { return }
    }
  }
}

// MARK: The switch

extension Checkpointing {
  /// Moves commits to the new segment; what fails from the sync on leaves the disk in doubt.
  private func switchOver(
    to successor: PreparedSegment, _ commits: inout CommitState
  ) throws(EngineError) -> (JournalSegment, LMDBPin) {
    try commits.checkIsWritable(path: files.folder)
    guard let old = commits.tenure else { throw .busy(path: files.folder) }
    let pin = try environment.pin()
    do throws(EngineError) {
      try environment.sync()
      let header = try makeHeader(successor.number, pin, old.segment, commits.lastSequence)
      let segment = try EngineError.rethrowing { () throws(FileError) in
        try successor.start(header, growthByteCount: segmentByteCount / 4)
      }
      commits.tenure = Tenure(
        segment: segment, pin: pin, checkpointLastPage: header.meta.lastPage)
      commits.durableSequence = commits.lastSequence
      commits.checkpointCount += 1
      return (old.segment, old.pin)
    } catch {
      pin.release()
      throw commits.poison(by: error, path: files.folder, lock: lock)
    }
  }

  private func makeHeader(
    _ number: UInt32, _ pin: LMDBPin, _ segment: JournalSegment, _ lastSequence: UInt64
  ) throws(EngineError) -> SegmentHeader {
    let old = segment.header
    let (meta, byteCount) = try EngineError.rethrowing { () throws(FileError) in
      let meta = try LMDBPageReader.meta(
        inSlot: LMDBMeta.slot(ofTransaction: pin.transactionID),
        pageByteCount: old.meta.pageByteCount, of: environment.file)
      return (meta, try environment.file.byteCount())
    }
    guard let meta, meta.isWellFormed, meta.transactionID == pin.transactionID else {
      throw .corrupt(
        path: files.data, position: nil, reason: "the meta page of the last commit is damaged")
    }
    return SegmentHeader(
      number: number, storeID: old.storeID, salt: .random(in: 1 ... .max),
      baseSequence: lastSequence, previousChecksum: segment.lastChecksum,
      dataByteCountMin: byteCount, meta: meta)
  }

  /// Seals the old segment, lets go of its checkpoint and makes it the next successor.
  private func retire(
    _ old: JournalSegment, _ oldPin: LMDBPin, isLast: Bool, _ state: inout State
  ) throws(EngineError) {
    defer { oldPin.release() }
    do throws(EngineError) {
      try EngineError.rethrowing { () throws(FileError) in try old.seal() }
    } catch {
      let failure = error
      throw commits.withState { commits in
        commits.poison(by: failure, path: files.folder, lock: lock)
      }
    }
    let hasGrown = old.fileByteCount > max(segmentByteCount, SegmentHeader.framesPosition)
    try EngineError.rethrowing { () throws(FileError) in
      if isLast || hasGrown {
        try files.removeIfPresent([old.file.path])
      } else {
        state.successor = try PreparedSegment.recycle(old, as: state.nextNumber, files)
        state.nextNumber += 1
      }
    }
  }
}

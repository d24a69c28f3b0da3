// Getting the right to write from another process, which has handed it over or died, and handing it
// over. The steps and their order are those of docs/journal.md, "Several processes".

internal import Synchronization

extension Checkpointing {
  /// How long a process keeps the lease at least, since each change of hands costs a checkpoint.
  private static let tenureMin = Duration.milliseconds(20)

  /// Until when this process keeps the lease in any case; nothing or less when it may go.
  var tenureRest: Duration {
    Self.tenureMin - (ContinuousClock.now - state.withLock { $0.tenureStart })
  }

  /// Makes sure that this process may write.
  ///
  /// - Parameter wait: how long another process may take to let go.
  /// - Throws: `EngineError.busy` when it hasn't, `poisoned` when it has failed, and what a recovery
  ///   throws; the lease is not kept then.
  func takeOver(within wait: Duration) throws(EngineError) {
    try state.withLock { state throws(EngineError) in
      let isHolder = try commits.withState { commits throws(EngineError) in
        try commits.checkIsWritable(path: files.folder)
        return commits.tenure != nil
      }
      guard !isHolder else { return }
      try lock.takeLease(within: wait)
      do throws(EngineError) {
        try begin(&state)
      } catch {
        endTenure()
        try? lock.releaseLease()
        throw error
      }
    }
  }

  /// Lets another process write.
  func handOver() throws(EngineError) {
    try state.withLock { state throws(EngineError) in
      let isHolder = commits.withState { commits in
        guard let tenure = commits.tenure else { return false }
        // A failure poisons, which the next process finds in the page.
        if commits.poison == nil { try? commits.syncJournal(tenure, files, lock) }
        return true
      }
      guard isHolder else { return }
      endTenure()
      state.successor = nil
      try lock.releaseLease()
    }
  }

  private func endTenure() {
    commits.withState { commits in
      commits.tenure?.pin.release()
      commits.tenure = nil
    }
  }

  /// Makes the live state, of whoever it is, the checkpoint of a new segment.
  private func begin(_ state: inout State) throws(EngineError) {
    try lock.checkIsSound()
    try environment.repair()
    let pin = try environment.pin()
    let inheritance: Inheritance
    do throws(EngineError) {
      inheritance = try Inheritance(
        files, environment, atTransaction: pin.transactionID, segmentByteCount: segmentByteCount)
    } catch {
      pin.release()
      throw error
    }
    state.nextNumber = inheritance.segment.header.number + 1
    state.successor = try inheritance.successor(files)
    if state.successor != nil { state.nextNumber += 1 }
    commits.withState { commits in
      commits.tenure = Tenure(
        segment: inheritance.segment, pin: pin, checkpointLastPage: 0)
      // The numbers of saves that were taken back stay taken.
      let baseSequence = inheritance.segment.header.baseSequence
      commits.lastSequence = max(inheritance.appliedSequence, baseSequence)
      commits.durableSequence = baseSequence
    }
    try run(&state, isLast: false) { _ in true }
    try removeStale(inheritance.segmentNumbers, state)
    try append(inheritance.tail)
    state.tenureStart = .now
  }

  /// Removes those of some segments that count no longer.
  func removeStale(_ numbers: [UInt32]) throws(EngineError) {
    try state.withLock { state throws(EngineError) in try removeStale(numbers, state) }
  }

  private func removeStale(_ numbers: [UInt32], _ state: State) throws(EngineError) {
    let current = commits.withState { $0.tenure?.segment.header.number }
    let kept = [current, state.successor?.number]
    let stale = numbers.filter { !kept.contains($0) }.map(files.segment)
    try EngineError.rethrowing { () throws(FileError) in try files.removeIfPresent(stale) }
  }

  /// Commits what the process before had in its journal and not in its data file.
  private func append(_ lists: [WriteList]) throws(EngineError) {
    guard !lists.isEmpty else { return }
    let group = lists.map { list in WaitingCommit(.full) { _ in list } }
    commits.withState { commits in
      var commit = GroupCommit(environment, lock: lock, files: files)
      commit.run(group, &commits)
    }
    for commit in group {
      guard case .failure(let error) = commit.outcome else { continue }
      throw error as? EngineError ?? .busy(path: files.folder)
    }
  }
}

/// What the last holder of the lease has left.
private struct Inheritance {
  let segment: JournalSegment
  /// The last save that LMDB has.
  let appliedSequence: UInt64
  /// Saves that only the journal has.
  let tail: [WriteList]
  /// All segments in the folder.
  let segmentNumbers: [UInt32]

  /// Reads the journal; nobody writes it meanwhile.
  ///
  /// - Parameter transaction: LMDB's number of its last commit.
  init(
    _ files: StoreFiles, _ environment: LMDBEnvironment, atTransaction transaction: UInt64,
    segmentByteCount: UInt64
  ) throws(EngineError) {
    let names = try EngineError.rethrowing { () throws(FileError) in
      try files.fileSystem.list(files.folder)
    }
    segmentNumbers = StoreFiles.segmentNumbers(in: names)
    guard let newest = try SegmentSearch.newest(of: segmentNumbers, files, .update) else {
      throw SegmentSearch.noSegment(files)
    }
    guard !newest.isSealed else { throw newest.missingSuccessor }
    let storeID = try environment.engineValue(of: GroupCommit.EngineKey.store)
    guard storeID == newest.header.storeID.bytes else {
      throw .corrupt(
        path: newest.file.path, position: nil,
        reason: "the journal segment is not one of the store that is open")
    }
    let scan = try JournalScan(newest.file, newest.header)
    if let damage = scan.damage { throw damage }
    let applied = try environment.sequence()
    // A checkpoint that followed saves that were taken back has a base beyond what was applied.
    let isBefore = applied < newest.header.baseSequence
    guard applied <= scan.lastSequence,
      !isBefore || transaction == newest.header.meta.transactionID
    else {
      throw .corrupt(
        path: newest.file.path, position: nil,
        reason: "the data file is at save \(applied), the journal at \(scan.lastSequence)")
    }
    appliedSequence = applied
    tail = try Self.lists(of: scan.saves.filter { $0.sequence > applied }, newest.file)
    segment = try EngineError.rethrowing { () throws(FileError) in
      try JournalSegment(
        newest.file, newest.header, endPosition: UInt64(scan.endPosition),
        lastChecksum: scan.lastChecksum, growthByteCount: segmentByteCount / 4)
    }
  }

  /// Takes over the segment that the last holder has prepared.
  func successor(_ files: StoreFiles) throws(EngineError) -> PreparedSegment? {
    let number = segment.header.number + 1
    guard segmentNumbers.contains(number) else { return nil }
    return try EngineError.rethrowing { () throws(FileError) in
      try PreparedSegment.takeOver(number, files)
    }
  }

  private static func lists(
    of saves: [JournalScan.Save], _ file: any File
  ) throws(EngineError) -> [WriteList] {
    var lists: [WriteList] = []
    for save in saves {
      let bytes = try EngineError.rethrowing { () throws(FileError) in
        try file.read(at: UInt64(save.payload.lowerBound), byteCount: save.payload.count)
      }
      lists.append(
        try WriteList(
          encoded: bytes, path: file.path, basePosition: UInt64(save.payload.lowerBound)))
    }
    return lists
  }
}

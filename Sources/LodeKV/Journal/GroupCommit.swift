// One group of commits, from the closures of its members to the LMDB commit; the steps are those
// of docs/journal.md.

/// Carries out one group on the leader's thread.
struct GroupCommit: ~Copyable {
  /// Keys of the engine's own in the data file's main database.
  enum EngineKey {
    static let sequence: StaticString = "lode:sequence"
    static let store: StaticString = "lode:store"
  }

  private let environment: LMDBEnvironment
  private let lock: StoreLock
  private let files: StoreFiles
  private var transaction: LMDBWriteTransaction?
  /// The members that write, with their lists, all of them applied to the transaction.
  private var writers: [(commit: WaitingCommit, list: WriteList)] = []
  /// The members that write nothing, with the sequence that they have seen.
  private var onlookers: [(commit: WaitingCommit, sequence: UInt64)] = []

  init(_ environment: LMDBEnvironment, lock: StoreLock, files: StoreFiles) {
    self.environment = environment
    self.lock = lock
    self.files = files
  }

  /// Gives every member of a group an outcome.
  mutating func run(_ group: [WaitingCommit], _ state: inout CommitState) {
    do throws(EngineError) {
      try state.checkIsWritable(path: files.folder)
    } catch {
      return fail(group, error)
    }
    guard var tenure = state.tenure.take() else { return fail(group, LeaseMissing()) }
    run(group, &state, &tenure)
    state.tenure = tenure
  }

  private mutating func run(
    _ group: [WaitingCommit], _ state: inout CommitState, _ tenure: inout Tenure
  ) {
    do throws(EngineError) {
      transaction = try environment.write()
      for commit in group { try prepare(commit, lastSequence: state.lastSequence) }
      let isSynced = group.contains { $0.durability == .full }
      if !writers.isEmpty { try write(&state, &tenure, isSynced: isSynced) }
      if isSynced { try state.syncJournal(tenure, files, lock) }
      succeed(from: state.lastSequence - UInt64(writers.count))
    } catch {
      fail(group, error)
    }
    abort()
  }

  private func fail(_ group: [WaitingCommit], _ error: any Error) {
    for commit in group where commit.outcome == nil { commit.outcome = .failure(error) }
  }

  private func succeed(from sequence: UInt64) {
    for (index, writer) in writers.enumerated() {
      writer.commit.outcome = .success(sequence + UInt64(index) + 1)
    }
    for onlooker in onlookers { onlooker.commit.outcome = .success(onlooker.sequence) }
  }

  private mutating func abort() {
    transaction.take()?.abort()
  }
}

// MARK: Preparing

extension GroupCommit {
  /// Runs one member's closure and applies its list; what goes wrong there is its own affair.
  ///
  /// - Throws: when the group as a whole can't go on.
  private mutating func prepare(
    _ commit: WaitingCommit, lastSequence: UInt64
  ) throws(EngineError) {
    guard let prepare = commit.prepare else { return }
    let list: WriteList
    do {
      list = try current().view { try prepare($0) }
    } catch {
      commit.outcome = .failure(error)
      return
    }
    guard !list.isEmpty else {
      onlookers.append((commit, lastSequence + UInt64(writers.count)))
      return
    }
    do throws(EngineError) {
      try apply(list)
      writers.append((commit, list))
    } catch {
      commit.outcome = .failure(error)
      try rebuild(writers.map(\.list))
    }
  }

  /// Applies a list on top of the others; with the map full, grows it and begins again.
  private mutating func apply(_ list: WriteList) throws(EngineError) {
    do throws(EngineError) {
      try current().apply(list)
    } catch {
      guard case .mapFull = error else { throw error }
      abort()
      try environment.grow()
      try rebuild(writers.map(\.list) + [list])
    }
  }

  /// Begins a new transaction and applies lists to it, growing the map as often as needed.
  private mutating func rebuild(
    _ lists: [WriteList], sequence: UInt64? = nil
  ) throws(EngineError) {
    while true {
      abort()
      do throws(EngineError) {
        let fresh = try environment.write()
        transaction = fresh
        for list in lists { try fresh.apply(list) }
        if let sequence { try fresh.putSequence(sequence) }
        return
      } catch {
        guard case .mapFull = error else { throw error }
        abort()
        try environment.grow()
      }
    }
  }

  private func current() throws(EngineError) -> LMDBWriteTransaction {
    guard let transaction else { throw .closed(path: files.folder) }
    return transaction
  }
}

// MARK: Writing

extension GroupCommit {
  private mutating func write(
    _ state: inout CommitState, _ tenure: inout Tenure, isSynced: Bool
  ) throws(EngineError) {
    try files.checkInPlace(tenure.segment.file)
    try files.checkInPlace(environment.file)
    let sequence = state.lastSequence + UInt64(writers.count)
    try putSequence(sequence)
    try appendToJournal(&state, &tenure.segment, isSynced: isSynced)
    state.lastSequence = sequence
    do throws(EngineError) {
      try commit()
    } catch {
      try commitAgain(&state, &tenure.segment, sequence: sequence, after: error)
    }
  }

  private mutating func putSequence(_ sequence: UInt64) throws(EngineError) {
    do throws(EngineError) {
      try current().putSequence(sequence)
    } catch {
      guard case .mapFull = error else { throw error }
      abort()
      try environment.grow()
      try rebuild(writers.map(\.list), sequence: sequence)
    }
  }

  private mutating func appendToJournal(
    _ state: inout CommitState, _ segment: inout JournalSegment, isSynced: Bool
  ) throws(EngineError) {
    let lists = writers.map(\.list)
    do throws(FileError) {
      try segment.append(
        lists, firstSequence: state.lastSequence + 1, durableSequence: state.durableSequence,
        isSynced: isSynced)
    } catch {
      let failure = EngineError(error)
      guard error.isDiskFull, error.operation == "write", eraseTail(of: segment) else {
        throw state.poison(by: failure, path: files.folder, lock: lock)
      }
      throw failure
    }
    state.frameCount += UInt64(lists.count)
    if isSynced {
      state.syncCount += 1
      state.durableSequence = state.lastSequence + UInt64(lists.count)
    }
    state.payloadByteCount += lists.reduce(0) { $0 + UInt64($1.bytes.count) }
  }

  private func eraseTail(of segment: JournalSegment) -> Bool {
    (try? segment.eraseTail()) != nil
  }

  private mutating func commit() throws(EngineError) {
    guard let ready = transaction.take() else { throw .closed(path: files.folder) }
    try ready.commit()
  }

  /// Applies once more what is in the journal already; failing that, takes it back there.
  private mutating func commitAgain(
    _ state: inout CommitState, _ segment: inout JournalSegment, sequence: UInt64,
    after failure: EngineError
  ) throws(EngineError) {
    do throws(EngineError) {
      try applyAgain(sequence: sequence, after: failure)
    } catch {
      let first = sequence - UInt64(writers.count) + 1
      do throws(FileError) {
        try segment.appendAbort(
          of: first...sequence, durableSequence: state.durableSequence)
        state.durableSequence = sequence
      } catch {
        throw state.poison(by: EngineError(error), path: files.folder, lock: lock)
      }
      throw error
    }
  }
}

extension GroupCommit {
  /// Applies the lists once more, or as often as a larger map may help.
  private mutating func applyAgain(
    sequence: UInt64, after failure: EngineError
  ) throws(EngineError) {
    var failure = failure
    while true {
      if case .mapFull = failure { try environment.grow() }
      try rebuild(writers.map(\.list), sequence: sequence)
      do throws(EngineError) {
        return try commit()
      } catch {
        guard case .mapFull = error else { throw error }
        failure = error
      }
    }
  }
}

extension LMDBEnvironment {
  /// Returns the number of the last save applied.
  func sequence() throws(EngineError) -> UInt64 {
    guard let bytes = try engineValue(of: GroupCommit.EngineKey.sequence), bytes.count == 8 else {
      throw .corrupt(path: path, position: nil, reason: "the number of the last save is missing")
    }
    return bytes.withUnsafeBytes { $0.integer(at: 0, as: UInt64.self) }
  }
}

extension LMDBWriteTransaction {
  /// Applies a write list.
  fileprivate func apply(_ list: WriteList) throws(EngineError) {
    var failure: EngineError?
    list.bytes.withUnsafeBytes { raw in
      do throws(EngineError) {
        try apply(WriteListReader(raw, path: "a write list in memory"))
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
  }

  /// Keeps the number of the last save beside its changes.
  func putSequence(_ sequence: UInt64) throws(EngineError) {
    var bytes: [UInt8] = []
    bytes.appendInteger(sequence)
    try putEngineValue(bytes, for: GroupCommit.EngineKey.sequence)
  }
}

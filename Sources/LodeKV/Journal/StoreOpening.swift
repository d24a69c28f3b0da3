// Opening a store: creation, recovery, or just taking over what a clean close left. The steps and
// the order of checks and writes are those of docs/journal.md; nothing is written before everything
// that can be checked has been.

internal import Foundation

/// A store that is ready to be read and written.
struct OpenedStore {
  let environment: LMDBEnvironment
  let lock: StoreLock
  var state: CommitState
  /// Whether a checkpoint has to be made before anything else.
  let needsCheckpoint: Bool
  /// The segments that a recovery found, of which those that don't count are to be removed after it.
  var segmentNumbers: [UInt32] = []
}

/// One attempt to open a folder.
struct StoreOpening {
  private let files: StoreFiles
  private let options: LMDBEngine.Options

  init(_ files: StoreFiles, _ options: LMDBEngine.Options) {
    self.files = files
    self.options = options
  }

  /// Opens the store, creating it in a folder that has none.
  ///
  /// - Throws: `EngineError.notAStore` when the folder holds other things; nothing was written then.
  func open() throws(EngineError) -> OpenedStore {
    // What is in the folder counts only behind the lock, but there is none in a foreign one.
    try FolderCheck(files).run()
    let lock = try StoreLock(
      files, sharingWithin: options.allowsOtherProcesses ? options.lockWait : nil)
    guard lock.role == .recovering else { return try attach(lock) }
    let names = try list()
    if !names.contains(StoreFiles.dataName) { try create(names) }
    let opened = try recover(lock)
    try lock.finishRecovery(lastSequence: opened.state.lastSequence)
    return opened
  }

  /// Opens a store that others have open, and have recovered if need be.
  private func attach(_ lock: StoreLock) throws(EngineError) -> OpenedStore {
    let data = try EngineError.rethrowing { () throws(FileError) in
      try files.fileSystem.open(files.data, .update)
    }
    let environment = try LMDBEnvironment(
      data, in: files.folder, options: options.environmentOptions)
    do throws(EngineError) {
      let sequence = try environment.sequence()
      let state = CommitState(nil, lastSequence: sequence, durableSequence: 0)
      return OpenedStore(
        environment: environment, lock: lock, state: state, needsCheckpoint: false)
    } catch {
      environment.close()
      throw error
    }
  }

  private func list() throws(EngineError) -> [String] {
    try EngineError.rethrowing { () throws(FileError) in
      try files.fileSystem.list(files.folder)
    }
  }
}

// MARK: Creation

extension StoreOpening {
  private func create(_ names: [String]) throws(EngineError) {
    let segments = StoreFiles.segmentNumbers(in: names)
    guard segments.isEmpty || names.contains(StoreFiles.newDataName) else {
      throw .corrupt(
        path: files.data, position: nil, reason: "the data file is missing beside its journal")
    }
    try EngineError.rethrowing { () throws(FileError) in
      try files.removeIfPresent(segments.map(files.segment))
      try files.fileSystem.syncFolder(files.folder)
      try files.removeIfPresent([files.newData, files.newData + "-lock"])
    }
    let data = try EngineError.rethrowing { () throws(FileError) in
      let data = try files.fileSystem.open(files.newData, .create)
      try files.fileSystem.syncFolder(files.folder)
      return data
    }
    let storeID = UUID()
    try build(data, storeID)
    try startJournal(data, storeID)
  }

  private func build(_ data: any File, _ storeID: UUID) throws(EngineError) {
    let environment = try LMDBEnvironment(
      data, in: files.folder, options: options.environmentOptions)
    defer { environment.close() }
    let transaction = try environment.write()
    do throws(EngineError) {
      try transaction.putEngineValue(storeID.bytes, for: GroupCommit.EngineKey.store)
      try transaction.putSequence(0)
    } catch {
      transaction.abort()
      throw error
    }
    try transaction.commit()
    try environment.sync()
  }

  private func startJournal(_ data: any File, _ storeID: UUID) throws(EngineError) {
    let (meta, byteCount) = try EngineError.rethrowing { () throws(FileError) in
      return (try LMDBPageReader.newestMeta(of: data), try data.byteCount())
    }
    guard let meta else {
      throw .corrupt(path: files.newData, position: 0, reason: "the new file has no meta page")
    }
    let header = SegmentHeader(
      number: 1, storeID: storeID, salt: .random(in: 1 ... .max), baseSequence: 0,
      previousChecksum: 0, dataByteCountMin: byteCount, meta: meta)
    try EngineError.rethrowing { () throws(FileError) in
      _ = try PreparedSegment.make(1, byteCount: options.journalSegmentByteCount, files)
        .start(header, growthByteCount: 0)
      try files.fileSystem.rename(files.newData, to: files.data)
      try files.fileSystem.syncFolder(files.folder)
      try files.removeIfPresent([files.newData + "-lock"])
    }
  }
}

// MARK: Recovery

extension StoreOpening {
  private func recover(_ lock: StoreLock) throws(EngineError) -> OpenedStore {
    let segments = StoreFiles.segmentNumbers(in: try list())
    let (header, file) = try newestSegment(segments)
    let data = try DataFileRecovery(files.data, files.fileSystem, header)
    try data.check()
    try data.checkPages(whenAtMost: options.pageCheckByteCountMax)
    let scan = try JournalScan(file, header)
    if let damage = scan.damage { throw damage }
    let isRestored = try data.restoreMeta()
    let environment = try LMDBEnvironment(
      data.file, in: files.folder, options: options.environmentOptions)
    do throws(EngineError) {
      let state = try replay(scan, file, header, environment)
      // Beside an older segment, this one's header may never have been synced.
      let isInDoubt = segments.contains { $0 < header.number }
      return OpenedStore(
        environment: environment, lock: lock, state: state,
        needsCheckpoint: isRestored || !scan.saves.isEmpty || !scan.endsCleanly || isInDoubt,
        segmentNumbers: segments)
    } catch {
      environment.close()
      throw error
    }
  }

  /// Finds the segment that counts.
  private func newestSegment(
    _ numbers: [UInt32]
  ) throws(EngineError) -> (SegmentHeader, any File) {
    guard let newest = try SegmentSearch.newest(of: numbers, files, .update) else {
      throw SegmentSearch.noSegment(files)
    }
    guard !newest.isSealed else { throw newest.missingSuccessor }
    return (newest.header, newest.file)
  }

  /// Pins the checkpoint and applies what the journal holds beyond it.
  private func replay(
    _ scan: JournalScan, _ file: any File, _ header: SegmentHeader,
    _ environment: LMDBEnvironment
  ) throws(EngineError) -> CommitState {
    let pin = try environment.pin()
    do throws(EngineError) {
      guard pin.transactionID == header.meta.transactionID else {
        throw EngineError.corrupt(
          path: files.data, position: nil,
          reason: "the data file is at transaction \(pin.transactionID), its checkpoint at "
            + "\(header.meta.transactionID)")
      }
      let lastPage = try environment.lastPage()
      try JournalReplay(environment, file).apply(scan.saves)
      let segment = try EngineError.rethrowing { () throws(FileError) in
        try JournalSegment(
          file, header, endPosition: UInt64(scan.endPosition), lastChecksum: scan.lastChecksum,
          growthByteCount: options.journalSegmentByteCount / 4)
      }
      return CommitState(
        Tenure(segment: segment, pin: pin, checkpointLastPage: lastPage),
        lastSequence: scan.lastSequence, durableSequence: header.baseSequence)
    } catch {
      pin.release()
      throw error
    }
  }
}

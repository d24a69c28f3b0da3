// The engine on disk: LMDB behind a journal, in a folder of its own. docs/journal.md has the
// protocol, docs/data-file-engine.md the data file.

internal import Dispatch
package import Foundation
internal import Synchronization

/// An engine whose commits survive a crash of the process and of the machine.
///
/// One process, and in it one engine, has a folder open at a time, unless `allowsOtherProcesses` is set
/// in all of them: then any number read snapshots of the last commit, whoever made it, and write in turn.
package final class LMDBEngine: KeyValueEngine {
  /// Sizes and limits, which may differ from one opening to the next.
  package struct Options: Sendable {
    /// Address space for the data file, in bytes; it costs nothing until it is used.
    ///
    /// Growing it later waits for readers, so that it had better be large; where address space is
    /// scarce (`ulimit -v`, some containers) it has to be smaller.
    package var mapByteCount: UInt64 = 64 << 30
    /// The largest size of the data file, in bytes.
    package var mapByteCountMax: UInt64 = 1 << 40
    /// Snapshots that may be open at once, in all threads together.
    package var readerCountMax: UInt32 = 1024
    /// Trees that a store may have.
    package var treeCountMax: UInt32 = 1024
    /// Size of a journal segment, in bytes; a checkpoint is made when it is three quarters full.
    package var journalSegmentByteCount: UInt64 = 4 << 20
    /// Length of the journal at which commits wait for a checkpoint, in bytes; one group of commits
    /// may end beyond it.
    package var journalByteCountMax: UInt64 = 64 << 20
    /// Growth of the data file after which a checkpoint is made, in bytes.
    package var checkpointByteCount: UInt64 = 64 << 20
    /// Growth of the data file since its checkpoint at which commits wait for the next one, in bytes;
    /// one group of commits may end beyond it.
    package var growthByteCountMax: UInt64 = 256 << 20
    /// How long after a commit a checkpoint is made at the latest.
    package var checkpointDelay: Duration = .seconds(30)
    /// How long after a commit with eventual durability a sync is made at the latest.
    package var syncDelay: Duration = .milliseconds(200)
    /// Whether what is due is done in the background. Without, checkpoints are made when they are asked for
    /// and when commits can't go on before one, syncs by commits that ask for them; so that what an engine
    /// does follows from its calls alone.
    package var worksInBackground = true
    /// Whether other processes may have the store open too, if they allow it as well.
    package var allowsOtherProcesses = false
    /// With other processes: how long to wait for one that recovers the store, and a commit for one
    /// that writes.
    package var lockWait: Duration = .seconds(10)
    /// The durability of commits that don't say.
    package var durability: CommitDurability = .full

    /// Up to which size of the data file all of its pages are looked at when it is opened, in bytes; of
    /// longer files those that lead to others are, about one in a hundred.
    package var pageCheckByteCountMax: UInt64 = 4 << 20

    /// Makes the default options.
    package init() {}

    var environmentOptions: LMDBEnvironment.Options {
      LMDBEnvironment.Options(
        mapByteCount: mapByteCount, mapByteCountMax: mapByteCountMax,
        readerCountMax: readerCountMax, treeCountMax: treeCountMax,
        isShared: allowsOtherProcesses)
    }
  }

  private let files: StoreFiles
  private let options: Options
  private let lock: StoreLock
  private let environment: LMDBEnvironment
  private let commits: CommitLock
  private let checkpointing: Checkpointing
  private let background: BackgroundWork
  private let isClosing = Atomic(false)

  /// Opens the store in a folder, making both when they don't exist; recovers after a crash.
  ///
  /// - Throws: `EngineError.locked` when another engine has the folder open, `notAStore` when the
  ///   folder holds something else, `corrupt` when files are missing, damaged or don't belong
  ///   together (nothing is changed then), `newerFormat` when a later version wrote them,
  ///   `addressSpace` when the system can't map `mapByteCount`, and what the file system refuses.
  package convenience init(open folder: URL, options: Options = Options()) throws(EngineError) {
    try self.init(open: folder.path, options: options, fileSystem: POSIXFileSystem())
  }

  /// Opens a store through a file seam of one's own, as tests do.
  package init(
    open folder: String, options: Options, fileSystem: any FileSystem
  ) throws(EngineError) {
    let files = StoreFiles(folder: folder, fileSystem: fileSystem)
    let opened = try StoreOpening(files, options).open()
    self.files = files
    self.options = options
    lock = opened.lock
    environment = opened.environment
    commits = CommitLock(opened.state)
    checkpointing = Checkpointing(
      files, lock: opened.lock, environment: opened.environment,
      segmentByteCount: options.journalSegmentByteCount, commits: commits)
    background = BackgroundWork(
      options, files, lock: opened.lock, environment: opened.environment, commits: commits,
      checkpointing: checkpointing)
    if opened.needsCheckpoint { try checkpointing.run { _ in true } }
    try checkpointing.removeStale(opened.segmentNumbers)
    background.watchWants()
  }

  deinit { try? abandon() }

  /// Runs a closure on a snapshot of the last commit.
  package func read<Result>(_ body: (any KeyValueSnapshot) throws -> Result) throws -> Result {
    try environment.read(body)
  }

  /// Commits as the contract says. The closure may run on the thread of another commit, must not
  /// commit itself, and should be quick, as all commits wait for it.
  ///
  /// When checkpoints have fallen so far behind that the journal or the growth of the data file is at
  /// its bound, the commit makes one first, and throws when that fails. While another process writes,
  /// it waits up to `lockWait` and throws `EngineError.busy`.
  @discardableResult
  package func commit(
    durability: CommitDurability?,
    _ prepare: @escaping @Sendable (any KeyValueSnapshot) throws -> WriteList
  ) throws -> UInt64 {
    while true {
      try background.waitForRoom()
      do {
        return try commits.commit(durability: durability ?? options.durability, prepare) {
          group, state in
          var commit = GroupCommit(environment, lock: lock, files: files)
          commit.run(group, &state)
          try? lock.publish(sequence: state.lastSequence)
          background.follow(group, state)
        }
      } catch is LeaseMissing {
        try checkpointing.takeOver(within: options.lockWait)
      }
    }
  }

  /// The number of the last commit, whichever process made it; reads eight bytes of a file when other
  /// processes are allowed.
  package func committedSequence() throws(EngineError) -> UInt64 {
    guard options.allowsOtherProcesses else {
      return commits.withState { $0.lastSequence }
    }
    return try lock.publishedSequence()
  }

  /// Calls a closure after commits of this and other processes, from a thread of its own, at least
  /// once after the last of several; the watch ends with its last reference. For stores that allow other
  /// processes; with others nothing is called.
  ///
  /// - Throws: when the system has no more watches.
  package func watchCommits(
    _ body: @escaping @Sendable () -> Void
  ) throws(EngineError) -> CommitWatch {
    let queue = DispatchQueue(label: "lode.commits")
    return CommitWatch(try lock.watchCommits(queue, body))
  }

  /// How many commits wait for the group before theirs; changes at any time.
  package var waitingCommitCount: Int { commits.waitingCount }

  /// Makes everything committed durable in the data file and starts a new segment.
  package func checkpoint() throws(EngineError) {
    try checkpointing.takeOver(within: options.lockWait)
    try checkpointing.run()
  }

  /// Returns the engine's figures and the present sizes of its files.
  package func statistics() throws(EngineError) -> EngineStatistics {
    var statistics = EngineStatistics()
    try commits.withState { state throws(EngineError) in
      if state.isClosed { throw EngineError.closed(path: files.folder) }
      statistics.lastSequence = state.lastSequence
      statistics.durableSequence = state.durableSequence
      statistics.journalFrameCount = state.frameCount
      statistics.journalSyncCount = state.syncCount
      statistics.journalPayloadByteCount = state.payloadByteCount
      statistics.checkpointCount = state.checkpointCount
      guard let tenure = state.tenure else {
        statistics.lastSequence = try environment.sequence()
        return
      }
      statistics.journalUsedByteCount = tenure.segment.endPosition
      statistics.growthByteCount = background.growthByteCount(tenure)
    }
    statistics.journalByteCountMax = options.journalByteCountLimit
    statistics.growthByteCountMax = options.growthByteCountLimit
    try EngineError.rethrowing { () throws(FileError) in
      statistics.dataFileByteCount = try environment.file.byteCount()
      statistics.journalFileByteCount = try files.journalByteCount()
    }
    return statistics
  }

  /// Makes a last checkpoint, waits for readers and closes the files.
  package func close() throws(EngineError) { try closeFiles(isAbandoned: false) }

  /// Lets go of the files without a last checkpoint, as a crash of the process would.
  package func abandon() throws(EngineError) { try closeFiles(isAbandoned: true) }
}

// MARK: Closing

extension LMDBEngine {
  private func closeFiles(isAbandoned: Bool) throws(EngineError) {
    guard !isClosing.exchange(true, ordering: .acquiringAndReleasing) else { return }
    var failure: EngineError?
    do throws(EngineError) {
      try checkpointing.close(isAbandoned: isAbandoned)
    } catch {
      failure = error
    }
    environment.close()
    try lock.release()
    if let failure { throw failure }
  }
}

// MARK: Files

extension LMDBEngine: DataFileEngine {
  /// Copies the last commit while others read and commit.
  package func copy(to folder: String) throws -> UInt64 {
    try StoreCopy(
      of: environment, through: files.fileSystem,
      segmentByteCount: options.journalSegmentByteCount
    ).make(in: folder)
  }

  /// Tells where the pages of the last commit are and who reads older ones.
  package func dataFileFigures() throws -> DataFileFigures { try environment.figures() }
}

/// A watch on the commits of all processes, which ends with its last reference.
package final class CommitWatch: Sendable {
  private let watch: FileWatch

  fileprivate init(_ watch: FileWatch) { self.watch = watch }
}

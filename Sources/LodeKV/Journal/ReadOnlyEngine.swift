// The engine for folders that must not, or can't, be changed, and for what is left of damaged ones.

package import Foundation
internal import Synchronization

/// An engine that only reads, and changes nothing in the store's folder.
///
/// With writers that allow other processes it reads snapshots of their last commit. Otherwise it keeps
/// writers out, and any number of readers, in any processes, may have the folder open. Where a
/// crash has left a journal to be replayed, a copy of the data file is recovered in the scratch folder,
/// and lives as long as the engine: opening costs as much time and space as the file has bytes then.
package final class ReadOnlyEngine: KeyValueEngine {
  private let files: StoreFiles
  private let store: ReadableStore
  private let isClosed = Atomic(false)

  /// What a salvage had to pass over; saves after it may be missing. Empty for a sound store.
  package var damage: [EngineError] { store.damage }

  /// Opens a folder for reading.
  ///
  /// - Parameters:
  ///   - scratchFolder: where a copy goes if one is needed.
  ///   - isSalvage: opens what can be read of a store with a damaged or missing journal as well: the
  ///     checkpoint and the saves before the damage, or what the data file by itself shows.
  /// - Throws: `EngineError.locked` when a writer has the store, `notAStore`, `corrupt` when files are
  ///   missing, damaged or don't belong together, `newerFormat`, and what the file system refuses.
  package convenience init(
    open folder: URL, options: LMDBEngine.Options = LMDBEngine.Options(),
    scratchFolder: URL = FileManager.default.temporaryDirectory, isSalvage: Bool = false
  ) throws(EngineError) {
    try self.init(
      open: folder.path, options: options, scratchFolder: scratchFolder.path,
      isSalvage: isSalvage, fileSystem: POSIXFileSystem())
  }

  /// Opens a folder through a file seam of one's own, as tests do.
  package init(
    open folder: String, options: LMDBEngine.Options, scratchFolder: String, isSalvage: Bool,
    fileSystem: any FileSystem
  ) throws(EngineError) {
    files = StoreFiles(folder: folder, fileSystem: fileSystem)
    store = try ReadOnlyOpening(
      files, options, scratchFolder: scratchFolder, isSalvage: isSalvage
    ).open()
  }

  deinit { try? close() }

  /// Runs a closure on a snapshot of the last commit.
  package func read<Result>(_ body: (any KeyValueSnapshot) throws -> Result) throws -> Result {
    try store.environment.read(body)
  }

  /// Throws `EngineError.readOnly`; the closure isn't run.
  @discardableResult
  package func commit(
    durability: CommitDurability?,
    _ prepare: @escaping @Sendable (any KeyValueSnapshot) throws -> WriteList
  ) throws -> UInt64 {
    if isClosed.load(ordering: .relaxed) { throw EngineError.closed(path: files.folder) }
    throw EngineError.readOnly(path: files.folder)
  }

  /// Throws `EngineError.readOnly`.
  package func checkpoint() throws(EngineError) {
    if isClosed.load(ordering: .relaxed) { throw .closed(path: files.folder) }
    throw .readOnly(path: files.folder)
  }

  /// Returns sizes and the last sequence.
  package func statistics() throws(EngineError) -> EngineStatistics {
    if isClosed.load(ordering: .relaxed) { throw .closed(path: files.folder) }
    var statistics = EngineStatistics()
    statistics.lastSequence = try store.environment.sequence()
    statistics.durableSequence = statistics.lastSequence
    try EngineError.rethrowing { () throws(FileError) in
      statistics.dataFileByteCount = try store.environment.file.byteCount()
      statistics.journalFileByteCount = try files.journalByteCount()
    }
    return statistics
  }

  /// Waits for readers, closes the files and lets writers in.
  package func close() throws(EngineError) {
    guard !isClosed.exchange(true, ordering: .relaxed) else { return }
    store.environment.close()
    guard let lock = store.lock else { return }
    try lock.release()
  }
}

extension ReadOnlyEngine: DataFileEngine {
  /// Copies what is read; the folder that it goes to is the only one that is written.
  package func copy(to folder: String) throws -> UInt64 {
    try StoreCopy(
      of: store.environment, through: files.fileSystem,
      segmentByteCount: LMDBEngine.Options().journalSegmentByteCount
    ).make(in: folder)
  }

  /// Tells where the pages are; readers of a folder that is only read aren't listed.
  package func dataFileFigures() throws -> DataFileFigures { try store.environment.figures() }
}

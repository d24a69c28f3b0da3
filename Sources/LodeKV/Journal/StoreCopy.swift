// A copy of a store in a folder of its own, taken from a snapshot while others read and write. It is made
// beside its place under another name and renamed when it is whole, so that what has the name is whole.

internal import Foundation

/// An engine whose pairs are in a data file.
package protocol DataFileEngine: KeyValueEngine {
  /// Copies the last commit into a folder that doesn't exist yet, without free pages.
  ///
  /// Reads and commits go on. A copy that was interrupted leaves a folder whose name ends with
  /// `.incomplete`, which nothing ever reads.
  ///
  /// - Returns: the sequence number of the last commit in the copy.
  /// - Throws: `EngineError.file` with “File exists” when something has the name already, and what the
  ///   file system refuses; the copy's remains are removed then.
  func copy(to folder: String) throws -> UInt64

  /// Tells where the pages of the last commit are and who reads older ones.
  func dataFileFigures() throws -> DataFileFigures
}

/// The making of one copy.
struct StoreCopy {
  private let source: LMDBEnvironment
  private let fileSystem: any FileSystem
  private let segmentByteCount: UInt64

  init(
    of source: LMDBEnvironment, through fileSystem: any FileSystem, segmentByteCount: UInt64
  ) {
    self.source = source
    self.fileSystem = fileSystem
    self.segmentByteCount = segmentByteCount
  }

  func make(in folder: String) throws -> UInt64 {
    let (parent, name) = Self.parts(of: folder)
    try checkIsFree(name, in: parent, folder)
    let partial = "\(parent)/\(name).\(UUID().uuidString).incomplete"
    let files = StoreFiles(folder: partial, fileSystem: fileSystem)
    do {
      try rethrowing { () throws(FileError) in try fileSystem.makeFolder(partial) }
      let sequence = try fill(files)
      try checkIsFree(name, in: parent, folder)
      try rethrowing { () throws(FileError) in
        try fileSystem.rename(partial, to: folder)
        try fileSystem.syncFolder(parent)
      }
      return sequence
    } catch {
      // The failure to copy is what the caller must hear of, not one of clearing up after it.
      try? FileManager.default.removeItem(atPath: partial)
      throw error
    }
  }

  private static func parts(of folder: String) -> (parent: String, name: String) {
    let url = URL(fileURLWithPath: folder).standardizedFileURL
    return (url.deletingLastPathComponent().path, url.lastPathComponent)
  }

  private func checkIsFree(_ name: String, in parent: String, _ folder: String) throws {
    let names = try rethrowing { () throws(FileError) in try fileSystem.list(parent) }
    // EEXIST
    if names.contains(name) { throw EngineError.file(path: folder, operation: "copy", errno: 17) }
  }

  private func fill(_ files: StoreFiles) throws -> UInt64 {
    try source.copy(to: files.data)
    let (header, sequence) = try header(files)
    try rethrowing { () throws(FileError) in
      _ = try PreparedSegment.make(1, byteCount: segmentByteCount, files)
        .start(header, growthByteCount: 0)
      try files.fileSystem.syncFolder(files.folder)
    }
    return sequence
  }

  /// Describes the copied data file, which is synced first.
  private func header(_ files: StoreFiles) throws -> (SegmentHeader, sequence: UInt64) {
    let (meta, byteCount, storeID, sequence) = try rethrowing { () throws(FileError) in
      let data = try files.fileSystem.open(files.data, .update)
      try data.sync()
      let meta = try LMDBPageReader.newestMeta(of: data)
      let reader = meta.map { LMDBPageReader(file: data, meta: $0) }
      return (
        meta, try data.byteCount(), try reader?.mainValue(of: bytes(GroupCommit.EngineKey.store)),
        try reader?.mainValue(of: bytes(GroupCommit.EngineKey.sequence))
      )
    }
    guard let meta, let storeID, storeID.count == 16, let sequence, sequence.count == 8
    else {
      throw EngineError.corrupt(path: files.data, position: nil, reason: "the copy is incomplete")
    }
    let last = sequence.withUnsafeBytes { $0.integer(at: 0, as: UInt64.self) }
    let header = SegmentHeader(
      number: 1, storeID: storeID.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) },
      salt: .random(in: 1 ... .max), baseSequence: last,
      previousChecksum: 0, dataByteCountMin: byteCount, meta: meta)
    return (header, last)
  }

  private func bytes(_ key: StaticString) -> [UInt8] { Array("\(key)".utf8) }

  private func rethrowing<Result>(
    _ body: () throws(FileError) -> Result
  ) throws(EngineError) -> Result {
    try EngineError.rethrowing(body)
  }
}

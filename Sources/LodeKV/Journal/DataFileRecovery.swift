// Brings the data file back to its checkpoint, after having made sure that it is the data file
// that the journal belongs to.

internal import Foundation

/// The data file beside a segment header.
struct DataFileRecovery {
  let file: any File
  let header: SegmentHeader

  init(
    _ path: String, _ fileSystem: any FileSystem, _ header: SegmentHeader,
    _ mode: FileMode = .update
  ) throws(EngineError) {
    file = try EngineError.rethrowing { () throws(FileError) in
      try fileSystem.open(path, mode)
    }
    self.header = header
  }

  /// Checks length, format and identity; writes nothing.
  func check() throws(EngineError) {
    let (byteCount, meta, storeID, sequence) = try EngineError.rethrowing {
      () throws(FileError) in
      let reader = LMDBPageReader(file: file, meta: header.meta)
      return (
        try file.byteCount(),
        try LMDBPageReader.meta(inSlot: 0, pageByteCount: 0, of: file),
        try reader.mainValue(of: bytes(GroupCommit.EngineKey.store)),
        try reader.mainValue(of: bytes(GroupCommit.EngineKey.sequence))
      )
    }
    if let meta, meta.isLMDB, meta.version != header.meta.version {
      throw .newerFormat(
        path: file.path, found: meta.version, supported: header.meta.version)
    }
    guard byteCount >= header.dataByteCountMin else {
      throw corrupt(
        "the file has \(byteCount) bytes, at its checkpoint it had \(header.dataByteCountMin)")
    }
    guard storeID == header.storeID.bytes else {
      throw corrupt("the file is not the one that journal segment \(header.number) belongs to")
    }
    guard let sequence, isAtMostBase(sequence) else {
      throw corrupt("the file is ahead of journal segment \(header.number)")
    }
  }

  /// Makes the checkpoint the file's current commit, unless it is already, and returns whether
  /// that took a write.
  func restoreMeta() throws(EngineError) -> Bool {
    try EngineError.rethrowing { () throws(FileError) in
      guard try !isAtCheckpoint() else { return false }
      for slot in 0...1 {
        let position = UInt64(slot) * UInt64(header.meta.pageByteCount)
        try file.write(header.meta.inSlot(slot).bytes, at: position)
      }
      try file.sync()
      return true
    }
  }

  /// Whether the checkpoint is the file's current commit.
  func isAtCheckpoint() throws(FileError) -> Bool {
    let slot = LMDBMeta.slot(ofTransaction: header.meta.transactionID)
    let pageByteCount = header.meta.pageByteCount
    let own = try LMDBPageReader.meta(inSlot: slot, pageByteCount: pageByteCount, of: file)
    let other = try LMDBPageReader.meta(
      inSlot: 1 - slot, pageByteCount: pageByteCount, of: file)
    guard let own, let other, other.isWellFormed else { return false }
    return own == header.meta && other.transactionID < own.transactionID
  }

  private func isAtMostBase(_ sequence: [UInt8]) -> Bool {
    guard sequence.count == 8 else { return false }
    return sequence.withUnsafeBytes { $0.integer(at: 0, as: UInt64.self) } <= header.baseSequence
  }

  private func bytes(_ key: StaticString) -> [UInt8] { Array("\(key)".utf8) }

  private func corrupt(_ reason: String) -> EngineError {
    .corrupt(path: file.path, position: nil, reason: reason)
  }
}

/// Applies saves out of the journal.
struct JournalReplay {
  /// Payload bytes after which a transaction ends, so that its pages stay few.
  private static let batchByteCount = 16 << 20

  private let environment: LMDBEnvironment
  private let file: any File

  init(_ environment: LMDBEnvironment, _ file: any File) {
    self.environment = environment
    self.file = file
  }

  func apply(_ saves: [JournalScan.Save]) throws(EngineError) {
    var rest = saves[...]
    while !rest.isEmpty {
      let batch = rest.prefix(batchCount(rest))
      do throws(EngineError) {
        try applyBatch(batch)
      } catch {
        guard case .mapFull = error else { throw error }
        try environment.grow()
        continue
      }
      rest = rest.dropFirst(batch.count)
    }
  }

  private func batchCount(_ saves: ArraySlice<JournalScan.Save>) -> Int {
    var byteCount = 0
    var count = 0
    for save in saves where count == 0 || byteCount < Self.batchByteCount {
      byteCount += save.payload.count
      count += 1
    }
    return count
  }

  private func applyBatch(_ saves: ArraySlice<JournalScan.Save>) throws(EngineError) {
    let transaction = try environment.write()
    do throws(EngineError) {
      for save in saves { try apply(save, to: transaction) }
      if let last = saves.last { try transaction.putSequence(last.sequence) }
    } catch {
      transaction.abort()
      throw error
    }
    try transaction.commit()
  }

  private func apply(
    _ save: JournalScan.Save, to transaction: LMDBWriteTransaction
  ) throws(EngineError) {
    let bytes = try EngineError.rethrowing { () throws(FileError) in
      try file.read(at: UInt64(save.payload.lowerBound), byteCount: save.payload.count)
    }
    let position = UInt64(save.payload.lowerBound)
    let result = bytes.withUnsafeBytes { raw -> Result<Void, EngineError> in
      do throws(EngineError) {
        let list = WriteListReader(raw, path: file.path, basePosition: position)
        return .success(try transaction.apply(list))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}

// Opening a store without changing anything in its folder: as it is where it was closed in order, else
// a copy elsewhere that is recovered. docs/journal.md, "Reading only".

internal import Foundation

/// A store that is ready to be read.
struct ReadableStore {
  let environment: LMDBEnvironment
  /// Keeps writers out as long as it is open; nil for a copy.
  let lock: ReaderLock?
  /// What had to be passed over.
  let damage: [EngineError]
}

/// One attempt to open a folder for reading.
struct ReadOnlyOpening {
  private let files: StoreFiles
  private let options: LMDBEngine.Options
  private let scratchFolder: String
  private let isSalvage: Bool

  init(
    _ files: StoreFiles, _ options: LMDBEngine.Options, scratchFolder: String, isSalvage: Bool
  ) {
    self.files = files
    self.options = options
    self.scratchFolder = scratchFolder
    self.isSalvage = isSalvage
  }

  func open() throws(EngineError) -> ReadableStore {
    try FolderCheck(files).requireStore()
    if let shared = try openShared() { return shared }
    let lock = try ReaderLock.excludingWriters(files)
    let names = try EngineError.rethrowing { () throws(FileError) in
      try files.fileSystem.list(files.folder)
    }
    let segments = StoreFiles.segmentNumbers(in: names)
    guard let newest = try SegmentSearch.newest(of: segments, files, .read) else {
      return try openWithoutJournal()
    }
    return try open(newest, lock)
  }

  /// Joins processes that have the store open and share it, where LMDB's table of readers can be
  /// written.
  private func openShared() throws(EngineError) -> ReadableStore? {
    guard let lock = try ReaderLock.joining(files) else { return nil }
    let file = try EngineError.rethrowing { () throws(FileError) in
      try files.fileSystem.open(files.data, .read)
    }
    var options = options.environmentOptions
    options.isReadOnly = true
    options.isShared = true
    do throws(EngineError) {
      let environment = try LMDBEnvironment(file, in: files.folder, options: options)
      return ReadableStore(environment: environment, lock: lock, damage: [])
    } catch {
      guard case .file = error else { throw error }
      return nil
    }
  }

  private func open(
    _ newest: SegmentSearch, _ lock: ReaderLock?
  ) throws(EngineError) -> ReadableStore {
    let data = try DataFileRecovery(files.data, files.fileSystem, newest.header, .read)
    try data.check()
    try data.checkPages(whenAtMost: options.pageCheckByteCountMax)
    let scan = try JournalScan(newest.file, newest.header)
    var damage: [EngineError] = []
    if newest.isSealed { damage.append(newest.missingSuccessor) }
    if let found = scan.damage { damage.append(found) }
    if !isSalvage, let first = damage.first { throw first }
    let isCurrent = try EngineError.rethrowing { () throws(FileError) in
      try data.isAtCheckpoint()
    }
    guard isCurrent && scan.saves.isEmpty else {
      let environment = try withCopy(of: data.file) { copy throws(EngineError) in
        try recover(copy, newest, scan)
      }
      return ReadableStore(environment: environment, lock: nil, damage: damage)
    }
    var options = options.environmentOptions
    options.isReadOnly = true
    let environment = try LMDBEnvironment(data.file, in: files.folder, options: options)
    return ReadableStore(environment: environment, lock: lock, damage: damage)
  }

  /// Opens what the data file itself takes for its last commit, which need not be whole.
  private func openWithoutJournal() throws(EngineError) -> ReadableStore {
    let noSegment = SegmentSearch.noSegment(files)
    guard isSalvage else { throw noSegment }
    let data = try EngineError.rethrowing { () throws(FileError) in
      try files.fileSystem.open(files.data, .read)
    }
    let environment = try withCopy(of: data) { copy throws(EngineError) in
      try LMDBEnvironment(copy, in: files.folder, options: options.environmentOptions)
    }
    return ReadableStore(environment: environment, lock: nil, damage: [noSegment])
  }

  /// Does on a copy what opening for writing does in place.
  private func recover(
    _ copy: any File, _ newest: SegmentSearch, _ scan: JournalScan
  ) throws(EngineError) -> LMDBEnvironment {
    let data = try DataFileRecovery(copy.path, POSIXFileSystem(), newest.header)
    _ = try data.restoreMeta()
    let environment = try LMDBEnvironment(
      data.file, in: files.folder, options: options.environmentOptions)
    do throws(EngineError) {
      try JournalReplay(environment, newest.file).apply(scan.saves)
      return environment
    } catch {
      environment.close()
      throw error
    }
  }
}

// MARK: The copy

extension ReadOnlyOpening {
  /// Copies a file, has it opened, and removes its names at once: it goes when it is closed.
  private func withCopy(
    of file: any File, _ body: (any File) throws(EngineError) -> LMDBEnvironment
  ) throws(EngineError) -> LMDBEnvironment {
    let folder = scratchFolder + "/lode-read-" + UUID().uuidString
    let fileSystem = POSIXFileSystem()
    let path = folder + "/" + StoreFiles.dataName
    defer {
      // What can't be removed is a temporary file like any other.
      for name in [path, path + "-lock"] { try? fileSystem.remove(name) }
      try? fileSystem.removeFolder(folder)
    }
    let copy = try EngineError.rethrowing { () throws(FileError) in
      try fileSystem.makeFolder(folder)
      let copy = try fileSystem.open(path, .create)
      try copyBytes(of: file, to: copy)
      return copy
    }
    return try body(copy)
  }

  private func copyBytes(of file: any File, to copy: any File) throws(FileError) {
    let stepByteCount = 1 << 20
    var position: UInt64 = 0
    while true {
      let bytes = try file.read(at: position, byteCount: stepByteCount)
      try copy.write(bytes, at: position)
      position += UInt64(bytes.count)
      if bytes.count < stepByteCount { return }
    }
  }
}

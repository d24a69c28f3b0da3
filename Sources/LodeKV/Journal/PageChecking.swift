// The pages of a store's last checkpoint, looked at before LMDB may follow them.

package import Foundation

extension DataFileRecovery {
  /// Looks at the pages of the checkpoint: all of them in a short file, those that lead to others in a
  /// long one.
  ///
  /// - Throws: `EngineError.corrupt` for the first page that LMDB must not be shown.
  func checkPages(whenAtMost byteCountMax: UInt64) throws(EngineError) {
    let check = try EngineError.rethrowing { () throws(FileError) in
      let depth: PageTreeCheck.Depth = try file.byteCount() <= byteCountMax ? .whole : .branches
      var check = PageTreeCheck(file, header.meta, depth: depth)
      try check.run()
      return check
    }
    guard let fault = check.result.faults.first else { return }
    throw .corrupt(
      path: file.path, position: fault.position, reason: "a page is damaged: \(fault.reason)")
  }
}

extension LMDBEngine {
  /// Looks at all pages of the last checkpoint of a store that nobody writes; nothing is changed.
  ///
  /// - Parameters:
  ///   - faultCountMax: after so many faults the check ends.
  ///   - tree: a tree whose pairs are read as well, as far as they can be.
  /// - Throws: `EngineError.locked`, `notAStore`, `corrupt` when it can't be told what the checkpoint is.
  package static func checkPages(
    in folder: URL, faultCountMax: Int, gathering tree: TreeID
  ) throws(EngineError) -> PageCheckResult {
    let files = StoreFiles(folder: folder.path, fileSystem: POSIXFileSystem())
    try FolderCheck(files).requireStore()
    let lock = try ReaderLock.excludingWriters(files)
    defer { withExtendedLifetime(lock) {} }
    let names = try EngineError.rethrowing { () throws(FileError) in
      try files.fileSystem.list(files.folder)
    }
    let numbers = StoreFiles.segmentNumbers(in: names)
    guard let newest = try SegmentSearch.newest(of: numbers, files, .read) else {
      throw SegmentSearch.noSegment(files)
    }
    let data = try DataFileRecovery(files.data, files.fileSystem, newest.header, .read)
    return try EngineError.rethrowing { () throws(FileError) in
      var check = PageTreeCheck(
        data.file, newest.header.meta, depth: .whole, faultCountMax: faultCountMax,
        gathering: tree.number)
      try check.run()
      return check.result
    }
  }
}

// Tells a folder in which a store is, or may be made, from the folders of others, before anything is
// written there.

/// The look at a folder before it is opened.
struct FolderCheck {
  private let files: StoreFiles

  init(_ files: StoreFiles) { self.files = files }

  /// Makes a missing folder, and refuses one that is not empty and holds no store, nor what an
  /// interrupted creation left.
  ///
  /// - Throws: `EngineError.notAStore`, and what the file system refuses.
  func run() throws(EngineError) {
    guard !files.folder.isEmpty else {
      throw .notAStore(path: "", reason: "the path is empty; name a folder")
    }
    guard let names = try names() else {
      return try EngineError.rethrowing { () throws(FileError) in
        try files.fileSystem.makeFolder(files.folder)
      }
    }
    guard !Self.isStore(names), let foreign = names.sorted().first(where: Self.isForeign) else {
      return
    }
    guard !names.contains(StoreFiles.dataName) else {
      throw .notAStore(
        path: files.folder,
        reason: "the folder has a data file without a journal: no store, or a part of one only")
    }
    throw .notAStore(
      path: files.folder,
      reason: "the folder is not empty and holds no store, but “\(foreign)”; name a new folder")
  }

  /// Refuses what is no store, and makes nothing.
  ///
  /// - Throws: `EngineError.notAStore`, and what the file system refuses.
  func requireStore() throws(EngineError) {
    let names = try names()
    guard let names else {
      throw .notAStore(path: files.folder, reason: "there is no such folder")
    }
    guard !names.contains(StoreFiles.dataName) else { return }
    guard Self.isStore(names) else {
      throw .notAStore(path: files.folder, reason: "the folder holds no store")
    }
    throw .corrupt(
      path: files.data, position: nil, reason: "the data file is missing beside its journal")
  }

  /// Returns the names in the folder, or nil when it doesn't exist.
  private func names() throws(EngineError) -> [String]? {
    do throws(FileError) {
      return try files.fileSystem.list(files.folder)
    } catch {
      if error.isNoSuchFile { return nil }
      guard error.isNoFolder else { throw EngineError(error) }
      throw .notAStore(path: files.folder, reason: "a store is a folder, this is something else")
    }
  }

  /// Whether at least two kinds of a store's files are there, since one may have got lost.
  private static func isStore(_ names: [String]) -> Bool {
    let hasData = names.contains(StoreFiles.dataName) || names.contains(StoreFiles.newDataName)
    let hasJournal = !StoreFiles.segmentNumbers(in: names).isEmpty
    let hasLock = names.contains(StoreFiles.lockName)
    return hasLock ? hasData || hasJournal : hasData && hasJournal
  }

  /// Whether a name is none that a creation gives. The folder that file systems keep at their root
  /// doesn't count.
  private static func isForeign(_ name: String) -> Bool {
    let own = [StoreFiles.lockName, StoreFiles.newDataName, StoreFiles.newDataName + "-lock"]
    return !own.contains(name) && name != "lost+found"
      && StoreFiles.segmentNumbers(in: [name]).isEmpty
  }
}

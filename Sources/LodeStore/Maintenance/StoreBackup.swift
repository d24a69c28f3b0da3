public import Foundation
internal import LodeKV

extension EngineStore {
  /// Copies the store as it is now into a folder of its own, while others read and save.
  ///
  /// The copy holds exactly the saves up to one moment, is durable when the call returns, and is as small
  /// as it can be. It has the identity of the store, so that object IDs mean the same in it. What is
  /// interrupted leaves a folder with the ending `.incomplete` beside the place, never a half copy in it.
  ///
  /// - Parameter folder: doesn't exist yet; the folder above it is made when it is missing.
  /// - Returns: the sequence number of the last commit in the copy.
  /// - Complexity: all live pages are read and written once; a copy of a store in memory is put together
  ///   anew, row by row.
  /// - Throws: `StoreError` with code `file` when something has the name already, `full` when there is no
  ///   space, and what else the system refuses. The place is as before then.
  @discardableResult
  public func backup(to folder: URL) throws(StoreError) -> UInt64 {
    guard folder.isFileURL else {
      throw StoreError(
        .file, "a store is kept in a folder, which needs a file URL", path: folder.absoluteString)
    }
    guard !FileManager.default.fileExists(atPath: folder.path) else {
      throw StoreError(
        .file, "there is something already: choose a name that isn't taken", path: folder.path)
    }
    do {
      try FileManager.default.createDirectory(
        at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw StoreError(
        .file, "the folder can't be made", path: folder.deletingLastPathComponent().path,
        underlying: error)
    }
    do {
      if let engine = engine as? any DataFileEngine { return try engine.copy(to: folder.path) }
      return try copyPairs(to: folder)
    } catch {
      throw StoreError(wrapping: error, path: folder.path)
    }
  }

  /// Bytes of pairs that are put in one commit of a copy.
  private static let batchByteCount = 8 << 20

  private func copyPairs(to folder: URL) throws -> UInt64 {
    let partial = folder.deletingLastPathComponent().appendingPathComponent(
      "\(folder.lastPathComponent).\(UUID().uuidString).incomplete")
    do {
      let copy = try LMDBEngine(open: partial)
      defer { try? copy.close() }
      let sequence = try engine.read { snapshot in
        let catalogue = try Catalogue(snapshot)
        for tree in [CatalogueKey.tree.number] + (catalogue?.trees.map(\.number) ?? []) {
          try Self.copy(TreeID(tree), of: snapshot, to: copy)
        }
        return try engine.statistics().lastSequence
      }
      try copy.close()
      try FileManager.default.moveItem(at: partial, to: folder)
      return sequence
    } catch {
      try? FileManager.default.removeItem(at: partial)
      throw error
    }
  }

  private static func copy(
    _ tree: TreeID, of snapshot: any KeyValueSnapshot, to copy: LMDBEngine
  ) throws {
    var list = WriteList()
    let cursor = try snapshot.cursor(in: tree)
    var isPresent = try cursor.first()
    while isPresent {
      list.put(cursor.key, cursor.value, in: tree)
      if list.bytes.count >= batchByteCount {
        try copy.commit { [list] _ in list }
        list = WriteList()
      }
      isPresent = try cursor.next()
    }
    try copy.commit { [list] _ in list }
  }
}

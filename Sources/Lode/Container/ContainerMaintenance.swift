public import Foundation
public import LodeStore

extension PersistentContainer {
  /// Compares everything that the store holds with everything else that it must agree with: rows with their
  /// checksums, indexes with rows, relationships with their inverses, unique values, counters.
  ///
  /// Nothing is changed; contexts fetch and save meanwhile.
  ///
  /// - Parameter faultCountMax: how many faults are described; all are counted.
  /// - Complexity: all rows, index entries and links are read.
  /// - Throws: `StoreError` when the store can't be read at all, `unsupported` for a store of another maker.
  public func check(faultCountMax: Int = 1_000) throws -> StoreCheckReport {
    try coordinator.store.check(faultCountMax: faultCountMax)
  }

  /// Takes figures of the store and its files: rows, pages, readers, journal.
  ///
  /// - Throws: `StoreError` when the store can't be read.
  public func figures() throws -> StoreFigures { try coordinator.store.figures() }

  /// Copies the store as it is at one moment into a folder of its own, while contexts fetch and save.
  ///
  /// What contexts haven't saved isn't in the copy, which can be opened as any store.
  ///
  /// - Parameter url: a folder that doesn't exist yet.
  /// - Returns: the sequence number of the last save in the copy.
  /// - Throws: `StoreError` with code `file` when something has the name, `full` when there is no space.
  @discardableResult
  public func backup(to url: URL) throws -> UInt64 { try coordinator.store.backup(to: url) }
}

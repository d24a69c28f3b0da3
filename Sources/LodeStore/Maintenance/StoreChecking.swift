internal import Foundation
internal import LodeKV
internal import LodeModel

extension EngineStore {
  /// Compares everything that the store holds: rows with their checksums, index entries with rows,
  /// relationships with their inverses, unique values, counters.
  ///
  /// Reads one snapshot, while others read and write; nothing is changed. The data file's pages are looked
  /// at when a store is opened, not here.
  ///
  /// - Parameter faultCountMax: how many faults are described; all are counted.
  /// - Complexity: all rows and links, and as many look-ups as there are index entries and links.
  /// - Throws: `StoreError` when the store can't be read at all.
  public func check(faultCountMax: Int = 1_000) throws(StoreError) -> StoreCheckReport {
    let notes = CheckNotes(faultCountMax: faultCountMax)
    do {
      try engine.read { try StoreCheck(schema, $0, notes).run() }
    } catch {
      throw StoreError(wrapping: error, path: url?.path)
    }
    return notes.report
  }
}

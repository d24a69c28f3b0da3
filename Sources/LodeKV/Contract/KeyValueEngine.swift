// The contract between ordered bytes and everything above: trees of key-value pairs, frozen views of
// them, and one way to change them. LMDB and memory are the two engines behind it.

/// One ordered key space of an engine.
///
/// Number 0 is the engine's own; stores number their trees from 1 and never reuse a number.
package struct TreeID: Hashable, Sendable, Comparable {
  /// The number, 0 for the engine's own tree.
  package let number: UInt32

  /// Names a tree by its number.
  package init(_ number: UInt32) { self.number = number }

  /// The engine's own tree, which holds the number of the last applied transaction.
  package static let engine = TreeID(0)

  package static func < (left: TreeID, right: TreeID) -> Bool { left.number < right.number }
}

/// A frozen view of an engine's trees.
///
/// Every pointer that it or its cursors hand out stays valid until the closure that received the
/// snapshot returns; nothing may outlive that closure.
package protocol KeyValueSnapshot: AnyObject {
  /// Returns the value of a key, or nil when the tree doesn't exist or has no such key.
  func value(
    of key: UnsafeRawBufferPointer, in tree: TreeID
  ) throws(EngineError) -> UnsafeRawBufferPointer?

  /// Opens a cursor, which stands before the first pair; a missing tree reads as an empty one.
  func cursor(in tree: TreeID) throws(EngineError) -> any KeyValueCursor

  /// Returns the count of pairs in a tree, in O(1); 0 for a missing tree.
  func count(of tree: TreeID) throws(EngineError) -> Int
}

/// A position in one tree of a snapshot; keys are ordered by unsigned bytes.
///
/// A move returns whether there is a pair at the new position. `key` and `value` are readable only
/// after a move that returned true.
package protocol KeyValueCursor: AnyObject {
  func first() throws(EngineError) -> Bool
  func last() throws(EngineError) -> Bool

  /// Moves to the first pair whose key is at or after the given one.
  func seek(_ key: UnsafeRawBufferPointer) throws(EngineError) -> Bool

  /// Moves to the last pair whose key is before the given one.
  func seekBefore(_ key: UnsafeRawBufferPointer) throws(EngineError) -> Bool

  func next() throws(EngineError) -> Bool
  func previous() throws(EngineError) -> Bool

  var key: UnsafeRawBufferPointer { get }
  var value: UnsafeRawBufferPointer { get }
}

/// Ordered keys and values with snapshots and atomic, journaled commits.
package protocol KeyValueEngine: AnyObject, Sendable {
  /// Runs a closure on a snapshot of the last commit; readers never wait for writers.
  func read<Result>(_ body: (any KeyValueSnapshot) throws -> Result) throws -> Result

  /// Commits one write list atomically, and returns its sequence number.
  ///
  /// The closure runs on the commit's own thread, with every earlier commit visible, and no other
  /// commit can come between it and its write list: this is where versions are compared. An error it
  /// throws is rethrown here and nothing is written. Concurrent callers share one sync. The closure
  /// may read the engine, but neither commit nor ask it for a checkpoint or figures.
  ///
  /// - Parameter durability: what has happened to the bytes on return; nil for what the engine was
  ///   opened with. Concurrent commits get the strongest of theirs.
  /// - Returns: the sequence number of the transaction, or of the last one when the list is empty
  ///   (an empty list writes nothing).
  /// - Throws: the closure's error, or `EngineError` when the disk, the map or the journal failed.
  @discardableResult
  func commit(
    durability: CommitDurability?,
    _ prepare: @escaping @Sendable (any KeyValueSnapshot) throws -> WriteList
  ) throws -> UInt64

  /// Makes everything committed so far durable in the data file and empties the journal.
  func checkpoint() throws(EngineError)

  /// Figures for diagnostics.
  func statistics() throws(EngineError) -> EngineStatistics

  /// Closes the files; later calls throw `EngineError`. Closing twice is allowed.
  func close() throws(EngineError)
}

extension KeyValueEngine {
  /// Commits with the durability that the engine was opened with.
  @discardableResult
  package func commit(
    _ prepare: @escaping @Sendable (any KeyValueSnapshot) throws -> WriteList
  ) throws -> UInt64 {
    try commit(durability: nil, prepare)
  }
}

/// What an engine has written and keeps, for diagnostics; counts start when the engine is opened.
package struct EngineStatistics: Sendable, Hashable {
  /// The sequence number of the last commit, from 1; survives reopening.
  package var lastSequence: UInt64 = 0
  /// The last commit that a power failure can't take; for memory, 0.
  package var durableSequence: UInt64 = 0
  /// Bytes of the journal in use, headers included; at `journalByteCountMax` commits wait for a
  /// checkpoint. 0 for memory, as are the next three.
  package var journalUsedByteCount: UInt64 = 0
  /// The journal's bound, which one group of commits may cross, in bytes.
  package var journalByteCountMax: UInt64 = 0
  /// Bytes by which the data file has grown since its checkpoint; at `growthByteCountMax` commits wait
  /// for the next one.
  package var growthByteCount: UInt64 = 0
  /// The bound of that growth, which one group of commits may cross, in bytes.
  package var growthByteCountMax: UInt64 = 0
  /// Frames written to the journal since opening; one a commit.
  package var journalFrameCount: UInt64 = 0
  /// Syncs of the journal since opening; concurrent commits share one.
  package var journalSyncCount: UInt64 = 0
  /// Payload bytes written to the journal since opening, without headers and padding.
  package var journalPayloadByteCount: UInt64 = 0
  /// Checkpoints made since opening.
  package var checkpointCount: UInt64 = 0
  /// Size of the data file in bytes; for memory, the bytes of keys and values.
  package var dataFileByteCount: UInt64 = 0
  /// Allocated size of all journal segments in bytes.
  package var journalFileByteCount: UInt64 = 0

  /// Makes figures of nothing.
  package init() {}
}

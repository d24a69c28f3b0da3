public import Foundation

/// What a store's files hold and where their bytes go, for people and for monitoring.
public struct StoreFigures: Sendable, Hashable, Codable {
  /// Rows of one entity, sub-entities counted by themselves.
  public struct EntityFigures: Sendable, Hashable, Codable {
    /// The entity's name.
    public var name: String
    /// How many rows there are.
    public var rowCount: Int
    /// Bytes of the records before compression.
    public var rawByteCount: Int
    /// Bytes of the records as they are stored.
    public var storedByteCount: Int
    /// Compression dictionaries that records may name.
    public var dictionaryCount: Int
    /// Bytes of those dictionaries.
    public var dictionaryByteCount: Int
  }

  /// One tree of the data file.
  public struct TreeFigures: Sendable, Hashable, Codable {
    /// What the tree holds, such as “records of Player” or “index Player.age”.
    public var name: String
    /// How many entries there are.
    public var entryCount: Int
    /// Pages on the way from the root to an entry.
    public var depth: Int
    /// Pages of the tree.
    public var pageCount: Int
  }

  /// Somebody who reads an old state and thereby keeps its pages from being used again.
  public struct Reader: Sendable, Hashable, Codable {
    /// The process that reads.
    public var processID: Int
    /// How many commits have been made since the one that is read.
    public var commitsBehind: Int
  }

  /// The store's identity.
  public var identifier: UUID
  /// The format of the catalogue and the records.
  public var format: Int
  /// The number of the last commit.
  public var lastSequence: UInt64
  /// The last commit that a power failure can't take.
  public var durableSequence: UInt64
  /// The entities, by name.
  public var entities: [EntityFigures]
  /// Size of the data file in bytes.
  public var dataFileByteCount: UInt64
  /// Bytes of a page; 0 in memory, as are all figures of pages and of the journal.
  public var pageByteCount: Int
  /// Pages up to the last one in use.
  public var pageCount: Int
  /// Pages that hold something.
  public var livePageCount: Int
  /// Pages that hold nothing and will be used again.
  public var freePageCount: Int
  /// The trees that hold something.
  public var trees: [TreeFigures]
  /// Readers of all processes, the pin of the last checkpoint included.
  public var readers: [Reader]
  /// Size of the journal's files in bytes.
  public var journalFileByteCount: UInt64
  /// Bytes of the journal in use.
  public var journalUsedByteCount: UInt64
  /// The bound of the journal, in bytes.
  public var journalByteCountMax: UInt64
  /// Bytes by which the data file has grown since the last checkpoint.
  public var growthByteCount: UInt64
  /// The bound of that growth, in bytes.
  public var growthByteCountMax: UInt64
}

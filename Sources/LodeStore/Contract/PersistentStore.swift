public import Foundation
public import LodeModel

/// Rows of entities: what the object graph asks of every kind of store.
///
/// A store may be called from any thread. Each call sees one committed state; no call keeps a snapshot
/// open after it returns.
public protocol PersistentStore: AnyObject, Sendable {
  /// The store's identity, which is part of the IDs of its objects.
  var identifier: StoreIdentifier { get }
  var type: StoreType { get }
  /// Where the store is kept; nil for one in memory.
  var url: URL? { get }
  var model: ManagedObjectModel { get }

  /// Returns the rows that a query asks for.
  ///
  /// - Complexity: the rows of the result where an index has the query's condition and order,
  ///   otherwise all rows of the entity.
  /// - Throws: `StoreError` when the store can't be read or the predicate can't be evaluated.
  func rows(_ query: StoreQuery) throws(StoreError) -> [ObjectRow]

  /// Returns the IDs of the rows that a query asks for, in its order.
  func objectIDs(_ query: StoreQuery) throws(StoreError) -> [ManagedObjectID]

  /// Returns how many rows a query asks for, its limit and offset included.
  func count(_ query: StoreQuery) throws(StoreError) -> Int

  /// Returns the rows of IDs, at the position of each; nil where there is no such row.
  func rows(for objectIDs: [ManagedObjectID]) throws(StoreError) -> [ObjectRow?]

  /// Returns the members of a to-many relationship, in its order or by object number.
  ///
  /// Members whose rows are gone (which only a relationship without an inverse or with the delete rule
  /// `noAction` can leave behind) are left out.
  ///
  /// - Parameter relationship: a to-many relationship of the owner's entity.
  func members(
    of relationship: Property, owner: ManagedObjectID
  ) throws(StoreError) -> [ManagedObjectID]

  /// Gives out object numbers, never to be given out again, even when no row ever uses them.
  func reserveObjectNumbers(count: Int) throws(StoreError) -> Range<UInt64>

  /// Carries out a change set: atomic, and durable when the call returns as far as the change set's
  /// `durability` asks.
  ///
  /// - Throws: `StoreError` with code `conflict` when a row to change or remove has another version or
  ///   is gone, `constraint` when a uniqueness constraint would break (both list the objects), or
  ///   another code when the store can't be written. Nothing is changed then.
  func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt

  /// Says how a query would be run, as text for people.
  func explain(_ query: StoreQuery) throws(StoreError) -> String

  /// Figures for diagnostics.
  func statistics() throws(StoreError) -> StoreStatistics

  /// Compares everything that the store holds with everything else that it must agree with; nothing is
  /// changed, others read and save meanwhile.
  ///
  /// - Parameter faultCountMax: how many faults are described; all are counted.
  func check(faultCountMax: Int) throws(StoreError) -> StoreCheckReport

  /// Figures of the store and its files: rows, pages, readers, journal.
  func figures() throws(StoreError) -> StoreFigures

  /// Copies the store as it is at one moment to a place that isn't taken, while others read and save.
  ///
  /// - Returns: the sequence number of the last commit in the copy.
  @discardableResult
  func backup(to url: URL) throws(StoreError) -> UInt64

  /// Makes everything committed durable in the data file and closes the store.
  func close() throws(StoreError)
}

extension PersistentStore {
  /// Says that this kind of store can't be checked.
  public func check(faultCountMax: Int) throws(StoreError) -> StoreCheckReport {
    throw unsupported("be checked")
  }

  /// Says that this kind of store has no figures of its files.
  public func figures() throws(StoreError) -> StoreFigures { throw unsupported("tell its figures") }

  /// Says that this kind of store can't be copied.
  @discardableResult
  public func backup(to url: URL) throws(StoreError) -> UInt64 { throw unsupported("be copied") }

  private func unsupported(_ what: String) -> StoreError {
    StoreError(.unsupported, "a store of type “\(type.rawValue)” can't \(what)", path: url?.path)
  }
}

/// A kind of store.
public struct StoreType: RawRepresentable, Hashable, Sendable {
  public let rawValue: String
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A folder with an LMDB file and a journal.
  public static let lmdb = StoreType(rawValue: "lmdb")
  /// In memory, gone with the store.
  public static let inMemory = StoreType(rawValue: "inMemory")
}

/// Figures of a store.
public struct StoreStatistics: Sendable, Hashable {
  /// Rows of each entity that has any, sub-entities counted by themselves.
  public var rowCounts: [String: Int] = [:]
  /// Bytes of all records before compression.
  public var rawByteCount: UInt64 = 0
  /// Bytes of all records as they are stored.
  public var storedByteCount: UInt64 = 0
  /// Frames written to the journal since the store was opened, one a commit.
  public var journalFrameCount: UInt64 = 0
  /// Syncs of the journal since the store was opened.
  public var journalSyncCount: UInt64 = 0
  /// Size of the data file in bytes.
  public var dataFileByteCount: UInt64 = 0
  /// Size of the journal's files in bytes.
  public var journalFileByteCount: UInt64 = 0
  /// The sequence number of the last commit.
  public var lastSequence: UInt64 = 0
  /// The sequence number of the last commit that a power failure can't take.
  public var durableSequence: UInt64 = 0

  /// Makes figures of nothing.
  public init() {}
}

// What tree 1 holds: what the store is, its entities, its trees and its counters. `docs/data-file.md` has
// the keys and values.

internal import Foundation
internal import LodeKV
internal import LodeModel

/// Keys of the catalogue.
enum CatalogueKey {
  static let tree = TreeID(1)
  static let format = 2

  static let store: [UInt8] = [UInt8(ascii: "s")]
  static let objectNumber: [UInt8] = [UInt8(ascii: "o")]

  static let entityMark = UInt8(ascii: "e")
  static let treeMark = UInt8(ascii: "t")
  static let countersMark = UInt8(ascii: "n")
  static let dictionaryMark = UInt8(ascii: "d")

  static func entity(_ number: UInt16) -> [UInt8] { key(entityMark, number) }
  static func tree(_ number: UInt32) -> [UInt8] { key(treeMark, number) }
  static func counters(ofEntity number: UInt16) -> [UInt8] { key(countersMark, number) }

  static func dictionary(ofEntity entityNumber: UInt16, _ number: UInt16) -> [UInt8] {
    var key = key(dictionaryMark, entityNumber)
    key.appendBigEndian(number)
    return key
  }

  private static func key(_ mark: UInt8, _ number: some FixedWidthInteger) -> [UInt8] {
    var key = [mark]
    key.appendBigEndian(number)
    return key
  }
}

/// A value of the catalogue as it is stored: its bytes, then a checksum over its key and them.
enum SealedValue {
  static let checksumByteCount = 4

  /// Returns a value with its checksum.
  static func seal(_ bytes: [UInt8], of key: [UInt8]) -> [UInt8] {
    var sealed = bytes
    sealed.appendInteger(
      key.withUnsafeBytes { key in bytes.withUnsafeBytes { checksum(key, $0) } })
    return sealed
  }

  /// Returns a value without its checksum; nil when that is wrong.
  static func open(
    _ value: UnsafeRawBufferPointer, of key: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    let byteCount = value.count - checksumByteCount
    guard byteCount >= 0 else { return nil }
    let bytes = value.part(0, byteCount)
    guard checksum(key, bytes) == value.integer(at: byteCount, as: UInt32.self) else { return nil }
    return bytes
  }

  private static func checksum(
    _ key: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer
  ) -> UInt32 {
    CRC32C.checksum(of: bytes, seed: CRC32C.checksum(of: key))
  }
}

/// What the store is.
struct StoreEntry: Codable, Hashable {
  var format: Int
  var uuid: UUID
  /// Numbers that no tree and no entity has had yet.
  var nextTree: UInt32
  var nextEntity: UInt32
}

/// One entity: its number in references, its place and what its model said of it.
struct EntityEntry: Codable, Hashable {
  /// One field of a record, by slot.
  struct Field: Codable, Hashable {
    var name: String
    var kind: String
  }

  var number: UInt16
  var versionHash: String
  /// The tree of its records, shared by all entities of one inheritance tree.
  var recordTree: UInt32
  var revision: UInt16
  var fields: [Field]
  var description: EntityCoding
}

/// What a tree is for.
struct TreeEntry: Codable, Hashable {
  enum Purpose: String, Codable, Hashable {
    case records, index, constraint, links
  }

  var number: UInt32
  var purpose: Purpose
  /// The entity that declares the index, constraint or relationship; the root entity for records.
  var entity: UInt16
  /// The name of the index or the relationship, the names of a constraint's properties.
  var name: String
  /// What the keys of an index or a constraint are made of.
  var elements: [IndexCoding.Element]
}

/// Rows and record bytes of one entity, kept exact by every commit.
struct EntityCounters: Hashable, Sendable {
  var rowCount: Int64 = 0
  /// Bytes of the records before compression.
  var rawByteCount: Int64 = 0
  /// Bytes of the records as they are stored.
  var storedByteCount: Int64 = 0

  init() {}

  init(_ bytes: UnsafeRawBufferPointer) throws(RecordError) {
    guard bytes.count == 24 else { throw .malformed(reason: "counters of \(bytes.count) bytes") }
    rowCount = bytes.integer(at: 0, as: Int64.self)
    rawByteCount = bytes.integer(at: 8, as: Int64.self)
    storedByteCount = bytes.integer(at: 16, as: Int64.self)
  }

  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendInteger(rowCount)
    bytes.appendInteger(rawByteCount)
    bytes.appendInteger(storedByteCount)
    return bytes
  }

  static func += (left: inout Self, right: Self) {
    left.rowCount += right.rowCount
    left.rawByteCount += right.rawByteCount
    left.storedByteCount += right.storedByteCount
  }
}

internal import Foundation
internal import LodeKV
internal import LodeModel

/// A record's bytes where they lie, in an engine's snapshot or in memory, with their layout.
///
/// Valid as long as the bytes and the layout are, which it doesn't keep: layouts live as long as their
/// store's schema, or as the record that keeps one. Every read is checked against the bytes' end:
/// damaged bytes give a `RecordError`, never a trap. One property is found in O(1).
struct RecordView {
  let bytes: UnsafeRawBufferPointer
  /// The number of the object whose record it is.
  let number: UInt64
  /// Unsafe but in time: see above. A counted reference would be the dearest part of reading a field.
  unowned(unsafe) let layout: RecordLayout
  private let table: UnsafePointer<RecordLayout.Table>

  /// Checks everything but the tail against the record's checksum; a few nanoseconds.
  ///
  /// - Parameter number: the object's, which is part of what the checksum is over.
  /// - Throws: `RecordError.damaged` when the bytes aren't those that were written for the object.
  @inline(__always)
  init(
    _ bytes: UnsafeRawBufferPointer, of number: UInt64, layout: RecordLayout
  ) throws(RecordError) {
    self.init(checked: bytes, of: number, layout: layout)
    if let fault = headFault() { throw damaged("\(fault)") }
  }

  /// - Parameter bytes: have passed the checks of `init(_:of:layout:)` before.
  @inline(__always)
  init(checked bytes: UnsafeRawBufferPointer, of number: UInt64, layout: RecordLayout) {
    self.bytes = bytes
    self.number = number
    self.layout = layout
    table = layout.table
  }

  /// Where a slot's field stands.
  @inline(__always)
  func field(_ slot: Int) -> RecordLayout.Field { table.pointee.field(slot) }

  /// Returns the entity number in a record's header; nil when the bytes are shorter than a header.
  static func entityNumber(of bytes: UnsafeRawBufferPointer) -> UInt16? {
    bytes.count >= RecordLayout.headerByteCount ? entityNumber(bytes) : nil
  }

  private static func entityNumber(_ bytes: UnsafeRawBufferPointer) -> UInt16 {
    bytes.integer(at: RecordHeader.entityOffset, as: UInt16.self)
  }

  var version: UInt32 { bytes.integer(at: RecordHeader.versionOffset, as: UInt32.self) }

  /// The record's bytes before compression.
  var rawByteCount: Int {
    bytes.count - storedTail.count + tailByteCount
  }

  @inline(__always)
  func isNull(at slot: Int) -> Bool {
    bytes[RecordLayout.headerByteCount + slot >> 3] & 1 << UInt8(slot & 7) == 0
  }

  // MARK: Checksums

  /// Returns what is wrong with the record up to its tail; nil when it is as it was written.
  @inline(__always)
  private func headFault() -> StaticString? {
    guard bytes.count >= table.pointee.headStart else { return "it is cut short" }
    let end = headEnd
    let tailByteCount = bytes.count - end
    guard hasTail ? tailByteCount >= RecordHeader.tailChecksumByteCount : tailByteCount == 0 else {
      return "its length is another"
    }
    let stored = bytes.integer(at: RecordHeader.checksumOffset, as: UInt32.self)
    guard RecordHeader.checksum(bytes, upTo: end, of: number) == stored else {
      return "its checksum is wrong"
    }
    guard bytes[RecordHeader.formatOffset] == RecordHeader.format,
      bytes[RecordHeader.flagsOffset] & ~RecordHeader.knownFlags == 0
    else { return "its format is unknown" }
    guard Self.entityNumber(bytes) == table.pointee.entityNumber,
      bytes.integer(at: RecordHeader.revisionOffset, as: UInt16.self) == RecordHeader.revision
    else { return "it is one of another entity" }
    return nil
  }

  /// Checks the tail, as it is stored, against its checksum.
  ///
  /// - Throws: `RecordError.damaged`.
  func checkTail() throws(RecordError) {
    guard hasTail else { return }
    let place = bytes.count - RecordHeader.tailChecksumByteCount
    let stored = bytes.integer(at: place, as: UInt32.self)
    let seed = RecordHeader.seed(number)
    guard CRC32C.checksum(of: storedTail, seed: seed) == stored else {
      throw damaged("the checksum of its long values is wrong")
    }
  }

  @inline(never)
  func damaged(_ reason: String) -> RecordError {
    .damaged(
      objectID: ManagedObjectID(
        store: layout.references.store, entityName: layout.entityName, number: number),
      reason: reason)
  }

  // MARK: Fixed fields

  /// Returns the bits of a fixed field; for a null one whatever its place holds, which is 0.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(
    at slot: Int, as type: Integer.Type
  ) -> Integer {
    bytes.integer(at: field(slot).place, as: type)
  }

  // MARK: The tail

  var hasCompressedTail: Bool {
    bytes[RecordHeader.flagsOffset] & RecordHeader.compressedTail != 0
  }

  private var hasTail: Bool { tailByteCount > 0 }

  var dictionaryNumber: UInt16 {
    bytes.integer(at: RecordHeader.dictionaryOffset, as: UInt16.self)
  }

  /// The tail's length in bytes before compression.
  var tailByteCount: Int {
    Int(bytes.integer(at: RecordHeader.tailByteCountOffset, as: UInt32.self))
  }

  /// The tail as it is stored, without its checksum; empty when there is none.
  var storedTail: UnsafeRawBufferPointer {
    guard hasTail else { return bytes.part(0, 0) }
    let start = headEnd
    return bytes.part(start, bytes.count - RecordHeader.tailChecksumByteCount - start)
  }

  /// Where the head ends, as the offset table says.
  @inline(__always)
  var headEnd: Int {
    let variableCount = table.pointee.variableCount
    return table.pointee.headStart + (variableCount == 0 ? 0 : entry(variableCount - 1).end)
  }

  /// Decompresses the tail, whose checksum has been found right, into memory of exactly its length.
  ///
  /// - Throws: `RecordError` when its dictionary is missing, or it was wrong when it was written.
  func decompressTail(into target: UnsafeMutableRawBufferPointer) throws(RecordError) {
    try layout.tails.decompress(storedTail, dictionaryNumber: dictionaryNumber, into: target)
  }

  // MARK: Variable fields

  /// Where a variable field's bytes are.
  enum Piece {
    case bytes(UnsafeRawBufferPointer)
    /// In the tail before compression, which is long enough.
    case tail(offset: Int, byteCount: Int)
  }

  /// Finds the bytes of a variable field that isn't null.
  func piece(at slot: Int) throws(RecordError) -> Piece {
    let index = field(slot).place
    let headStart = table.pointee.headStart
    let (end, isInTail) = entry(index)
    let start = index == 0 ? 0 : entry(index - 1).end
    guard start <= end, headStart + end <= headEnd else {
      throw malformed(slot, "is outside of its record")
    }
    let head = bytes.part(headStart + start, end - start)
    guard isInTail else { return .bytes(head) }
    guard head.count == 8 else { throw malformed(slot, "has no place in the tail") }
    return try tailPiece(
      Int(head.integer(at: 0, as: UInt32.self)), Int(head.integer(at: 4, as: UInt32.self)), slot)
  }

  private func tailPiece(
    _ offset: Int, _ byteCount: Int, _ slot: Int
  ) throws(RecordError) -> Piece {
    guard offset + byteCount <= tailByteCount else { throw malformed(slot, "ends after its tail") }
    return .tail(offset: offset, byteCount: byteCount)
  }

  private func entry(_ index: Int) -> (end: Int, isInTail: Bool) {
    let tableStart = table.pointee.tableStart
    if table.pointee.isWide {
      let entry = bytes.integer(at: tableStart + index * 4, as: UInt32.self)
      return (Int(entry & 0x7FFF_FFFF), entry & 0x8000_0000 != 0)
    }
    let entry = bytes.integer(at: tableStart + index * 2, as: UInt16.self)
    return (Int(entry & 0x7FFF), entry & 0x8000 != 0)
  }

  func malformed(_ slot: Int, _ fact: String) -> RecordError {
    damaged("“\(layout.properties[slot].name)” \(fact)")
  }
}

/// The offsets and flags of a record's first 20 bytes, and how its checksums are made.
enum RecordHeader {
  static let format: UInt8 = 2
  /// The only revision of a layout so far.
  static let revision: UInt16 = 1

  static let compressedTail: UInt8 = 1
  static let knownFlags = compressedTail

  static let checksumOffset = 0
  static let formatOffset = 4
  static let flagsOffset = 5
  static let entityOffset = 6
  static let versionOffset = 8
  static let revisionOffset = 12
  static let dictionaryOffset = 14
  static let tailByteCountOffset = 16

  /// Behind a tail.
  static let tailChecksumByteCount = 4

  /// What a checksum starts with, so that the record of one object is damaged under another's number.
  @inline(__always)
  static func seed(_ number: UInt64) -> UInt32 {
    // Odd, so that no change of one bit is lost.
    UInt32(truncatingIfNeeded: number) &+ UInt32(truncatingIfNeeded: number >> 32) &* 0x9E37_79B1
  }

  /// Returns the checksum of a record without its tail: of everything behind the checksum itself.
  ///
  /// - Parameter end: where the head ends, inside the bytes.
  @inline(__always)
  static func checksum(
    _ bytes: UnsafeRawBufferPointer, upTo end: Int, of number: UInt64
  ) -> UInt32 {
    CRC32C.checksum(of: bytes.part(formatOffset, end - formatOffset), seed: seed(number))
  }
}

/// Gives the tail of one record before compression, checked.
protocol TailSource {
  func tail(of record: RecordView) throws(RecordError) -> UnsafeRawBufferPointer
}

extension RecordView {
  /// Returns the bytes of a variable field that isn't null.
  func variableBytes(
    at slot: Int, tails: some TailSource
  ) throws(RecordError) -> UnsafeRawBufferPointer {
    switch try piece(at: slot) {
    case .bytes(let bytes): return bytes
    case .tail(let offset, let byteCount):
      let tail = try tails.tail(of: self)
      guard offset + byteCount <= tail.count else { throw malformed(slot, "ends after its tail") }
      return tail.part(offset, byteCount)
    }
  }

  /// Returns a property's value; `.null` for slots that records don't have.
  func value(at slot: Int, tails: some TailSource) throws(RecordError) -> Value {
    let kind = field(slot).kind
    guard !isNull(at: slot) else { return .null }
    switch kind {
    case .none: return .null
    case .boolean: return .boolean(integer(at: slot, as: UInt8.self) != 0)
    case .integer16: return .integer(Int64(integer(at: slot, as: Int16.self)))
    case .integer32: return .integer(Int64(integer(at: slot, as: Int32.self)))
    case .integer64: return .integer(integer(at: slot, as: Int64.self))
    case .float:
      return .double(Double(Float(bitPattern: integer(at: slot, as: UInt32.self))))
    case .double: return .double(double(at: slot))
    case .date: return .date(Date(timeIntervalSinceReferenceDate: double(at: slot)))
    case .uuid: return .uuid(uuid(at: slot))
    case .reference: return .objectID(try layout.references.objectID(of: reference(at: slot)))
    case .decimal, .string, .uri, .data, .composite:
      let bytes = try variableBytes(at: slot, tails: tails)
      return try VariableCoding.value(kind, bytes, layout, slot)
    }
  }

  @inline(__always)
  func double(at slot: Int) -> Double {
    Double(bitPattern: integer(at: slot, as: UInt64.self))
  }

  @inline(__always)
  func reference(at slot: Int) -> ObjectReference {
    ObjectReference(bits: integer(at: slot, as: UInt64.self))
  }

  func uuid(at slot: Int) -> UUID {
    UUID(uuid: bytes.loadUnaligned(fromByteOffset: field(slot).place, as: uuid_t.self))
  }
}

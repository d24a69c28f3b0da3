internal import Foundation
internal import LodeModel

/// A record's bytes where they lie, in an engine's snapshot or in memory, with their layout.
///
/// Valid as long as the bytes and the layout are, which it doesn't keep: layouts live as long as their
/// store's schema, or as the record that keeps one. Every read is checked against the bytes' end:
/// damaged bytes give a `RecordError`, never a trap. One property is found in O(1).
struct RecordView {
  let bytes: UnsafeRawBufferPointer
  /// Unsafe but in time: see above. A counted reference would be the dearest part of reading a field.
  unowned(unsafe) let layout: RecordLayout
  private let table: UnsafePointer<RecordLayout.Table>

  /// - Throws: `RecordError.malformed` when the header isn't one of this layout.
  init(_ bytes: UnsafeRawBufferPointer, layout: RecordLayout) throws(RecordError) {
    let table = layout.table
    guard bytes.count >= table.pointee.headStart else {
      throw .malformed(reason: "a record cut short")
    }
    guard bytes[0] == RecordHeader.format, bytes[1] & ~RecordHeader.knownFlags == 0 else {
      throw .malformed(reason: "a record of format \(bytes[0]), flags \(bytes[1])")
    }
    guard Self.entityNumber(bytes) == table.pointee.entityNumber,
      bytes.integer(at: RecordHeader.revisionOffset, as: UInt16.self) == RecordHeader.revision
    else { throw .malformed(reason: "a record of another entity or layout") }
    self.init(checked: bytes, layout: layout)
  }

  /// - Parameter bytes: have passed the checks of `init(_:layout:)` before.
  @inline(__always)
  init(checked bytes: UnsafeRawBufferPointer, layout: RecordLayout) {
    self.bytes = bytes
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
    guard hasCompressedTail else { return bytes.count }
    return bytes.count - storedTail.count + tailByteCount
  }

  @inline(__always)
  func isNull(at slot: Int) -> Bool {
    bytes[RecordLayout.headerByteCount + slot >> 3] & 1 << UInt8(slot & 7) == 0
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

  var hasCompressedTail: Bool { bytes[1] & RecordHeader.compressedTail != 0 }

  var dictionaryNumber: UInt16 {
    bytes.integer(at: RecordHeader.dictionaryOffset, as: UInt16.self)
  }

  /// The tail's length in bytes before compression.
  var tailByteCount: Int {
    Int(bytes.integer(at: RecordHeader.tailByteCountOffset, as: UInt32.self))
  }

  /// The tail as it is stored; empty when the offset table is damaged.
  var storedTail: UnsafeRawBufferPointer {
    let variableCount = table.pointee.variableCount
    let headEnd = variableCount == 0 ? 0 : entry(variableCount - 1).end
    let start = table.pointee.headStart + headEnd
    return start > bytes.count ? bytes.part(0, 0) : bytes.part(start, bytes.count - start)
  }

  /// Decompresses the tail into memory of exactly its length.
  ///
  /// - Throws: `RecordError` when the tail is damaged or its dictionary is missing.
  func decompressTail(into target: UnsafeMutableRawBufferPointer) throws(RecordError) {
    try layout.tails.decompress(storedTail, dictionaryNumber: dictionaryNumber, into: target)
  }

  // MARK: Variable fields

  /// Where a variable field's bytes are.
  enum Piece {
    case bytes(UnsafeRawBufferPointer)
    /// In the decompressed tail, which is known to be long enough.
    case compressed(offset: Int, byteCount: Int)
  }

  /// Finds the bytes of a variable field that isn't null.
  func piece(at slot: Int) throws(RecordError) -> Piece {
    let index = field(slot).place
    let headStart = table.pointee.headStart
    let (end, isInTail) = entry(index)
    let start = index == 0 ? 0 : entry(index - 1).end
    guard start <= end, end <= bytes.count - headStart else {
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
    if hasCompressedTail {
      guard offset + byteCount <= tailByteCount else {
        throw malformed(slot, "ends after its tail")
      }
      return .compressed(offset: offset, byteCount: byteCount)
    }
    let tail = storedTail
    guard offset + byteCount <= tail.count else { throw malformed(slot, "ends after its tail") }
    return .bytes(tail.part(offset, byteCount))
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
    .malformed(reason: "“\(layout.properties[slot].name)” of a record \(fact)")
  }
}

/// The offsets and flags of a record's first 16 bytes.
enum RecordHeader {
  static let format: UInt8 = 1
  /// The only revision of a layout so far.
  static let revision: UInt16 = 1

  static let compressedTail: UInt8 = 1
  /// Kept for a checksum over the record, which nothing writes yet.
  static let checksum: UInt8 = 2
  static let knownFlags = compressedTail

  static let entityOffset = 2
  static let versionOffset = 4
  static let revisionOffset = 8
  static let dictionaryOffset = 10
  static let tailByteCountOffset = 12
}

/// Gives the decompressed tail of one record.
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
    case .compressed(let offset, let byteCount):
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

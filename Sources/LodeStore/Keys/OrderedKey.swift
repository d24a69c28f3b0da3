// Ordered keys: values as bytes whose unsigned order is `Value.sortOrder`, each knowing where it ends, so
// that several can follow one another. `docs/data-file.md` has the table.
//
//   null                     00
//   any other value          01, then
//     Boolean                00 or 01
//     integer                2, 4 or 8 bytes, big endian, sign bit flipped
//     float, double, date    8 bytes: the double's bits, all flipped when negative, else the sign bit;
//                            -0 as 0, every NaN as one after infinity
//     decimal                see DecimalKey.swift
//     string, URI            NFC as UTF-8, 00 written as 00 FF, then 00 00; cut ones end with 00 01
//     UUID                   16 bytes
//     reference              number (6 bytes), entity (2 bytes), big endian
//   descending               all bytes of the value complemented
//
// Cut strings keep what fits the budget. Those with one kept part have equal keys: their records decide.

internal import Foundation
internal import LodeModel

/// Bytes that order values as sorts do.
struct OrderedKey: Sendable {
  private(set) var bytes: [UInt8] = []

  /// Where the first value that was cut ends; nil when none was.
  private(set) var cutEnd: Int?

  /// The bytes that text may take when it isn't to be cut at all.
  static let unlimited = Int.max

  init() {}

  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    cutEnd = nil
  }

  mutating func append(raw other: some Sequence<UInt8>) { bytes.append(contentsOf: other) }

  mutating func append(number: UInt64) { ObjectKey(number).append(to: &bytes) }

  // MARK: Values

  /// Appends a value that a property of the kind can hold.
  ///
  /// - Parameter textBudget: the most bytes that text may take, 8 or more.
  /// - Returns: false, with nothing appended, when the value isn't of the kind.
  mutating func append(
    _ value: Value, as kind: RecordLayout.Kind, isAscending: Bool, textBudget: Int,
    references: ReferenceTable
  ) -> Bool {
    let start = bytes.count
    guard !value.isNull else {
      bytes.append(0)
      complement(from: start, unless: isAscending)
      return true
    }
    bytes.append(1)
    guard appendContent(value, kind, textBudget, references) else {
      bytes.removeSubrange(start...)
      return false
    }
    complement(from: start, unless: isAscending)
    return true
  }

  private mutating func appendContent(
    _ value: Value, _ kind: RecordLayout.Kind, _ textBudget: Int, _ references: ReferenceTable
  ) -> Bool {
    switch (kind, value) {
    case (.boolean, .boolean(let boolean)): bytes.append(boolean ? 1 : 0)
    case (.integer16, .integer(let number)): appendSigned(Int16(truncatingIfNeeded: number))
    case (.integer32, .integer(let number)): appendSigned(Int32(truncatingIfNeeded: number))
    case (.integer64, .integer(let number)): appendSigned(number)
    case (.float, .double(let number)), (.double, .double(let number)): append(double: number)
    case (.date, .date(let date)): append(double: date.timeIntervalSinceReferenceDate)
    case (.decimal, .decimal(let decimal)): DecimalKey.append(decimal, to: &bytes)
    case (.string, .string(let text)): append(text: text, textBudget)
    case (.uri, .uri(let url)): append(text: url.absoluteString, textBudget)
    case (.uuid, .uuid(let uuid)): withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
    case (.reference, .objectID(let objectID)):
      guard let reference = references.reference(to: objectID) else { return false }
      bytes.appendBigEndian(reference.bits)
    default: return false
    }
    return true
  }

  /// Appends a record's value of a slot.
  mutating func append(
    _ record: RecordView, slot: Int, isAscending: Bool, textBudget: Int, tails: some TailSource
  ) throws(RecordError) {
    let start = bytes.count
    if record.isNull(at: slot) {
      bytes.append(0)
    } else {
      bytes.append(1)
      try appendContent(record, slot, textBudget, tails)
    }
    complement(from: start, unless: isAscending)
  }

  private mutating func appendContent(
    _ record: RecordView, _ slot: Int, _ textBudget: Int, _ tails: some TailSource
  ) throws(RecordError) {
    switch record.field(slot).kind {
    case .boolean: bytes.append(record.integer(at: slot, as: UInt8.self) == 0 ? 0 : 1)
    case .integer16: appendSigned(record.integer(at: slot, as: Int16.self))
    case .integer32: appendSigned(record.integer(at: slot, as: Int32.self))
    case .integer64: appendSigned(record.integer(at: slot, as: Int64.self))
    case .float:
      append(double: Double(Float(bitPattern: record.integer(at: slot, as: UInt32.self))))
    case .double, .date: append(double: record.double(at: slot))
    case .uuid: withUnsafeBytes(of: record.uuid(at: slot).uuid) { bytes.append(contentsOf: $0) }
    case .reference: bytes.appendBigEndian(record.reference(at: slot).bits)
    case .string, .uri:
      append(utf8: try record.variableBytes(at: slot, tails: tails), textBudget)
    case .decimal:
      let content = try record.variableBytes(at: slot, tails: tails)
      DecimalKey.append(try DecimalCoding.decode(content), to: &bytes)
    case .data, .composite, .none:
      preconditionFailure("the model lets only ordered properties into keys")
    }
  }

  private mutating func complement(from start: Int, unless isAscending: Bool) {
    guard !isAscending else { return }
    for index in start..<bytes.count { bytes[index] = ~bytes[index] }
  }

  // MARK: Numbers

  private mutating func appendSigned<Number: FixedWidthInteger & SignedInteger>(_ number: Number) {
    bytes.appendBigEndian(number ^ Number.min)
  }

  private mutating func append(double: Double) {
    let canonical = double.isNaN ? Double.nan : double == 0 ? 0 : double
    let bits = canonical.bitPattern
    bytes.appendBigEndian(bits >> 63 == 1 ? ~bits : bits | 1 << 63)
  }

  // MARK: Text

  private mutating func append(text: String, _ budget: Int) {
    var text = text
    text.withUTF8 { append(utf8: UnsafeRawBufferPointer($0), budget) }
  }

  private mutating func append(utf8 text: UnsafeRawBufferPointer, _ budget: Int) {
    guard CanonicalText.isCanonical(text) else {
      return CanonicalText.withCanonical(text) { append(canonical: $0, budget) }
    }
    append(canonical: text, budget)
  }

  private mutating func append(canonical text: UnsafeRawBufferPointer, _ budget: Int) {
    let start = bytes.count
    if text.count <= budget - 2, !text.contains(0) {
      bytes.append(contentsOf: text)
      bytes.append(contentsOf: [0, 0])
      return
    }
    for byte in text {
      bytes.append(byte)
      if byte == 0 { bytes.append(0xFF) }
      if bytes.count - start > budget - 2 { return cutText(from: start, budget) }
    }
    bytes.append(contentsOf: [0, 0])
  }

  /// Cuts text that has outgrown its budget, between two characters' escapes.
  private mutating func cutText(from start: Int, _ budget: Int) {
    bytes.removeSubrange((start + budget - 2)...)
    // An escape that lost its second half would read as an end.
    if bytes.count > start, bytes[bytes.count - 1] == 0 { bytes.removeLast() }
    bytes.append(contentsOf: [0, 1])
    if cutEnd == nil { cutEnd = bytes.count }
  }

  /// Appends the beginning of text, without an end: all keys of text that begins so begin so.
  ///
  /// - Returns: false when the prefix was cut to the budget.
  mutating func append(
    textPrefix prefix: String, isAscending: Bool, textBudget: Int
  ) -> Bool {
    let start = bytes.count
    var text = OrderedKey()
    text.append(text: prefix, textBudget)
    bytes.append(1)
    bytes.append(contentsOf: text.bytes.dropLast(2))
    complement(from: start, unless: isAscending)
    return text.cutEnd == nil
  }
}

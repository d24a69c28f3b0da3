internal import Foundation
internal import LodeKV
internal import LodeModel

/// Writes records; keeps its scratch memory from one to the next. For one thread at a time.
struct RecordEncoder {
  /// The last record written.
  private(set) var bytes: [UInt8] = []
  /// The last record's tail before compression.
  private(set) var tail: [UInt8] = []
  private var scratch: [UInt8] = []
  /// Dictionaries to use instead of the current ones, by entity number.
  var dictionaries: [UInt16: TailDictionary] = [:]

  init() {}

  /// Encodes a row into `bytes`.
  ///
  /// - Parameters:
  ///   - values: one for each slot; `.null` where records have no field.
  ///   - number: the object's.
  /// - Throws: `RecordError` when a value doesn't fit its property or the row is too long.
  mutating func encode(
    _ values: [Value], of number: UInt64, version: UInt32, layout: RecordLayout
  ) throws(RecordError) {
    precondition(values.count == layout.fields.count, "a row has a value for each slot")
    begin(version: version, layout: layout)
    var variableIndex = 0
    for slot in 0..<layout.fields.count {
      let field = layout.fields[slot]
      if !values[slot].isNull { try put(values[slot], slot, field, layout) }
      guard field.kind.isVariable else { continue }
      closeEntry(variableIndex, layout)
      variableIndex += 1
    }
    try finish(number, layout)
  }

  /// Encodes a changed row into `bytes`: an old record's values with some replaced.
  ///
  /// Copies the old bytes when only fixed fields change; otherwise encodes all values anew.
  ///
  /// - Throws: `RecordError` when a value doesn't fit, or the old record is damaged.
  mutating func encode(
    _ changes: [(slot: Int, value: Value)], to old: RecordView, version: UInt32
  ) throws(RecordError) {
    let layout = old.layout
    if changes.allSatisfy({ !layout.fields[$0.slot].kind.isVariable }) {
      return try patch(changes, old, version)
    }
    let tails = TailScratch()
    var values: [Value] = []
    values.reserveCapacity(layout.fields.count)
    for slot in 0..<layout.fields.count { values.append(try old.value(at: slot, tails: tails)) }
    for change in changes { values[change.slot] = change.value }
    try encode(values, of: old.number, version: version, layout: layout)
  }

  /// Copies a tail with its checksum, which therefore goes on telling whether it is damaged.
  private mutating func patch(
    _ changes: [(slot: Int, value: Value)], _ old: RecordView, _ version: UInt32
  ) throws(RecordError) {
    bytes.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: old.bytes)
    bytes.setInteger(version, at: RecordHeader.versionOffset)
    for (slot, value) in changes {
      let field = old.layout.fields[slot]
      setPresence(slot, false)
      clear(field)
      if !value.isNull { try put(value, slot, field, old.layout) }
    }
    seal(upTo: old.headEnd, old.number)
  }

  private mutating func seal(upTo headEnd: Int, _ number: UInt64) {
    let checksum = bytes.withUnsafeBytes { RecordHeader.checksum($0, upTo: headEnd, of: number) }
    bytes.setInteger(checksum, at: RecordHeader.checksumOffset)
  }

  private mutating func clear(_ field: RecordLayout.Field) {
    for offset in 0..<(field.kind.fixedByteCount ?? 0) { bytes[field.place + offset] = 0 }
  }

  // MARK: The record's parts

  private mutating func begin(version: UInt32, layout: RecordLayout) {
    bytes.removeAll(keepingCapacity: true)
    tail.removeAll(keepingCapacity: true)
    bytes.append(contentsOf: repeatElement(0, count: layout.table.pointee.headStart))
    bytes[RecordHeader.formatOffset] = RecordHeader.format
    bytes.setInteger(layout.entityNumber, at: RecordHeader.entityOffset)
    bytes.setInteger(version, at: RecordHeader.versionOffset)
    bytes.setInteger(RecordHeader.revision, at: RecordHeader.revisionOffset)
  }

  private mutating func setPresence(_ slot: Int, _ isPresent: Bool) {
    let bit: UInt8 = 1 << UInt8(slot & 7)
    let place = RecordLayout.headerByteCount + slot >> 3
    if isPresent { bytes[place] |= bit } else { bytes[place] &= ~bit }
  }

  private mutating func put(
    _ value: Value, _ slot: Int, _ field: RecordLayout.Field, _ layout: RecordLayout
  ) throws(RecordError) {
    setPresence(slot, true)
    switch (field.kind, value) {
    case (.boolean, .boolean(let boolean)): bytes[field.place] = boolean ? 1 : 0
    case (.integer16, .integer(let number)):
      bytes.setInteger(try Int16.exact(number, layout, slot), at: field.place)
    case (.integer32, .integer(let number)):
      bytes.setInteger(try Int32.exact(number, layout, slot), at: field.place)
    case (.integer64, .integer(let number)): bytes.setInteger(number, at: field.place)
    case (.double, .double(let number)): bytes.setInteger(number.bitPattern, at: field.place)
    case (.float, .double(let number)) where AttributeType.float.accepts(value):
      bytes.setInteger(Float(number).bitPattern, at: field.place)
    case (.date, .date(let date)):
      bytes.setInteger(date.timeIntervalSinceReferenceDate.bitPattern, at: field.place)
    case (.uuid, .uuid(let uuid)):
      bytes.withUnsafeMutableBytes {
        $0.storeBytes(of: uuid.uuid, toByteOffset: field.place, as: uuid_t.self)
      }
    case (.reference, .objectID(let objectID)):
      guard let reference = layout.references.reference(to: objectID) else {
        throw .foreignReference(property: layout.properties[slot].name)
      }
      bytes.setInteger(reference.bits, at: field.place)
    case (.decimal, _), (.string, _), (.uri, _), (.data, _), (.composite, _):
      try putVariable(value, field.kind, slot, layout)
    default: throw .unfit(property: layout.properties[slot].name, kind: value.kind)
    }
  }

  /// Adds a variable value to the head, or to the tail and its place there to the head.
  private mutating func putVariable(
    _ value: Value, _ kind: RecordLayout.Kind, _ slot: Int, _ layout: RecordLayout
  ) throws(RecordError) {
    scratch.removeAll(keepingCapacity: true)
    guard try VariableCoding.append(value, kind, layout, slot, to: &scratch) else {
      throw .unfit(property: layout.properties[slot].name, kind: value.kind)
    }
    guard scratch.count >= RecordLayout.tailThreshold else {
      bytes.append(contentsOf: scratch)
      return
    }
    guard tail.count + scratch.count <= VariableCoding.byteCountMax else {
      throw .tooLong(
        property: layout.properties[slot].name, byteCountMax: VariableCoding.byteCountMax)
    }
    bytes.appendInteger(UInt32(tail.count))
    bytes.appendInteger(UInt32(scratch.count))
    tail.append(contentsOf: scratch)
    isLastInTail = true
  }

  /// Whether the value just put has gone into the tail.
  private var isLastInTail = false

  private mutating func closeEntry(_ index: Int, _ layout: RecordLayout) {
    let end = bytes.count - layout.table.pointee.headStart
    if layout.table.pointee.isWide {
      let flag: UInt32 = isLastInTail ? 0x8000_0000 : 0
      bytes.setInteger(UInt32(end) | flag, at: layout.table.pointee.tableStart + index * 4)
    } else {
      let flag: UInt16 = isLastInTail ? 0x8000 : 0
      bytes.setInteger(UInt16(end) | flag, at: layout.table.pointee.tableStart + index * 2)
    }
    isLastInTail = false
  }

  private mutating func finish(_ number: UInt64, _ layout: RecordLayout) throws(RecordError) {
    let headEnd = bytes.count
    if !tail.isEmpty { try appendTail(number, layout) }
    seal(upTo: headEnd, number)
  }

  private mutating func appendTail(_ number: UInt64, _ layout: RecordLayout) throws(RecordError) {
    bytes.setInteger(UInt32(tail.count), at: RecordHeader.tailByteCountOffset)
    let tail = tail
    let headEnd = bytes.count
    let isCompressed = try tail.withUnsafeBufferPointer { raw throws(RecordError) in
      try layout.tails.compress(
        UnsafeRawBufferPointer(raw), with: dictionaries[layout.entityNumber]
      ) { frame, dictionaryNumber in
        bytes.setInteger(dictionaryNumber, at: RecordHeader.dictionaryOffset)
        bytes.append(contentsOf: frame)
      }
    }
    if isCompressed {
      bytes[RecordHeader.flagsOffset] |= RecordHeader.compressedTail
    } else {
      assert(bytes.count == headEnd)
      bytes.append(contentsOf: tail)
    }
    let seed = RecordHeader.seed(number)
    let checksum = bytes.withUnsafeBytes {
      CRC32C.checksum(of: $0.part(headEnd, $0.count - headEnd), seed: seed)
    }
    bytes.appendInteger(checksum)
  }
}

extension FixedWidthInteger {
  fileprivate static func exact(
    _ number: Int64, _ layout: RecordLayout, _ slot: Int
  ) throws(RecordError) -> Self {
    guard let exact = Self(exactly: number) else {
      throw .unfit(property: layout.properties[slot].name, kind: "integer beyond its range")
    }
    return exact
  }
}

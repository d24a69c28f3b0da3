internal import LodeModel

/// How the keys of one index are made: one part for each of its elements, then the object number.
struct IndexKey: Sendable {
  struct Element: Sendable {
    let slot: Int
    let kind: RecordLayout.Kind
    let isAscending: Bool
    /// The most bytes that text may take in the key; longer text is cut.
    let textBudget: Int
  }

  let elements: [Element]

  /// The longest key that an engine takes, in bytes.
  static let byteCountMax = 511

  /// The least budget for text that makes an index worth having.
  private static let textBudgetMin = 8

  /// Makes the form of an index's keys; nil when its elements can't fit a key.
  init?(_ elements: [(slot: Int, kind: RecordLayout.Kind, isAscending: Bool)]) {
    let textCount = elements.count { $0.kind.isText }
    let fixed = elements.reduce(0) { $0 + $1.kind.keyByteCountMax }
    let rest = Self.byteCountMax - ObjectKey.byteCountMax - fixed
    let budget = textCount == 0 ? 0 : rest / textCount
    guard rest >= 0, textCount == 0 || budget >= Self.textBudgetMin else { return nil }
    self.elements = elements.map {
      Element(slot: $0.slot, kind: $0.kind, isAscending: $0.isAscending, textBudget: budget)
    }
  }

  /// Makes the entry of a record: its values, then its object number.
  ///
  /// - Parameter key: is emptied first.
  func make(
    _ record: RecordView, number: UInt64, tails: some TailSource, into key: inout OrderedKey
  ) throws(RecordError) {
    key.removeAll()
    for element in elements {
      try key.append(
        record, slot: element.slot, isAscending: element.isAscending,
        textBudget: element.textBudget, tails: tails)
    }
    key.append(number: number)
  }

  /// Makes the values of a record uncut: equal for records that the index can't tell apart and whose
  /// values are equal.
  func makeUncut(
    _ record: RecordView, tails: some TailSource
  ) throws(RecordError) -> [UInt8] {
    var key = OrderedKey()
    for element in elements {
      try key.append(
        record, slot: element.slot, isAscending: element.isAscending,
        textBudget: OrderedKey.unlimited, tails: tails)
    }
    return key.bytes
  }

  /// What a key's bytes say of its values.
  struct Shape: Hashable, Sendable {
    /// Where the values end and the object number begins.
    var end = 0
    var hasNull = false
    /// Where the parts end that decide an order.
    var groupEnd = 0
    /// Where the first part that is cut text ends; nil when none is cut.
    var cutEnd: Int?
  }

  /// Finds the parts of a key of this index.
  ///
  /// - Parameter groupCount: how many of the first elements `groupEnd` is wanted for.
  /// - Throws: `RecordError.malformed` when the bytes are no key of this index.
  func shape(
    of key: UnsafeRawBufferPointer, groupedBy groupCount: Int = 0
  ) throws(RecordError) -> Shape {
    var shape = Shape()
    for (position, element) in elements.enumerated() {
      guard let part = element.part(of: key, from: shape.end) else {
        throw .malformed(reason: "an index entry of \(key.count) bytes")
      }
      if part.end - shape.end == 1 { shape.hasNull = true }
      if part.isCut, shape.cutEnd == nil { shape.cutEnd = part.end }
      shape.end = part.end
      if position + 1 == groupCount { shape.groupEnd = part.end }
    }
    return shape
  }
}

extension IndexKey.Element {
  /// Finds the end of this element's part of a key that begins at an offset.
  func part(of key: UnsafeRawBufferPointer, from offset: Int) -> (end: Int, isCut: Bool)? {
    let mask: UInt8 = isAscending ? 0 : 0xFF
    guard offset < key.count else { return nil }
    if key[offset] ^ mask == 0 { return (offset + 1, false) }
    if kind.isText { return textPart(of: key, from: offset + 1, mask) }
    if kind == .decimal { return decimalPart(of: key, from: offset + 1, mask) }
    let end = offset + kind.keyByteCountMax
    return end <= key.count ? (end, false) : nil
  }

  private func textPart(
    of key: UnsafeRawBufferPointer, from start: Int, _ mask: UInt8
  ) -> (end: Int, isCut: Bool)? {
    var offset = start
    while offset + 1 < key.count {
      if key[offset] != mask {
        offset += 1
      } else if key[offset + 1] ^ mask == 0xFF {
        offset += 2
      } else {
        return (offset + 2, key[offset + 1] ^ mask == 1)
      }
    }
    return nil
  }

  private func decimalPart(
    of key: UnsafeRawBufferPointer, from start: Int, _ mask: UInt8
  ) -> (end: Int, isCut: Bool)? {
    guard start < key.count else { return nil }
    let sign = key[start] ^ mask
    if sign == 1 || sign == 3 { return (start + 1, false) }
    let last: UInt8 = sign == 0 ? 0xFF : 0
    var offset = start + 3
    while offset < key.count {
      if key[offset] ^ mask == last { return (offset + 1, false) }
      offset += 1
    }
    return nil
  }
}

extension RecordLayout.Kind {
  /// Whether keys hold the kind as text, which may have to be cut.
  var isText: Bool { self == .string || self == .uri }

  /// The most bytes of a value's part in a key, its first byte included; for text that byte alone.
  var keyByteCountMax: Int {
    switch self {
    case .boolean: 2
    case .integer16: 3
    case .integer32: 5
    case .integer64, .float, .double, .date, .reference: 9
    case .uuid: 17
    case .decimal: 25
    case .string, .uri, .data, .composite, .none: 1
    }
  }
}

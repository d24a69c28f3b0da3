internal import LodeModel

/// A run of keys: from `lower` on, up to and without `upper`.
struct KeyRange: Hashable, Sendable {
  var lower: [UInt8]
  /// nil for no end.
  var upper: [UInt8]?

  /// All keys that begin with some bytes.
  init(prefix: [UInt8]) {
    lower = prefix
    upper = Self.successor(of: prefix)
  }

  init(lower: [UInt8], upper: [UInt8]?) {
    self.lower = lower
    self.upper = upper
  }

  /// Tells whether a key, which isn't before the range, is after it.
  func ends(before key: UnsafeRawBufferPointer) -> Bool {
    guard let upper else { return false }
    return upper.withUnsafeBytes { compareBytes(key, $0) >= 0 }
  }

  var isEmpty: Bool { upper.map { !lower.lexicographicallyPrecedes($0) } ?? false }

  /// Returns the first key after all that begin with some bytes; nil when there can be none.
  static func successor(of prefix: [UInt8]) -> [UInt8]? {
    var bytes = prefix
    while let last = bytes.popLast() {
      guard last == 0xFF else { return bytes + [last + 1] }
    }
    return nil
  }
}

/// One element of an index, as a maker of bounds.
struct ElementBounds {
  let element: IndexKey.Element
  let references: ReferenceTable

  /// A value's part of a key, as ascending elements have it.
  struct Part {
    var bytes: [UInt8]
    /// Whether text was cut, so that other values have this part too.
    var isCut: Bool
  }

  /// Returns a value's part; nil for a reference that no row can hold.
  func part(_ value: Value) -> Part? {
    var key = OrderedKey()
    let isAppended = key.append(
      value, as: element.kind, isAscending: true, textBudget: element.textBudget,
      references: references)
    return isAppended ? Part(bytes: key.bytes, isCut: key.cutEnd != nil) : nil
  }

  /// Turns the bytes of an ascending part into those that the index has.
  func oriented(_ bytes: [UInt8]) -> [UInt8] { element.isAscending ? bytes : bytes.map { ~$0 } }

  /// Returns the keys behind a prefix whose part isn't null and lies between two edges.
  ///
  /// - Returns: also whether the keys are those and no others.
  func range(
    behind prefix: [UInt8], _ lower: SlotTest.Edge?, _ upper: SlotTest.Edge?
  ) -> (range: KeyRange, isExact: Bool)? {
    var isExact = true
    func edge(_ edge: SlotTest.Edge?) -> (bytes: [UInt8], isInclusive: Bool)?? {
      guard let edge else { return .some(nil) }
      guard let part = part(edge.value) else { return nil }
      // Texts with one cut part lie on both sides of the edge: all are taken and tested.
      if part.isCut { isExact = false }
      return (oriented(part.bytes), edge.isInclusive || part.isCut)
    }
    guard let low = edge(lower), let high = edge(upper) else { return nil }
    let (first, last) = element.isAscending ? (low, high) : (high, low)
    let everything = KeyRange(prefix: prefix + oriented([1]))
    let start = first.map { bound in
      bound.isInclusive ? prefix + bound.bytes : KeyRange.successor(of: prefix + bound.bytes)
    }
    let end = last.map { bound in
      bound.isInclusive ? KeyRange.successor(of: prefix + bound.bytes) : prefix + bound.bytes
    }
    let range = KeyRange(
      lower: (start ?? everything.lower) ?? everything.lower, upper: end ?? everything.upper)
    return (range, isExact)
  }

  /// Returns the keys behind a prefix whose text begins with a text.
  func range(behind prefix: [UInt8], textPrefix text: String) -> (range: KeyRange, isExact: Bool) {
    var key = OrderedKey()
    let isWhole = key.append(
      textPrefix: text, isAscending: element.isAscending, textBudget: element.textBudget)
    return (KeyRange(prefix: prefix + key.bytes), isWhole)
  }
}

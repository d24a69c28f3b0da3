internal import LodeKV
internal import LodeModel

/// Reads the entries of an index in ranges of keys, forwards or backwards.
final class IndexScan {
  /// One entry; valid until the scan moves on.
  struct Entry {
    let key: UnsafeRawBufferPointer
    let shape: IndexKey.Shape
    let reference: ObjectReference
  }

  private let index: StoredIndex
  private let ranges: [KeyRange]
  private let snapshot: any KeyValueSnapshot
  private let groupCount: Int

  /// - Parameters:
  ///   - ranges: ascending, without overlap.
  ///   - groupCount: for how many elements the shapes of entries have a `groupEnd`.
  init(
    _ index: StoredIndex, _ ranges: [KeyRange], _ snapshot: any KeyValueSnapshot,
    groupedBy groupCount: Int = 0
  ) {
    self.index = index
    self.ranges = ranges
    self.snapshot = snapshot
    self.groupCount = groupCount
  }

  /// Returns how many entries there are, but at most so many.
  func count(upTo countMax: Int) throws -> Int {
    let cursor = try snapshot.cursor(in: index.tree)
    var count = 0
    for range in ranges where count < countMax {
      var isPresent = try range.lower.withUnsafeBytes { try cursor.seek($0) }
      while isPresent, !range.ends(before: cursor.key), count < countMax {
        count += 1
        isPresent = try cursor.next()
      }
    }
    return count
  }

  /// Calls a closure with each entry until it returns false.
  func forEachEntry(backwards isBackwards: Bool, _ body: (Entry) throws -> Bool) throws {
    let cursor = try snapshot.cursor(in: index.tree)
    for range in isBackwards ? ranges.reversed() : ranges {
      let isGoingOn =
        try isBackwards ? backwards(range, cursor, body) : forwards(range, cursor, body)
      guard isGoingOn else { return }
    }
  }

  private func forwards(
    _ range: KeyRange, _ cursor: any KeyValueCursor, _ body: (Entry) throws -> Bool
  ) throws -> Bool {
    var isPresent = try range.lower.withUnsafeBytes { try cursor.seek($0) }
    while isPresent {
      let key = cursor.key
      if range.ends(before: key) { break }
      guard try body(try entry(key, cursor.value)) else { return false }
      isPresent = try cursor.next()
    }
    return true
  }

  private func backwards(
    _ range: KeyRange, _ cursor: any KeyValueCursor, _ body: (Entry) throws -> Bool
  ) throws -> Bool {
    var isPresent =
      try range.upper.map { upper in
        try upper.withUnsafeBytes { try cursor.seekBefore($0) }
      } ?? cursor.last()
    while isPresent {
      let key = cursor.key
      if range.lower.withUnsafeBytes({ compareBytes(key, $0) < 0 }) { break }
      guard try body(try entry(key, cursor.value)) else { return false }
      isPresent = try cursor.previous()
    }
    return true
  }

  private func entry(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws -> Entry {
    let shape = try index.key.shape(of: key, groupedBy: groupCount)
    guard value.count == 2 else { throw RecordError.malformed(reason: "an index entry's value") }
    let reference = ObjectReference(
      number: try ObjectKey(key, from: shape.end).number,
      entityNumber: value.integer(at: 0, as: UInt16.self))
    return Entry(key: key, shape: shape, reference: reference)
  }
}

/// Entries of an index that its order leaves equal for a query, gathered to be brought into order.
///
/// Rows belong together when the elements that decide the order have equal bytes: they come by object
/// number then. When one of those elements is text that was cut, what follows it is no order at all:
/// rows with one cut text belong together, and their records decide.
struct EntryGroup {
  private var prefix: [UInt8] = []
  private(set) var references: [ObjectReference] = []
  private(set) var isCut = false

  /// Tells whether an entry belongs to the group; everything does to an empty one.
  func holds(_ entry: IndexScan.Entry) -> Bool {
    guard !references.isEmpty else { return true }
    let start = entry.key.part(0, Self.end(entry).end)
    return prefix.withUnsafeBytes { compareBytes(start, $0) == 0 }
  }

  mutating func add(_ entry: IndexScan.Entry) {
    if references.isEmpty {
      let (end, isCut) = Self.end(entry)
      prefix.removeAll(keepingCapacity: true)
      prefix.append(contentsOf: entry.key.part(0, end))
      self.isCut = isCut
    }
    references.append(entry.reference)
  }

  mutating func removeAll() { references.removeAll(keepingCapacity: true) }

  /// Returns the rows by object number.
  mutating func sorted() -> [ObjectReference] {
    if references.count > 1 { references.sort() }
    return references
  }

  private static func end(_ entry: IndexScan.Entry) -> (end: Int, isCut: Bool) {
    let end = entry.shape.groupEnd
    if let cutEnd = entry.shape.cutEnd, cutEnd <= end { return (cutEnd, true) }
    return (end, false)
  }
}

/// Candidates of a query with their sort keys, of which the first so many are wanted.
///
/// Keys are ordered keys (`OrderedKey`) of all terms and the object number, so that no two are equal and
/// comparing is one `memcmp`. When only `countMax` are wanted, at most twice as many are held.
struct SortBuffer {
  struct Entry {
    /// The key's first 8 bytes as a number, which decides most comparisons.
    var start: UInt64
    var offset: Int
    var byteCount: Int
    let row: Candidate

    func key(_ memory: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      memory.part(offset, byteCount)
    }
  }

  private let countMax: Int
  private var memory: [UInt8] = []
  private var entries: [Entry] = []
  /// The last key that is wanted so far; nil as long as all are.
  private var bound: [UInt8]?

  /// - Parameter countMax: how many of the first entries are wanted.
  init(countMax: Int) { self.countMax = countMax }

  mutating func add(_ key: [UInt8], _ row: Candidate) {
    if let bound, !key.lexicographicallyPrecedes(bound) { return }
    let start = key.withUnsafeBytes { $0.leadingWord }
    entries.append(
      Entry(start: start, offset: memory.count, byteCount: key.count, row: row))
    memory.append(contentsOf: key)
    if countMax < Int.max / 2, entries.count >= max(countMax * 2, 64) { shrink() }
  }

  /// Returns the wanted rows in their order.
  mutating func sorted() -> [Candidate] {
    sort()
    return entries.prefix(countMax).map(\.row)
  }

  private mutating func shrink() {
    sort()
    var kept = SortBuffer(countMax: countMax)
    for entry in entries.prefix(countMax) {
      let key = memory[entry.offset..<entry.offset + entry.byteCount]
      kept.entries.append(
        Entry(
          start: entry.start, offset: kept.memory.count, byteCount: entry.byteCount,
          row: entry.row))
      kept.memory.append(contentsOf: key)
    }
    if entries.count >= countMax, let last = kept.entries.last {
      kept.bound = Array(kept.memory[last.offset...])
    }
    self = kept
  }

  private mutating func sort() {
    memory.withUnsafeBytes { memory in
      entries.sort { left, right in
        if left.start != right.start { return left.start < right.start }
        return compareBytes(left.key(memory), right.key(memory)) < 0
      }
    }
  }
}

// LMDB's data file format (version 1, as LMDB 0.9 writes it), as far as recovery needs it: the meta
// page, which names the roots of a commit, and a walk down the main tree that trusts nothing.
//
//   page:  number u64 · pad u16 · flags u16 · lower u16 · upper u16, then slots u16 each
//   node:  low u16 · high u16 · flags u16 · key length u16 · key · value
//   meta:  magic u32 · version u32 · address u64 · map size u64 · free tree · main tree ·
//          last page u64 · transaction u64
//   tree:  pad u32 (of the free tree: the page size) · flags u16 · depth u16 · branch, leaf and
//          overflow page counts, pair count and root page, u64 each
//
// Integers are in the byte order of the machine, which LMDB's magic number tells.

/// One of the two meta pages of a data file, without the unused rest of the page.
struct LMDBMeta: Sendable, Equatable {
  /// Page header and `MDB_meta`.
  static let byteCount = 152
  private static let magic: UInt32 = 0xBEEF_C0DE
  private static let metaFlag: UInt16 = 0x08

  private(set) var bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func integer<Integer: FixedWidthInteger>(
    at offset: Int, as type: Integer.Type
  ) -> Integer {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }

  /// Whether the bytes are a meta page of a format that this code knows, with a sane page size.
  var isWellFormed: Bool {
    bytes.count == Self.byteCount && integer(at: 10, as: UInt16.self) & Self.metaFlag != 0
      && integer(at: 16, as: UInt32.self) == Self.magic
      && version == 1 && (512...65536).contains(pageByteCount)
      && pageByteCount.nonzeroBitCount == 1
  }

  /// Whether this is a meta page of LMDB at all, of whatever version.
  var isLMDB: Bool {
    bytes.count == Self.byteCount && integer(at: 16, as: UInt32.self) == Self.magic
  }

  var version: UInt32 { integer(at: 20, as: UInt32.self) }
  var pageByteCount: UInt32 { integer(at: 40, as: UInt32.self) }
  var mainDepth: UInt16 { integer(at: 94, as: UInt16.self) }
  var mainRoot: UInt64 { integer(at: 128, as: UInt64.self) }
  var lastPage: UInt64 { integer(at: 136, as: UInt64.self) }
  var transactionID: UInt64 { integer(at: 144, as: UInt64.self) }

  /// The slot, 0 or 1, in which LMDB keeps the meta page of a transaction.
  static func slot(ofTransaction id: UInt64) -> Int { Int(id & 1) }

  /// The same meta page with the page number of a slot.
  func inSlot(_ slot: Int) -> LMDBMeta {
    var copy = self
    copy.bytes.replaceSubrange(0..<8, with: withUnsafeBytes(of: UInt64(slot)) { Array($0) })
    return copy
  }
}

/// Reads pages of a data file that may be anything, while nobody has it open.
struct LMDBPageReader {
  private static let branchFlag: UInt16 = 0x01
  private static let leafFlag: UInt16 = 0x02
  private static let pageHeaderByteCount = 16
  private static let nodeHeaderByteCount = 8

  let file: any File
  let meta: LMDBMeta

  /// Reads the meta page in a slot, or nil when the file ends before.
  static func meta(
    inSlot slot: Int, pageByteCount: UInt32, of file: any File
  ) throws(FileError) -> LMDBMeta? {
    let position = UInt64(slot) * UInt64(pageByteCount)
    let meta = LMDBMeta(try file.read(at: position, byteCount: LMDBMeta.byteCount))
    return meta.bytes.count == LMDBMeta.byteCount ? meta : nil
  }

  /// Reads the meta page of the last commit of a file that nobody writes; nil when there is none.
  static func newestMeta(of file: any File) throws(FileError) -> LMDBMeta? {
    guard let first = try meta(inSlot: 0, pageByteCount: 0, of: file),
      let second = try meta(inSlot: 1, pageByteCount: first.pageByteCount, of: file)
    else { return nil }
    return first.transactionID > second.transactionID ? first : second
  }

  /// Finds a short value in the main tree of the meta page's commit.
  ///
  /// - Returns: nil when there is no such key, or no sound path of pages to it.
  func mainValue(of key: [UInt8]) throws(FileError) -> [UInt8]? {
    var number = meta.mainRoot
    for _ in 0..<meta.mainDepth {
      guard let page = try page(number), let nodes = nodes(of: page) else { return nil }
      let flags = integer(in: page, at: 10)
      if flags & Self.leafFlag != 0 {
        return nodes.first { $0.key == key[...] && $0.flags == 0 }.map { Array($0.value) }
      }
      guard flags & Self.branchFlag != 0, let first = nodes.first else { return nil }
      let below = nodes.dropFirst().last { !key.lexicographicallyPrecedes($0.key) } ?? first
      number = below.child
    }
    return nil
  }

  private struct Node {
    let low: UInt16
    let high: UInt16
    let flags: UInt16
    let key: ArraySlice<UInt8>
    let value: ArraySlice<UInt8>

    /// Page number, in a branch.
    var child: UInt64 { UInt64(low) | UInt64(high) << 16 | UInt64(flags) << 32 }
  }

  private func page(_ number: UInt64) throws(FileError) -> [UInt8]? {
    guard number > 1, number <= meta.lastPage else { return nil }
    let byteCount = Int(meta.pageByteCount)
    let page = try file.read(at: number * UInt64(byteCount), byteCount: byteCount)
    guard page.count == byteCount else { return nil }
    let own = page.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    return own == number ? page : nil
  }

  private func nodes(of page: [UInt8]) -> [Node]? {
    let isLeaf = integer(in: page, at: 10) & Self.leafFlag != 0
    let lower = Int(integer(in: page, at: 12))
    guard lower >= Self.pageHeaderByteCount, lower <= page.count else { return nil }
    var nodes: [Node] = []
    for slot in stride(from: Self.pageHeaderByteCount, to: lower - 1, by: 2) {
      guard let node = node(in: page, at: Int(integer(in: page, at: slot)), isLeaf) else {
        return nil
      }
      nodes.append(node)
    }
    return nodes
  }

  private func node(in page: [UInt8], at start: Int, _ isLeaf: Bool) -> Node? {
    let keyStart = start + Self.nodeHeaderByteCount
    guard keyStart <= page.count else { return nil }
    let low = integer(in: page, at: start)
    let high = integer(in: page, at: start + 2)
    let flags = integer(in: page, at: start + 4)
    let keyEnd = keyStart + Int(integer(in: page, at: start + 6))
    // Values with flags are elsewhere or not values, and none of those is looked for.
    let hasValue = isLeaf && flags == 0
    let end = keyEnd + (hasValue ? Int(low) | Int(high) << 16 : 0)
    guard keyEnd <= page.count, end <= page.count else { return nil }
    return Node(
      low: low, high: high, flags: flags, key: page[keyStart..<keyEnd], value: page[keyEnd..<end])
  }

  private func integer(in page: [UInt8], at offset: Int) -> UInt16 {
    page.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: UInt16.self) }
  }
}

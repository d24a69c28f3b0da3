// One page of LMDB's as bytes that may be anything. LMDBMeta.swift has the layout.

/// A branch or leaf page, or the header of a long value's first page.
struct LMDBPage {
  static let headerByteCount = 16
  private static let nodeHeaderByteCount = 8
  private static let branchFlag: UInt16 = 0x01
  private static let leafFlag: UInt16 = 0x02
  private static let overflowFlag: UInt16 = 0x04

  /// Flags of nodes: a value on the page, one on pages of its own, a tree's entry.
  static let plainNode: UInt16 = 0
  static let bigNode: UInt16 = 0x01
  static let treeNode: UInt16 = 0x02

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var flags: UInt16 { integer(at: 10) }
  private var lower: Int { Int(integer(at: 12, as: UInt16.self)) }
  private var upper: Int { Int(integer(at: 14, as: UInt16.self)) }

  /// How many nodes there are, once `fault` has found nothing.
  var count: Int { (lower - Self.headerByteCount) / 2 }

  private func integer<Integer: FixedWidthInteger>(
    at offset: Int, as type: Integer.Type = Integer.self
  ) -> Integer {
    bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
  }

  /// Returns what is wrong with the page's form; nil when every node lies inside of it and none has a gap
  /// to the next.
  func fault(number: UInt64, isLeaf: Bool) -> String? {
    guard bytes.count > Self.headerByteCount else { return "the file ends before it" }
    guard integer(at: 0, as: UInt64.self) == number else { return "its number is another" }
    guard flags == (isLeaf ? Self.leafFlag : Self.branchFlag) else {
      return "it is of another kind"
    }
    guard lower >= Self.headerByteCount, lower % 2 == 0, lower <= upper, upper <= bytes.count,
      count >= (isLeaf ? 1 : 2)
    else { return "its bounds are wrong" }
    return nodesFillPage(isLeaf) ? nil : "its nodes don't fit together"
  }

  private func nodesFillPage(_ isLeaf: Bool) -> Bool {
    var extents: [(start: Int, end: Int)] = []
    extents.reserveCapacity(count)
    for index in 0..<count {
      let start = nodeStart(index)
      guard start >= upper, start <= bytes.count - Self.nodeHeaderByteCount else { return false }
      extents.append((start, start + nodeByteCount(at: start, isLeaf)))
    }
    extents.sort { $0.start < $1.start }
    var end = upper
    for extent in extents {
      guard extent.start == end else { return false }
      end = extent.end
    }
    return end == bytes.count
  }

  /// The bytes of a node; they are laid out in twos.
  private func nodeByteCount(at start: Int, _ isLeaf: Bool) -> Int {
    var byteCount = Self.nodeHeaderByteCount + Int(integer(at: start + 6, as: UInt16.self))
    if isLeaf {
      let isBig = integer(at: start + 4, as: UInt16.self) & Self.bigNode != 0
      byteCount += isBig ? 8 : Int(integer(at: start, as: UInt32.self))
    }
    return (byteCount + 1) & ~1
  }

  private func nodeStart(_ index: Int) -> Int {
    Int(integer(at: Self.headerByteCount + index * 2, as: UInt16.self))
  }

  // MARK: Nodes of a sound page

  struct Node {
    let flags: UInt16
    let key: [UInt8]
    /// The value, or the page number of one that has pages of its own.
    let value: [UInt8]
    let valueByteCount: Int
    /// Page number, in a branch.
    let child: UInt64
  }

  func node(_ index: Int) -> Node {
    let start = nodeStart(index)
    let size = integer(at: start, as: UInt32.self)
    let flags = integer(at: start + 4, as: UInt16.self)
    let keyStart = start + Self.nodeHeaderByteCount
    let keyEnd = keyStart + Int(integer(at: start + 6, as: UInt16.self))
    let isLeaf = self.flags == Self.leafFlag
    let valueByteCount = isLeaf ? (flags & Self.bigNode != 0 ? 8 : Int(size)) : 0
    return Node(
      flags: flags, key: Array(bytes[keyStart..<keyEnd]),
      value: Array(bytes[keyEnd..<keyEnd + valueByteCount]), valueByteCount: Int(size),
      child: UInt64(size) | UInt64(flags) << 32)
  }

  /// Tells whether a node of a leaf is a pair whose value is on the page.
  func isPlain(_ index: Int) -> Bool {
    integer(at: nodeStart(index) + 4, as: UInt16.self) == Self.plainNode
  }

  func key(_ index: Int) -> [UInt8] {
    bytes.withUnsafeBytes { Array(key(index, in: $0)) }
  }

  /// Returns a key's bytes where they lie.
  func key(_ index: Int, in raw: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let start = Int(
      raw.loadUnaligned(fromByteOffset: Self.headerByteCount + index * 2, as: UInt16.self))
    let byteCount = Int(raw.loadUnaligned(fromByteOffset: start + 6, as: UInt16.self))
    let keyStart = start + Self.nodeHeaderByteCount
    return UnsafeRawBufferPointer(rebasing: raw[keyStart..<keyStart + byteCount])
  }

  // MARK: Long values

  /// Returns how many pages a long value has whose first one this is; nil when it is none, or has none.
  func overflowPageCount(number: UInt64) -> UInt64? {
    guard bytes.count >= Self.headerByteCount, integer(at: 0, as: UInt64.self) == number,
      flags == Self.overflowFlag
    else { return nil }
    let count = integer(at: 12, as: UInt32.self)
    return count == 0 ? nil : UInt64(count)
  }
}

/// LMDB's entry of a tree: where its root is and what it counts.
struct LMDBTreeEntry: Equatable {
  static let byteCount = 48

  var depth: UInt16 = 0
  var branchPageCount: UInt64 = 0
  var leafPageCount: UInt64 = 0
  var overflowPageCount: UInt64 = 0
  var pairCount: UInt64 = 0
  var root: UInt64 = 0

  init() {}

  /// - Returns: nil when the bytes are no entry of a tree that Lode makes.
  init?(_ bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    func integer<Integer: FixedWidthInteger>(_ offset: Int, _ type: Integer.Type) -> Integer {
      bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: offset, as: type) }
    }
    guard integer(0, UInt32.self) == 0, integer(4, UInt16.self) == 0 else { return nil }
    self.init(counts: bytes)
  }

  /// Reads what an entry counts, whatever its flags.
  init(counts bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      depth = raw.loadUnaligned(fromByteOffset: 6, as: UInt16.self)
      branchPageCount = raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
      leafPageCount = raw.loadUnaligned(fromByteOffset: 16, as: UInt64.self)
      overflowPageCount = raw.loadUnaligned(fromByteOffset: 24, as: UInt64.self)
      pairCount = raw.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
      root = raw.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
    }
  }

  /// Takes over what only leaves tell.
  mutating func copyLeafFigures(of entry: LMDBTreeEntry) {
    overflowPageCount = entry.overflowPageCount
    pairCount = entry.pairCount
  }
}

extension LMDBMeta {
  /// The entry of the tree of free pages.
  var freeTree: LMDBTreeEntry { LMDBTreeEntry(counts: Array(bytes[40..<88])) }
  /// The entry of the main tree.
  var mainTree: LMDBTreeEntry { LMDBTreeEntry(counts: Array(bytes[88..<136])) }
}

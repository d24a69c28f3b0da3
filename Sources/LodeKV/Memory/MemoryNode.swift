// A node of the memory engine's trees: a page of 4096 bytes with sorted cells. Slots, which hold
// the cells' offsets in key order, grow up from the start; cells grow down from the end:
//
//   cell: key length u16 · value length u32 · key · value, or a reference to a blob
//
// Values over 448 bytes live in blobs of their own, shared between copies of a node. A branch has
// one cell and one child each; the key of its first cell is never looked at. Nodes are changed
// only while one tree that nobody else can see refers to them, and are immutable afterwards, which
// is why their bytes keep their addresses as long as a snapshot holds them.

internal import Glibc

/// The bytes of one large value.
private final class MemoryBlob {
  let bytes: UnsafeRawBufferPointer

  init(copying value: UnsafeRawBufferPointer) {
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: value.count, alignment: 16)
    copy.copyMemory(from: value)
    bytes = UnsafeRawBufferPointer(copy)
  }

  deinit { bytes.deallocate() }
}

/// A sorted page of cells, with children when it is a branch.
///
/// Unchecked because the bytes are raw: a node is written only by the one commit that created it,
/// before the tree that holds it is published under the engine's lock, and never after.
final class MemoryNode: @unchecked Sendable {
  static let byteCount = 4096
  /// A cell and its slot take at most 967 bytes, so that after a split by size, which leaves at
  /// most 3015 bytes on a side, another one fits on either side.
  private static let inlineValueMax = 448
  private static let cellHeaderByteCount = 6
  private static let referenceByteCount = 8

  private(set) var count = 0
  private(set) var children: ContiguousArray<MemoryNode> = []
  private var bytes: UnsafeMutableRawBufferPointer
  /// Offset of the lowest cell.
  private var cellStart = MemoryNode.byteCount
  /// Bytes of cells that are in no slot any more.
  private var garbageByteCount = 0
  private var blobCount = 0

  init() {
    bytes = .allocate(byteCount: Self.byteCount, alignment: 16)
  }

  /// Creates a branch over a lone child.
  convenience init(over child: MemoryNode) {
    self.init()
    let isInserted = insertCell(at: 0, key: UnsafeRawBufferPointer(start: nil, count: 0), child)
    assert(isInserted)
  }

  deinit {
    if blobCount > 0 { forEachBlob { $0.release() } }
    bytes.deallocate()
  }

  var isBranch: Bool { !children.isEmpty }

  /// Bytes that the cells and their slots take.
  var usedByteCount: Int { Self.byteCount - cellStart - garbageByteCount + 2 * count }

  func copy() -> MemoryNode {
    let copy = MemoryNode()
    copy.bytes.copyMemory(from: UnsafeRawBufferPointer(bytes))
    copy.count = count
    copy.children = children
    copy.cellStart = cellStart
    copy.garbageByteCount = garbageByteCount
    copy.blobCount = blobCount
    if blobCount > 0 { forEachBlob { _ = $0.retain() } }
    return copy
  }
}

// MARK: Reading

extension MemoryNode {
  @inline(__always)
  private func slot(_ index: Int) -> Int {
    assert(index >= 0 && index < count)
    return Int(bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
  }

  @inline(__always)
  func key(at index: Int) -> UnsafeRawBufferPointer {
    let start = slot(index)
    let byteCount = Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt16.self))
    return raw.part(start + Self.cellHeaderByteCount, byteCount)
  }

  @inline(__always)
  func value(at index: Int) -> UnsafeRawBufferPointer {
    let start = slot(index)
    let keyByteCount = Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt16.self))
    let byteCount = Int(bytes.loadUnaligned(fromByteOffset: start + 2, as: UInt32.self))
    if byteCount > Self.inlineValueMax, let blob = blob(ofCellAt: start) {
      // The node retains the blob, and the snapshot retains the node.
      return blob._withUnsafeGuaranteedRef { $0.bytes }
    }
    return raw.part(start + Self.cellHeaderByteCount + keyByteCount, byteCount)
  }

  /// Returns the first index whose key is at or after the given one, and whether it is that key.
  func lowerBound(of key: UnsafeRawBufferPointer) -> (index: Int, isFound: Bool) {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      let order = compareKeys(self.key(at: middle), key)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  /// Returns the index of the child under which a key belongs.
  func childIndex(for key: UnsafeRawBufferPointer) -> Int {
    var low = 1
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if compareKeys(self.key(at: middle), key) <= 0 { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  @inline(__always)
  private var raw: UnsafeRawBufferPointer { UnsafeRawBufferPointer(bytes) }

  private func blob(ofCellAt start: Int) -> Unmanaged<MemoryBlob>? {
    let keyByteCount = Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt16.self))
    let offset = start + Self.cellHeaderByteCount + keyByteCount
    return bytes.loadUnaligned(fromByteOffset: offset, as: UnsafeRawPointer?.self)
      .map { Unmanaged.fromOpaque($0) }
  }

  private func hasBlob(at index: Int) -> Bool {
    bytes.loadUnaligned(fromByteOffset: slot(index) + 2, as: UInt32.self) > Self.inlineValueMax
  }

  private func forEachBlob(_ body: (Unmanaged<MemoryBlob>) -> Void) {
    for index in 0..<count where hasBlob(at: index) {
      if let blob = blob(ofCellAt: slot(index)) { body(blob) }
    }
  }

  private func cellByteCount(at index: Int) -> Int {
    let start = slot(index)
    return Self.cellByteCount(
      key: Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt16.self)),
      value: Int(bytes.loadUnaligned(fromByteOffset: start + 2, as: UInt32.self)))
  }

  private static func cellByteCount(key: Int, value: Int) -> Int {
    cellHeaderByteCount + key + (value > inlineValueMax ? referenceByteCount : value)
  }
}

// MARK: Changing, allowed only before the node is published

extension MemoryNode {
  /// Inserts a pair before an index and returns whether there was room for it.
  func insertCell(
    at index: Int, key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer
  ) -> Bool {
    assert(!isBranch)
    guard let start = openCell(at: index, key: key, valueByteCount: value.count) else {
      return false
    }
    let valueStart = start + Self.cellHeaderByteCount + key.count
    if value.count > Self.inlineValueMax {
      let blob = Unmanaged.passRetained(MemoryBlob(copying: value))
      bytes.storeBytes(
        of: UnsafeRawPointer?(UnsafeRawPointer(blob.toOpaque())), toByteOffset: valueStart,
        as: UnsafeRawPointer?.self)
      blobCount += 1
    } else if !value.isEmpty {
      UnsafeMutableRawBufferPointer(rebasing: bytes[valueStart..<valueStart + value.count])
        .copyMemory(from: value)
    }
    return true
  }

  /// Inserts a child before an index and returns whether there was room for it.
  func insertCell(at index: Int, key: UnsafeRawBufferPointer, _ child: MemoryNode) -> Bool {
    assert(isBranch || count == 0)
    guard openCell(at: index, key: key, valueByteCount: 0) != nil else { return false }
    children.insert(child, at: index)
    return true
  }

  /// Removes a cell, and its child when there is one.
  func removeCell(at index: Int) {
    if isBranch { children.remove(at: index) }
    if hasBlob(at: index) {
      blob(ofCellAt: slot(index))?.release()
      blobCount -= 1
    }
    garbageByteCount += cellByteCount(at: index)
    count -= 1
    if let base = bytes.baseAddress, index < count {
      memmove(base + 2 * index, base + 2 * (index + 1), 2 * (count - index))
    }
  }

  /// Writes over a value with one of the same length that is stored in the page.
  ///
  /// - Returns: false, with nothing changed, when the lengths differ or the value is large.
  func overwriteValue(at index: Int, with value: UnsafeRawBufferPointer) -> Bool {
    let old = self.value(at: index)
    guard old.count == value.count, value.count <= Self.inlineValueMax else { return false }
    guard let new = value.baseAddress, let target = old.baseAddress else { return true }
    UnsafeMutableRawPointer(mutating: target).copyMemory(from: new, byteCount: value.count)
    return true
  }

  /// Gives access to a child for changing it in place.
  func withChild<Result>(at index: Int, _ body: (inout MemoryNode) -> Result) -> Result {
    body(&children[index])
  }

  /// Moves the cells from an index on to a new node, which is returned.
  func split(at index: Int) -> MemoryNode {
    let right = MemoryNode()
    right.append(contentsOf: self, from: index)
    for last in (index..<count).reversed() { removeCell(at: last) }
    return right
  }

  /// Returns the index at which a split leaves the halves about equally full.
  func middleIndex() -> Int {
    let half = usedByteCount / 2
    var sum = 0
    for index in 0..<count {
      sum += cellByteCount(at: index) + 2
      if sum > half { return max(index, 1) }
    }
    return count
  }

  /// Appends the cells of another node, whose first key is replaced when one is given.
  ///
  /// The caller has checked that there is room.
  func append(
    contentsOf other: MemoryNode, from first: Int = 0, firstKey: UnsafeRawBufferPointer? = nil
  ) {
    for index in first..<other.count {
      let key = index == first ? firstKey ?? other.key(at: index) : other.key(at: index)
      let isInserted =
        other.isBranch
        ? insertCell(at: count, key: key, other.children[index])
        : appendPair(key, of: other, at: index)
      assert(isInserted)
    }
  }

  private func appendPair(
    _ key: UnsafeRawBufferPointer, of other: MemoryNode, at index: Int
  ) -> Bool {
    guard other.hasBlob(at: index), let blob = other.blob(ofCellAt: other.slot(index)) else {
      return insertCell(at: count, key: key, value: other.value(at: index))
    }
    let byteCount = other.value(at: index).count
    guard let start = openCell(at: count, key: key, valueByteCount: byteCount) else {
      return false
    }
    bytes.storeBytes(
      of: UnsafeRawPointer?(UnsafeRawPointer(blob.retain().toOpaque())),
      toByteOffset: start + Self.cellHeaderByteCount + key.count, as: UnsafeRawPointer?.self)
    blobCount += 1
    return true
  }

  /// Makes room for a cell with its slot, writes its lengths and key, and returns its offset.
  private func openCell(
    at index: Int, key: UnsafeRawBufferPointer, valueByteCount: Int
  ) -> Int? {
    let needed = Self.cellByteCount(key: key.count, value: valueByteCount)
    guard usedByteCount + needed + 2 <= Self.byteCount else { return nil }
    if cellStart - 2 * count < needed + 2 { compact() }
    cellStart -= needed
    bytes.storeBytes(of: UInt16(key.count), toByteOffset: cellStart, as: UInt16.self)
    bytes.storeBytes(of: UInt32(valueByteCount), toByteOffset: cellStart + 2, as: UInt32.self)
    guard let base = bytes.baseAddress else { return nil }
    if let keyBase = key.baseAddress {
      (base + cellStart + Self.cellHeaderByteCount).copyMemory(from: keyBase, byteCount: key.count)
    }
    if index < count {
      memmove(base + 2 * (index + 1), base + 2 * index, 2 * (count - index))
    }
    bytes.storeBytes(of: UInt16(cellStart), toByteOffset: 2 * index, as: UInt16.self)
    count += 1
    return cellStart
  }

  /// Rewrites the cells without the garbage between them.
  private func compact() {
    let fresh = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.byteCount, alignment: 16)
    var start = Self.byteCount
    for index in 0..<count {
      let byteCount = cellByteCount(at: index)
      start -= byteCount
      UnsafeMutableRawBufferPointer(rebasing: fresh[start..<start + byteCount])
        .copyMemory(from: raw.part(slot(index), byteCount))
      fresh.storeBytes(of: UInt16(start), toByteOffset: 2 * index, as: UInt16.self)
    }
    bytes.deallocate()
    bytes = fresh
    cellStart = start
    garbageByteCount = 0
  }
}

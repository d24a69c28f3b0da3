// A write list is the puts and deletes of one commit, already in the bytes that a journal frame
// carries, so that journaling copies nothing. Layout, per operation (docs/data-file-engine.md):
//
//   operation u8 · tree u32 · key length u16 · value length u32 (puts only) · key · value
//
// Integers are little endian. Operations are applied in the order in which they were added.

/// The puts and deletes that carry out one commit.
package struct WriteList: Sendable {
  /// What is done with a key.
  package enum Operation: UInt8, Sendable {
    case put = 1
    case delete = 2
  }

  /// The encoded operations, ready to be a frame's payload.
  package private(set) var bytes: [UInt8] = []
  package private(set) var count = 0

  /// Makes an empty list with room for some bytes.
  package init(reservingByteCount byteCount: Int = 0) {
    bytes.reserveCapacity(byteCount)
  }

  init(_ bytes: [UInt8], count: Int) {
    self.bytes = bytes
    self.count = count
  }

  /// Whether the list changes nothing.
  package var isEmpty: Bool { count == 0 }

  /// Adds a put, which replaces the value of an existing key.
  ///
  /// - Parameters:
  ///   - key: 1 to 511 bytes, LMDB's limit.
  ///   - value: at most 4 GiB - 1 bytes.
  package mutating func put(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in tree: TreeID
  ) {
    checkPlace(key, tree)
    precondition(value.count <= Int(UInt32.max), "a value has at most 4 GiB - 1 bytes")
    appendHeader(.put, tree, keyByteCount: key.count, valueByteCount: value.count)
    bytes.append(contentsOf: key)
    bytes.append(contentsOf: value)
  }

  /// Adds a delete; deleting an absent key does nothing.
  package mutating func delete(_ key: UnsafeRawBufferPointer, in tree: TreeID) {
    checkPlace(key, tree)
    appendHeader(.delete, tree, keyByteCount: key.count, valueByteCount: nil)
    bytes.append(contentsOf: key)
  }

  private func checkPlace(_ key: UnsafeRawBufferPointer, _ tree: TreeID) {
    precondition(
      Self.keyByteCounts.contains(key.count), "a key has 1 to 511 bytes, this one \(key.count)")
    precondition(tree != .engine, "tree 0 is the engine's own; stores number theirs from 1")
  }

  /// Appends what stands before the key, put together first, as every append has its price.
  private mutating func appendHeader(
    _ operation: Operation, _ tree: TreeID, keyByteCount: Int, valueByteCount: Int?
  ) {
    let start =
      UInt64(operation.rawValue) | UInt64(tree.number) << 8 | UInt64(keyByteCount) << 40
    let rest = UInt64(valueByteCount ?? 0)
    let header = ((start | rest << 56).littleEndian, (rest >> 8).littleEndian)
    withUnsafeBytes(of: header) { raw in
      let byteCount = valueByteCount == nil ? Self.deleteHeaderByteCount : Self.putHeaderByteCount
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: raw[..<byteCount]))
    }
    count += 1
  }
}

extension WriteList {
  /// Key lengths that every engine takes, in bytes: LMDB's limit.
  static let keyByteCounts = 1...511
  /// Operation, tree and key length.
  static let deleteHeaderByteCount = 7
  /// The same and the value length.
  static let putHeaderByteCount = 11
}

internal import LodeKV

/// Puts and deletes of one commit, gathered by tree and put into the order of keys, which is the order
/// in which an engine writes them fastest.
///
/// Each key may be written once.
struct WriteSet {
  private var trees: [TreeID: TreeWrites] = [:]

  subscript(tree: TreeID) -> TreeWrites {
    _read { yield trees[tree, default: TreeWrites()] }
    _modify { yield &trees[tree, default: TreeWrites()] }
  }

  mutating func sort() {
    for tree in trees.keys { trees[tree]?.sort() }
  }

  /// Makes the write list; call `sort` before.
  var list: WriteList {
    var list = WriteList(
      reservingByteCount: trees.values.reduce(0) { $0 + $1.byteCount })
    for (tree, writes) in trees.sorted(by: { $0.key < $1.key }) {
      writes.append(to: &list, tree)
    }
    return list
  }
}

/// The writes of one tree: keys and values in one piece of memory.
struct TreeWrites {
  private struct Operation {
    /// The key's first 8 bytes as a number, which decides most comparisons.
    var start: UInt64
    var offset: Int
    var keyByteCount: Int32
    /// -1 for a delete.
    var valueByteCount: Int64

    func key(_ memory: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
      memory.part(offset, Int(keyByteCount))
    }
  }

  private var memory: [UInt8] = []
  private var operations: [Operation] = []

  /// What a write list of these writes takes in bytes.
  var byteCount: Int { memory.count + operations.count * 11 }
  var count: Int { operations.count }

  mutating func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    add(key, valueByteCount: Int64(value.count))
    memory.append(contentsOf: value)
  }

  mutating func delete(_ key: UnsafeRawBufferPointer) { add(key, valueByteCount: -1) }

  mutating func put(_ key: [UInt8], _ value: [UInt8]) {
    key.withUnsafeBytes { key in value.withUnsafeBytes { put(key, $0) } }
  }

  mutating func delete(_ key: [UInt8]) { key.withUnsafeBytes { delete($0) } }

  private mutating func add(_ key: UnsafeRawBufferPointer, valueByteCount: Int64) {
    operations.append(
      Operation(
        start: key.leadingWord, offset: memory.count, keyByteCount: Int32(key.count),
        valueByteCount: valueByteCount))
    memory.append(contentsOf: key)
  }

  mutating func sort() {
    memory.withUnsafeBytes { memory in
      operations.sort { left, right in
        if left.start != right.start { return left.start < right.start }
        return compareBytes(left.key(memory), right.key(memory)) < 0
      }
    }
  }

  /// Calls a closure with each key and whether it is put, in their order.
  func forEach(_ body: (_ key: UnsafeRawBufferPointer, _ isPut: Bool) throws -> Void) rethrows {
    try memory.withUnsafeBytes { memory in
      for operation in operations {
        try body(operation.key(memory), operation.valueByteCount >= 0)
      }
    }
  }

  func append(to list: inout WriteList, _ tree: TreeID) {
    memory.withUnsafeBytes { memory in
      for operation in operations {
        let key = operation.key(memory)
        guard operation.valueByteCount >= 0 else {
          list.delete(key, in: tree)
          continue
        }
        let valueStart = operation.offset + key.count
        list.put(key, memory.part(valueStart, Int(operation.valueByteCount)), in: tree)
      }
    }
  }
}

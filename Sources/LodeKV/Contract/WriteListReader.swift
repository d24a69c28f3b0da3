// Takes a write list's bytes apart again. The bytes may come from a damaged file, so that every
// length is checked before it is used; the layout is described in WriteList.swift.

/// A walk over the operations of an encoded write list.
package struct WriteListReader: ~Copyable {
  /// One operation; its pointers are valid as long as the bytes that the reader was made with.
  package struct Entry {
    /// What is done.
    package let operation: WriteList.Operation
    /// The tree that is changed.
    package let tree: TreeID
    /// The key, within the list's bytes.
    package let key: UnsafeRawBufferPointer
    /// Empty for a delete.
    package let value: UnsafeRawBufferPointer
  }

  private let bytes: UnsafeRawBufferPointer
  private let path: String
  private let basePosition: UInt64
  private var offset = 0

  /// Creates a reader at the first operation.
  ///
  /// - Parameters:
  ///   - bytes: an encoded write list, which must outlive the reader and its entries.
  ///   - path: the file that errors name.
  ///   - basePosition: where in that file the bytes start.
  package init(_ bytes: UnsafeRawBufferPointer, path: String, basePosition: UInt64 = 0) {
    self.bytes = bytes
    self.path = path
    self.basePosition = basePosition
  }

  /// Returns the next operation, or nil at the end.
  ///
  /// - Throws: `EngineError.corrupt` when the bytes are not a write list.
  package mutating func next() throws(EngineError) -> Entry? {
    guard offset < bytes.count else { return nil }
    let start = offset
    guard let operation = WriteList.Operation(rawValue: bytes[start]) else {
      throw corrupt(start, "operation \(bytes[start]) is not one of a write list")
    }
    let headerByteCount =
      operation == .put ? WriteList.putHeaderByteCount : WriteList.deleteHeaderByteCount
    guard bytes.count - start >= headerByteCount else {
      throw corrupt(start, "an operation is cut short")
    }
    let tree = TreeID(bytes.integer(at: start + 1, as: UInt32.self))
    guard tree != .engine else { throw corrupt(start, "tree 0 is the engine's own") }
    let keyByteCount = Int(bytes.integer(at: start + 5, as: UInt16.self))
    let valueByteCount = operation == .put ? Int(bytes.integer(at: start + 7, as: UInt32.self)) : 0
    guard WriteList.keyByteCounts.contains(keyByteCount) else {
      throw corrupt(start, "a key has \(keyByteCount) bytes")
    }
    guard bytes.count - start - headerByteCount >= keyByteCount + valueByteCount else {
      throw corrupt(start, "an operation is longer than its list")
    }
    let keyStart = start + headerByteCount
    offset = keyStart + keyByteCount + valueByteCount
    return Entry(
      operation: operation, tree: tree, key: bytes.part(keyStart, keyByteCount),
      value: bytes.part(keyStart + keyByteCount, valueByteCount))
  }

  private func corrupt(_ offset: Int, _ reason: String) -> EngineError {
    .corrupt(path: path, position: basePosition + UInt64(offset), reason: reason)
  }
}

extension WriteList {
  /// Takes the bytes of a list out of a file.
  ///
  /// - Throws: `EngineError.corrupt` when the bytes are not a write list.
  init(encoded bytes: [UInt8], path: String, basePosition: UInt64) throws(EngineError) {
    let count = bytes.withUnsafeBytes { raw -> Result<Int, EngineError> in
      do throws(EngineError) {
        var reader = WriteListReader(raw, path: path, basePosition: basePosition)
        var count = 0
        while try reader.next() != nil { count += 1 }
        return .success(count)
      } catch {
        return .failure(error)
      }
    }
    self.init(bytes, count: try count.get())
  }

  /// Calls a closure with each operation, in the order in which they were added.
  ///
  /// - Throws: what the closure throws.
  package func forEach(
    _ body: (WriteListReader.Entry) throws(EngineError) -> Void
  ) throws(EngineError) {
    let result = bytes.withUnsafeBytes { raw -> Result<Void, EngineError> in
      do throws(EngineError) {
        var reader = WriteListReader(raw, path: "a write list in memory")
        while let entry = try reader.next() { try body(entry) }
        return .success(())
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}

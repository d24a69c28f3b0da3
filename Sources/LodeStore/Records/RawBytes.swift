// Little-endian integers and parts of raw bytes; callers have checked that what they ask is inside.

internal import Glibc

extension UnsafeRawBufferPointer {
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(
    at offset: Int, as type: Integer.Type
  ) -> Integer {
    assert(offset >= 0 && count - offset >= MemoryLayout<Integer>.size)
    return Integer(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  @inline(__always)
  func part(_ offset: Int, _ byteCount: Int) -> UnsafeRawBufferPointer {
    assert(offset >= 0 && byteCount >= 0 && count - offset >= byteCount)
    return UnsafeRawBufferPointer(rebasing: self[offset..<offset + byteCount])
  }
}

extension [UInt8] {
  @inline(__always)
  mutating func appendInteger<Integer: FixedWidthInteger>(_ value: Integer) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }

  @inline(__always)
  mutating func appendBigEndian<Integer: FixedWidthInteger>(_ value: Integer) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  @inline(__always)
  mutating func setInteger<Integer: FixedWidthInteger>(_ value: Integer, at offset: Int) {
    withUnsafeMutableBytes {
      $0.storeBytes(of: value.littleEndian, toByteOffset: offset, as: Integer.self)
    }
  }
}

/// Compares bytes as unsigned numbers, a prefix first; the result is negative, zero or positive.
@inline(__always)
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  guard let leftBase = left.baseAddress, let rightBase = right.baseAddress else {
    return left.count - right.count
  }
  let order = memcmp(leftBase, rightBase, min(left.count, right.count))
  return order != 0 ? Int(order) : left.count - right.count
}

extension UnsafeRawBufferPointer {
  /// The first 8 bytes as a number whose order is theirs; missing ones count as 0.
  @inline(__always)
  var leadingWord: UInt64 {
    if count >= 8 { return UInt64(bigEndian: loadUnaligned(as: UInt64.self)) }
    var word: UInt64 = 0
    for index in 0..<8 { word = word << 8 | UInt64(index < count ? self[index] : 0) }
    return word
  }
}

/// Tells whether bytes are found somewhere in others; empty ones are found everywhere.
func contains(_ bytes: UnsafeRawBufferPointer, _ part: UnsafeRawBufferPointer) -> Bool {
  guard let base = bytes.baseAddress, let partBase = part.baseAddress, let first = part.first
  else { return part.isEmpty }
  var offset = 0
  while bytes.count - offset >= part.count {
    let reach = bytes.count - offset - part.count + 1
    guard let found = memchr(base + offset, Int32(first), reach) else { return false }
    if memcmp(found, partBase, part.count) == 0 { return true }
    offset = UnsafeRawPointer(found) - base + 1
  }
  return false
}

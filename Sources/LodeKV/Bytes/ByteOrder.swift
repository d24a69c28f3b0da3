// Little-endian integers in raw bytes, and the one order that keys have: by unsigned bytes, a
// prefix first.

internal import Glibc

extension UnsafeRawBufferPointer {
  /// Reads an integer that starts at a byte offset; the caller has checked that it is inside.
  @inline(__always)
  func integer<Integer: FixedWidthInteger>(at offset: Int, as type: Integer.Type) -> Integer {
    Integer(littleEndian: loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// A part of the bytes as a buffer of its own; the caller has checked that it is inside.
  @inline(__always)
  func part(_ offset: Int, _ byteCount: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[offset..<offset + byteCount])
  }
}

extension UnsafeMutableRawBufferPointer {
  /// Writes an integer that starts at a byte offset; the caller has checked that it is inside.
  @inline(__always)
  func setInteger<Integer: FixedWidthInteger>(_ value: Integer, at offset: Int) {
    storeBytes(of: value.littleEndian, toByteOffset: offset, as: Integer.self)
  }
}

extension [UInt8] {
  /// Appends an integer, least significant byte first.
  mutating func appendInteger<Integer: FixedWidthInteger>(_ value: Integer) {
    Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
  }
}

/// Compares two keys; the result is negative, zero or positive, like that of `memcmp`.
@inline(__always)
func compareKeys(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let shared = min(left.count, right.count)
  if shared > 0, let leftBase = left.baseAddress, let rightBase = right.baseAddress {
    let order = memcmp(leftBase, rightBase, shared)
    if order != 0 { return Int(order) }
  }
  return left.count - right.count
}

/// Returns how many leading bytes two keys share.
func sharedPrefixByteCount(
  _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
) -> Int {
  let limit = min(left.count, right.count)
  var count = 0
  while count < limit, left[count] == right[count] { count += 1 }
  return count
}

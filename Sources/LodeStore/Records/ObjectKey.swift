/// A record's key: an object number as one length byte and its significant bytes, most significant
/// first, so that keys are as short as they can be and ordered as the numbers are.
struct ObjectKey: Hashable, Sendable {
  let number: UInt64

  init(_ number: UInt64) { self.number = number }

  /// The longest key in bytes: a length byte and the 6 bytes of the largest number.
  static let byteCountMax = 7

  /// Calls a closure with the key's bytes.
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let length = (64 - number.leadingZeroBitCount + 7) / 8
    // The length byte, the number's bytes, then unused ones: 16 bytes on the stack.
    let word = (UInt64(length) << 56 | (number << (8 * UInt64(8 - length))) >> 8).bigEndian
    let pair = (word, UInt64(0))
    return try withUnsafePointer(to: pair) { pointer throws(Failure) in
      try body(UnsafeRawBufferPointer(start: pointer, count: 1 + length))
    }
  }

  func append(to bytes: inout [UInt8]) {
    withBytes { bytes.append(contentsOf: $0) }
  }

  /// Reads a key that begins at a byte offset and ends with the bytes.
  ///
  /// - Throws: `RecordError.malformed` when the bytes are no key of an object.
  init(
    _ bytes: UnsafeRawBufferPointer, from offset: Int = 0
  ) throws(RecordError) {
    guard offset >= 0, offset < bytes.count, (1...6).contains(bytes[offset]),
      bytes.count - offset == 1 + Int(bytes[offset])
    else { throw .malformed(reason: "an object key of \(bytes.count - offset) bytes") }
    var number: UInt64 = 0
    for index in offset + 1..<bytes.count { number = number << 8 | UInt64(bytes[index]) }
    guard bytes[offset + 1] != 0 else { throw .malformed(reason: "an object key with padding") }
    self.number = number
  }
}

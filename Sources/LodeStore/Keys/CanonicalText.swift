// Swift compares strings by the scalars of their canonical composition (NFC). Keys therefore hold text in
// that form, made by the same tables of the standard library, so that keys and `==` can't disagree.

@_spi(_Unicode) internal import Swift

enum CanonicalText {
  /// Tells whether text is surely in NFC, by its bytes alone: scalars below U+0300 never combine.
  static func isCanonical(_ utf8: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    // ASCII, eight bytes at a time.
    while offset + 8 <= utf8.count {
      let word = utf8.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      guard word & 0x8080_8080_8080_8080 == 0 else { break }
      offset += 8
    }
    while offset < utf8.count {
      guard utf8[offset] < 0xCC else { return false }
      offset += 1
    }
    return true
  }

  /// Returns the UTF-8 bytes of text in NFC.
  static func bytes(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { utf8 in
      let raw = UnsafeRawBufferPointer(utf8)
      return isCanonical(raw) ? Array(raw) : withCanonical(raw) { Array($0) }
    }
  }

  /// Calls a closure with the UTF-8 bytes of text in NFC.
  ///
  /// Bytes that are no UTF-8 are replaced as `String` replaces them.
  static func withCanonical<Result>(
    _ utf8: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for scalar in String(decoding: utf8, as: UTF8.self)._nfc {
      bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }
    return bytes.withUnsafeBytes(body)
  }
}

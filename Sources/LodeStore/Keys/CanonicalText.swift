// Swift compares strings by the scalars of their canonical composition (NFC). Keys therefore hold text in
// that form, made by the same tables of the standard library, so that keys and `==` can't disagree.

@_spi(_Unicode) internal import Swift

enum CanonicalText {
  /// Tells whether text is surely in NFC, by its bytes alone: scalars below U+0300 never combine.
  @inline(__always)
  static func isCanonical(_ utf8: UnsafeRawBufferPointer) -> Bool {
    utf8.allSatisfy { $0 < 0xCC }
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

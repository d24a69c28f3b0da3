// Made by the tables of the standard library, which are those of `==` and `<`: Foundation's own mapping
// cuts scalars beyond U+FFFF short (U+10041 and an accent become Á) and knows another Unicode version.

@_spi(_Unicode) internal import Swift

extension String {
  /// The string in canonical composition (NFC), the form whose UTF-8 bytes order as strings do.
  ///
  /// Returns the string itself, after one look at its bytes, when it plainly is composed: ASCII, Latin,
  /// basic Cyrillic and most Han text.
  package var canonicallyComposed: String {
    isPlainlyComposed ? self : String(String.UnicodeScalarView(_nfc))
  }

  /// The scalars of the string in canonical decomposition (NFD).
  var canonicallyDecomposedScalars: some Sequence<Unicode.Scalar> { _nfd }

  /// Whether no byte begins a scalar that could compose with another or decompose.
  ///
  /// Below U+0300 every scalar is its own composition and none composes with a following one of the
  /// same range; the lead bytes D0 and D1 (U+0400 to U+047F) and E4 to E9 (U+4000 to U+9FFF) begin
  /// scalars of which the same is true.
  private var isPlainlyComposed: Bool {
    utf8.allSatisfy { byte in
      byte < 0xCC || byte == 0xD0 || byte == 0xD1 || (0xE4...0xE9).contains(byte)
    }
  }
}

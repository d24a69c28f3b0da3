/// A text to look for in others: folded, composed and as bytes, prepared once for many searches.
///
/// Texts are searched as the UTF-8 bytes of their canonical composition, so that a match is a run of
/// whole Unicode scalars and agrees with the order of strings in index keys. The empty text is found
/// nowhere.
package struct SearchText: Hashable, Sendable {
  private let bytes: [UInt8]
  private let folding: StringFolding
  /// For each length of a matched prefix, the length of its longest border (Knuth, Morris, Pratt);
  /// empty for short texts, which are searched byte by byte.
  private let borders: [Int]

  private static let plainByteCountMax = 32

  /// Prepares a text to be searched for.
  package init(_ text: String, folding: StringFolding) {
    bytes = Array(folding.fold(text).canonicallyComposed.utf8)
    self.folding = folding
    borders = bytes.count > Self.plainByteCountMax ? Self.borders(of: bytes) : []
  }

  /// Tells whether a string begins with the text.
  package func isPrefix(of string: String) -> Bool {
    !bytes.isEmpty && withBytes(of: string) { $0.starts(with: bytes) }
  }

  /// Tells whether a string ends with the text.
  package func isSuffix(of string: String) -> Bool {
    !bytes.isEmpty && withBytes(of: string) { $0.reversed().starts(with: bytes.reversed()) }
  }

  /// Tells whether the text is somewhere in a string.
  ///
  /// - Complexity: the sum of the lengths of both.
  package func isContained(in string: String) -> Bool {
    guard !bytes.isEmpty else { return false }
    return withBytes(of: string) { borders.isEmpty ? findsPlainly(in: $0) : findsByBorders(in: $0) }
  }

  private func withBytes(of string: String, _ body: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
    var composed = folding.fold(string).canonicallyComposed
    return composed.withUTF8(body)
  }

  private func findsPlainly(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count >= bytes.count else { return false }
    let first = bytes[0]
    return (0...(text.count - bytes.count)).contains { start in
      text[start] == first && text[start...].starts(with: bytes)
    }
  }

  private func findsByBorders(in text: UnsafeBufferPointer<UInt8>) -> Bool {
    var matched = 0
    for byte in text {
      while matched > 0 && bytes[matched] != byte { matched = borders[matched] }
      if bytes[matched] == byte { matched += 1 }
      if matched == bytes.count { return true }
    }
    return false
  }

  private static func borders(of bytes: [UInt8]) -> [Int] {
    var borders = [0, 0]
    var length = 0
    for byte in bytes.dropFirst() {
      while length > 0 && bytes[length] != byte { length = borders[length] }
      if bytes[length] == byte { length += 1 }
      borders.append(length)
    }
    return borders
  }
}

/// The folded forms of the scalars of Latin, Greek and Cyrillic, looked up instead of worked out.
///
/// Holds for strings of these scalars without combining marks: in them each scalar folds by itself.
enum FoldedAlphabet {
  /// The scalars U+0000 to U+052F, combining marks aside.
  private static let scalarCount = 0x530

  private typealias Table = [[UInt8]]

  private static let byCase = makeTable([.caseInsensitive])
  private static let byDiacritics = makeTable([.diacriticInsensitive])
  private static let byBoth = makeTable([.caseInsensitive, .diacriticInsensitive])

  /// Returns a string's folded form; nil when it has other scalars.
  static func fold(_ string: String, _ folding: StringFolding) -> String? {
    let table =
      switch (folding.foldsCase, folding.foldsDiacritics) {
      case (true, true): byBoth
      case (true, false): byCase
      default: byDiacritics
      }
    var string = string
    return string.withUTF8 { bytes in fold(bytes, table) }
  }

  private static func fold(_ bytes: UnsafeBufferPointer<UInt8>, _ table: Table) -> String? {
    var folded: [UInt8] = []
    folded.reserveCapacity(bytes.count + 8)
    var position = 0
    while position < bytes.count {
      var scalar = Int(bytes[position])
      position += 1
      if scalar >= 0x80 {
        // A lead byte of two-byte scalars; what leads longer ones is beyond the table.
        guard scalar < 0xD5, position < bytes.count else { return nil }
        scalar = (scalar & 0x1F) << 6 | Int(bytes[position] & 0x3F)
        position += 1
      }
      guard scalar < scalarCount, !isCombining(scalar) else { return nil }
      folded += table[scalar]
    }
    return String(decoding: folded, as: UTF8.self)
  }

  private static func isCombining(_ scalar: Int) -> Bool {
    (0x300..<0x370).contains(scalar) || (0x483..<0x48A).contains(scalar)
  }

  private static func makeTable(_ options: ObjectComparison.Options) -> Table {
    let folding = StringFolding(options)
    return (0..<scalarCount).map { number in
      guard let scalar = Unicode.Scalar(UInt32(number)) else { return [] }
      return Array(folding.foldScalars(String(Character(scalar))).utf8)
    }
  }
}

import Foundation

/// Makes strings equal that differ in what a comparison's options overlook.
///
/// Case is folded by full Unicode case folding (`ß` and `SS` are one, `ς` and `Σ` are one; the dotless
/// `ı` stays apart from `i`). Diacritics are folded by taking the nonspacing marks out of the canonical
/// decomposition; letters that don't decompose, like `ø`, stay. Case goes first, so that strings that
/// are equal without regard to case are also equal without regard to case and diacritics.
package struct StringFolding: Hashable, Sendable {
  /// Whether upper and lower case are one.
  package let foldsCase: Bool
  /// Whether letters lose their accents.
  package let foldsDiacritics: Bool

  /// Makes the folding of comparison options; `.normalized` overrides the others.
  package init(_ options: ObjectComparison.Options) {
    let folds = !options.contains(.normalized)
    foldsCase = folds && options.contains(.caseInsensitive)
    foldsDiacritics = folds && options.contains(.diacriticInsensitive)
  }

  /// Whether folding changes nothing.
  package var isIdentity: Bool { !foldsCase && !foldsDiacritics }

  /// Returns the folded form of a string, which is the string itself where folding changes nothing
  /// in ASCII.
  package func fold(_ string: String) -> String {
    guard !isIdentity else { return string }
    if string.utf8.allSatisfy({ $0 < 0x80 }) { return foldASCII(string) }
    return FoldedAlphabet.fold(string, self) ?? foldScalars(string)
  }

  /// Folds scalar by scalar, whatever they are.
  func foldScalars(_ string: String) -> String {
    let folded = foldsCase ? Self.foldCase(string) : string
    return foldsDiacritics ? Self.foldDiacritics(folded) : folded
  }

  /// Tells whether a string folds to one that is folded already.
  ///
  /// Allocates nothing when both are ASCII.
  func fold(_ string: String, equals folded: String) -> Bool {
    var string = string
    var folded = folded
    let isEqual: Bool? = string.withUTF8 { string in
      folded.withUTF8 { folded in isEqualASCII(string, folded) }
    }
    return isEqual ?? (fold(string) == folded)
  }

  /// Compares two texts if both are ASCII; nil when one isn't.
  private func isEqualASCII(
    _ string: UnsafeBufferPointer<UInt8>, _ folded: UnsafeBufferPointer<UInt8>
  ) -> Bool? {
    guard !isIdentity, string.allSatisfy({ $0 < 0x80 }), folded.allSatisfy({ $0 < 0x80 }) else {
      return nil
    }
    guard string.count == folded.count else { return false }
    return string.indices.allSatisfy { index in
      let byte = string[index]
      let isUpperCase = foldsCase && (0x41...0x5A).contains(byte)
      return (isUpperCase ? byte | 0x20 : byte) == folded[index]
    }
  }

  /// Returns a value with its string folded; other values unchanged.
  package func fold(_ value: Value) -> Value {
    guard !isIdentity, case .string(let string) = value else { return value }
    return .string(fold(string))
  }

  private func foldASCII(_ string: String) -> String {
    let hasUpperCase = string.utf8.contains { (0x41...0x5A).contains($0) }
    return foldsCase && hasUpperCase ? string.lowercased() : string
  }

  private static func foldCase(_ string: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in string.unicodeScalars {
      switch scalar.value {
      case 0x41...0x5A: folded.append(Unicode.Scalar(UInt8(scalar.value) + 0x20))
      case 0..<0x80, 0x131: folded.append(scalar)
      case 0x1E9E: folded.append(contentsOf: "ss".unicodeScalars)
      default:
        let upperCase = scalar.properties.uppercaseMapping
        folded.append(contentsOf: upperCase.lowercased().unicodeScalars)
      }
    }
    return String(folded)
  }

  private static func foldDiacritics(_ string: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in string.canonicallyDecomposedScalars where !isDiacritic(scalar) {
      folded.append(scalar)
    }
    return String(folded).canonicallyComposed
  }

  private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    let properties = scalar.properties
    return properties.generalCategory == .nonspacingMark && properties.isDiacritic
  }
}

import LodeRandom
import LodeModel
import Testing

/// Folding and the matchers against plain models of them, on random texts.
struct MatchingTests {
  private static let foldings = [
    StringFolding([]), StringFolding(.caseInsensitive), StringFolding(.diacriticInsensitive),
    StringFolding([.caseInsensitive, .diacriticInsensitive]),
  ]

  private static let alphabet: [Character] = [
    "a", "b", "A", "é", "É", "ß", "i", "ı", "И", "й", "ά", "*", "?", "\\", "名", "🇩🇪", "\r\n", "\n",
    "e\u{301}",
  ]

  private func text(_ random: inout SeededGenerator, ascii: Bool, max: Int) -> String {
    let letters: [Character] = ascii ? ["a", "b", "B", "*", "?", "\\"] : Self.alphabet
    return String(
      (0..<Int.random(in: 0...max, using: &random)).compactMap { _ in
        letters.randomElement(using: &random)
      })
  }

  @Test func `a scalar folds the same by table and by its properties`() {
    for folding in Self.foldings {
      for number in (0x20..<0x600) as Range<UInt32> {
        guard let scalar = Unicode.Scalar(number) else { continue }
        // A Han letter behind it, which no table has, makes the whole string fold by properties.
        let slow = folding.fold("x\(scalar)名")
        #expect(folding.fold("x\(scalar)") + "名" == slow, "\(number)")
      }
    }
  }

  @Test func `folding twice is folding once, and equality is that of folded strings`() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<2_000 {
      let isASCII = Bool.random(using: &random)
      let (left, right) = (
        text(&random, ascii: isASCII, max: 3), text(&random, ascii: isASCII, max: 3)
      )
      for (folding, options) in zip(
        Self.foldings, [[], .caseInsensitive] as [ObjectComparison.Options])
      {
        let folded = folding.fold(left)
        #expect(folding.fold(folded) == folded, "seed \(seed): \(left)")
        let test = ValueTest(.equal, options: options, right: .string(right))
        let isEqual = try? test.holds(.string(left), .string(right))
        #expect(isEqual == (folded == folding.fold(right)), "seed \(seed): \(left) \(right)")
      }
    }
  }

  /// LIKE as it is defined, in exponential time.
  private func isLike(_ text: Substring, _ pattern: Substring) -> Bool {
    guard let first = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch first {
    case "*":
      return isLike(text, rest) || (!text.isEmpty && isLike(text.dropFirst(), pattern))
    case "?": return !text.isEmpty && isLike(text.dropFirst(), rest)
    case "\\":
      guard let escaped = rest.first else { return text == "\\" }
      return text.first == escaped && isLike(text.dropFirst(), rest.dropFirst())
    default: return text.first == first && isLike(text.dropFirst(), rest)
    }
  }

  @Test func `LIKE matches what its definition matches`() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<5_000 {
      let isASCII = Bool.random(using: &random)
      let subject = text(&random, ascii: isASCII, max: 6)
      let pattern = text(&random, ascii: isASCII, max: 6)
      #expect(
        LikePattern(pattern, folding: Self.foldings[0]).matches(subject)
          == isLike(subject[...], pattern[...]), "seed \(seed): \(subject) LIKE \(pattern)")
    }
  }

  @Test func `many stars take no exponential time`() {
    let subject = String(repeating: "a", count: 2_000)
    let pattern = String(repeating: "*a", count: 200) + "*b"
    #expect(!LikePattern(pattern, folding: Self.foldings[0]).matches(subject))
    #expect(!LikePattern(pattern + "é", folding: Self.foldings[0]).matches(subject + "é"))
  }

  @Test func `a text is found where its composed bytes are`() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for round in 0..<4_000 {
      let whole = text(&random, ascii: round.isMultiple(of: 2), max: 8)
      let part = text(&random, ascii: round.isMultiple(of: 2), max: 3)
      for folding in Self.foldings {
        let bytes = Array(folding.fold(whole).canonicallyComposed.utf8)
        let searched = Array(folding.fold(part).canonicallyComposed.utf8)
        let starts = bytes.indices.filter { bytes[$0...].starts(with: searched) }
        let search = SearchText(part, folding: folding)
        let isEmpty = searched.isEmpty
        #expect(search.isContained(in: whole) == (!isEmpty && !starts.isEmpty), "seed \(seed)")
        #expect(search.isPrefix(of: whole) == (!isEmpty && starts.first == 0), "seed \(seed)")
        let isSuffix = !isEmpty && starts.last == bytes.count - searched.count
        #expect(search.isSuffix(of: whole) == isSuffix, "seed \(seed)")
      }
    }
  }

  @Test func `a long text is found in linear time`() {
    let whole = String(repeating: "a", count: 100_000)
    let part = String(repeating: "a", count: 20_000)
    #expect(SearchText(part, folding: Self.foldings[0]).isContained(in: whole))
    #expect(!SearchText(part + "b", folding: Self.foldings[0]).isContained(in: whole))
    #expect(SearchText(part + "b", folding: Self.foldings[0]).isContained(in: whole + "b"))
  }
}

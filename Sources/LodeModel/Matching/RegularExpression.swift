import Foundation

/// The right side of MATCHES: an ICU regular expression that must match the whole string.
package struct RegularExpression: Sendable {
  private let expression: NSRegularExpression
  private let folding: StringFolding

  /// Makes a regular expression of a pattern.
  ///
  /// Case is folded by the expression itself, diacritics by taking them from pattern and string.
  ///
  /// - Throws: `ObjectPredicateError` with code `invalidPattern` when the pattern can't be read.
  package init(_ pattern: String, options: ObjectComparison.Options) throws(ObjectPredicateError) {
    folding = StringFolding(options.subtracting(.caseInsensitive))
    let pattern = folding.fold(pattern).canonicallyComposed
    let ignoresCase = StringFolding(options).foldsCase
    // The pattern is tried alone first, so that an unbalanced parenthesis isn't balanced by ours; the
    // second wrapping is for patterns that end in a comment.
    guard pattern.isEmpty || Self.compile(pattern, ignoresCase) != nil,
      let expression = Self.compile("(?:\(pattern))\\z", ignoresCase)
        ?? Self.compile("(?:\(pattern)\n)\\z", ignoresCase)
    else { throw Self.failure(pattern) }
    self.expression = expression
  }

  /// Tells whether the whole of a text matches.
  package func matches(_ string: String) -> Bool {
    let string = folding.fold(string).canonicallyComposed
    let whole = NSRange(location: 0, length: string.utf16.count)
    return expression.firstMatch(in: string, options: .anchored, range: whole) != nil
  }

  /// Says why a pattern can't be read.
  ///
  /// ICU's reason doesn't come through Foundation, so the reason is that of Swift's own reader, which
  /// refuses nearly the same patterns.
  private static func failure(_ pattern: String) -> ObjectPredicateError {
    let message = "MATCHES needs an ICU regular expression"
    do {
      _ = try Regex(pattern)
      return ObjectPredicateError(.invalidPattern, message)
    } catch {
      let place = Mirror(reflecting: error).descendant("location", "range")
      let start = (place as? Range<String.Index>).map { $0.lowerBound.utf16Offset(in: pattern) }
      return ObjectPredicateError(
        .invalidPattern,
        "\(message): \(error)" + (start.map { ", at character \($0) of the pattern" } ?? ""))
    }
  }

  private static func compile(_ pattern: String, _ ignoresCase: Bool) -> NSRegularExpression? {
    try? NSRegularExpression(pattern: pattern, options: ignoresCase ? .caseInsensitive : [])
  }
}

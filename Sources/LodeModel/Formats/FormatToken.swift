import Foundation

/// A word of a format string and the place where it begins.
struct FormatToken: Equatable {
  enum Kind: Equatable {
    /// A name that may be a keyword.
    case word(String)
    /// A name that can't be one: written with `#`.
    case name(String)
    case string(String)
    case integer(Int64)
    case decimal(Decimal)
    case double(Double)
    case placeholder(Placeholder)
    case variable(String)
    /// `@count` and its kin, without the `@`.
    case collectionOperator(String)
    /// An operator or a bracket.
    case symbol(String)
    case end
  }

  enum Placeholder: Equatable {
    case value, keyPath, integer, number, text
  }

  var kind: Kind
  /// In bytes of the format string's UTF-8.
  var offset: Int

  /// What the token is, in words for messages; values are not shown.
  var description: String {
    switch kind {
    case .word(let text): "“\(text)”"
    case .name(let text): "“#\(text)”"
    case .string: "a string"
    case .integer, .decimal, .double: "a number"
    case .placeholder: "a placeholder"
    case .variable(let name): "“$\(name)”"
    case .collectionOperator(let name): "“@\(name)”"
    case .symbol(let text): "“\(text)”"
    case .end: "the end"
    }
  }
}

/// The words that have a meaning of their own; keywords are the same in upper and lower case.
enum FormatKeywords {
  static let reserved: Set<String> = [
    "AND", "OR", "NOT", "IN", "ANY", "SOME", "ALL", "NONE", "LIKE", "MATCHES", "CONTAINS",
    "BEGINSWITH", "ENDSWITH", "BETWEEN", "NULL", "NIL", "TRUE", "YES", "FALSE", "NO", "SELF",
    "FIRST",
    "LAST", "SIZE", "ANYKEY", "SUBQUERY", "FETCH", "CAST", "TERNARY", "FUNCTION", "UNION",
    "INTERSECT", "MINUS", "TRUEPREDICATE", "FALSEPREDICATE", "CASEINSENSITIVE", "CI", "NOINDEX",
  ]

  /// Returns the keyword that a word is, in upper case; nil for any other word.
  static func keyword(_ word: String) -> String? {
    guard word.utf8.count <= 15 else { return nil }
    let upperCase = word.uppercased()
    return reserved.contains(upperCase) ? upperCase : nil
  }
}

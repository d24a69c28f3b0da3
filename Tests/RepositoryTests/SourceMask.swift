/// Tells the code of a Swift text from its comments and its literals, byte by byte.
///
/// A scan, not a parse: it knows line and block comments (nested), strings of one and of several lines,
/// raw strings and interpolation, whose inside counts as code. It does not know regular expression
/// literals; a quotation mark in one hides at most the rest of its line.
struct SourceMask {
  enum Kind { case code, comment, literal }

  /// What each byte of the text's UTF-8 is.
  private(set) var kinds: [Kind]
  let bytes: [UInt8]
  private var position = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    kinds = Array(repeating: .code, count: bytes.count)
    scanCode(endsAtParenthesis: false)
  }

  /// The text with every byte that is not of `kind` replaced by a space; lines stay where they are.
  func text(of kind: Kind) -> String {
    let kept = zip(bytes, kinds).map { byte, own in
      own == kind || byte == newline ? byte : space
    }
    return String(decoding: kept, as: UTF8.self)
  }

  private mutating func scanCode(endsAtParenthesis: Bool) {
    var depth = 0
    while position < bytes.count {
      if !opensSomething(bytes[position]) {
        position += 1
      } else if starts(with: "//") {
        scanLineComment()
      } else if starts(with: "/*") {
        scanBlockComment()
      } else if let opening = stringOpening() {
        scanString(opening)
      } else {
        if bytes[position] == leftParenthesis { depth += 1 }
        if bytes[position] == rightParenthesis {
          depth -= 1
          if endsAtParenthesis, depth < 0 { return }
        }
        position += 1
      }
    }
  }

  /// Whether a comment, a literal or a pair of parentheses may begin or end with this byte.
  private func opensSomething(_ byte: UInt8) -> Bool {
    byte == slash || byte == quote || byte == hash || byte == leftParenthesis
      || byte == rightParenthesis
  }

  private mutating func scanLineComment() {
    while position < bytes.count, bytes[position] != newline { take(1, as: .comment) }
  }

  private mutating func scanBlockComment() {
    var depth = 0
    while position < bytes.count {
      if starts(with: "/*") {
        depth += 1
        take(2, as: .comment)
      } else if starts(with: "*/") {
        depth -= 1
        take(2, as: .comment)
        if depth == 0 { return }
      } else {
        take(1, as: .comment)
      }
    }
  }

  private struct StringOpening {
    var hashes: Int
    var quotes: Int
  }

  private func stringOpening() -> StringOpening? {
    var next = position
    while next < bytes.count, bytes[next] == hash { next += 1 }
    guard next < bytes.count, bytes[next] == quote else { return nil }
    let isLong = next + 2 < bytes.count && bytes[next + 1] == quote && bytes[next + 2] == quote
    return StringOpening(hashes: next - position, quotes: isLong ? 3 : 1)
  }

  private mutating func scanString(_ opening: StringOpening) {
    let marks = String(repeating: "#", count: opening.hashes)
    let closing = String(repeating: "\"", count: opening.quotes) + marks
    let escape = "\\" + marks
    take(opening.hashes + opening.quotes, as: .literal)
    while position < bytes.count {
      let byte = bytes[position]
      if byte != quote, byte != backslash, byte != newline {
        take(1, as: .literal)
      } else if starts(with: closing) {
        take(closing.utf8.count, as: .literal)
        return
      } else if starts(with: escape + "(") {
        take(escape.utf8.count + 1, as: .literal)
        scanCode(endsAtParenthesis: true)
        take(1, as: .literal)
      } else if starts(with: escape) {
        take(escape.utf8.count + 1, as: .literal)
      } else if bytes[position] == newline, opening.quotes == 1 {
        return
      } else {
        take(1, as: .literal)
      }
    }
  }

  private mutating func take(_ count: Int, as kind: Kind) {
    let end = min(position + count, bytes.count)
    for index in position..<end { kinds[index] = kind }
    position = end
  }

  private func starts(with text: String) -> Bool {
    var index = position
    for byte in text.utf8 {
      guard index < bytes.count, bytes[index] == byte else { return false }
      index += 1
    }
    return true
  }
}

private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")
private let slash = UInt8(ascii: "/")
private let hash = UInt8(ascii: "#")
private let quote = UInt8(ascii: "\"")
private let backslash = UInt8(ascii: "\\")
private let leftParenthesis = UInt8(ascii: "(")
private let rightParenthesis = UInt8(ascii: ")")

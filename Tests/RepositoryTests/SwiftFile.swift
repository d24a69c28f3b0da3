/// A Swift file as these tests read it: its lines, and the words and marks of its code.
struct SwiftFile {
  /// The path from the repository's root.
  let path: String
  /// The lines as written.
  let lines: [String]
  /// The same lines with everything but comments blanked.
  let comments: [String]
  /// Words and punctuation of the code, without comments and literals.
  let tokens: [Token]

  /// A word, or a single mark, of the code.
  struct Token {
    var text: String
    /// From 1.
    var line: Int
    /// Whether the character just before it is a full stop, as in a member's name.
    var followsDot: Bool
    /// Whether there is no space between it and the token before.
    var isAttached: Bool
  }

  init(path: String, text: String) {
    self.path = path
    let mask = SourceMask(text)
    lines = Self.split(text)
    comments = Self.split(mask.text(of: .comment))
    tokens = Self.tokens(of: mask.text(of: .code))
  }

  /// The part of the path below `Sources`: the target.
  var target: String { component(1) ?? "" }

  /// The folder inside the target, or nil for a file that lies in the target itself.
  var folder: String? {
    path.split(separator: "/").count > 3 ? component(2) : nil
  }

  func finding(line: Int, _ message: String) -> Finding {
    Finding(path: path, line: line, message: message)
  }

  private func component(_ index: Int) -> String? {
    let parts = path.split(separator: "/")
    return index < parts.count ? String(parts[index]) : nil
  }

  private static func split(_ text: String) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private static func tokens(of code: String) -> [Token] {
    var tokens: [Token] = []
    var line = 1
    var start: Int?
    let bytes = Array(code.utf8)

    func add(_ range: Range<Int>, after before: UInt8) {
      tokens.append(
        Token(
          text: String(decoding: bytes[range], as: UTF8.self), line: line,
          followsDot: before == dot,
          isAttached: before != space && before != newline))
    }

    for (index, byte) in (bytes + [newline]).enumerated() {
      if isWordByte(byte) {
        if start == nil { start = index }
        continue
      }
      if let first = start {
        add(first..<index, after: first > 0 ? bytes[first - 1] : newline)
        start = nil
      }
      let previous = index > 0 ? bytes[index - 1] : newline
      if byte == newline {
        line += 1
      } else if byte != space {
        add(index..<index + 1, after: previous)
      }
    }
    return tokens
  }

  /// Letters, digits and the underscore; every byte of a character outside ASCII counts as a letter.
  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }
}

private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")
private let dot = UInt8(ascii: ".")

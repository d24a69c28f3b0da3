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
    var word = ""
    var wordFollowsDot = false
    var wordIsAttached = false
    var previous: Character = "\n"

    func endWord() {
      guard !word.isEmpty else { return }
      tokens.append(
        Token(text: word, line: line, followsDot: wordFollowsDot, isAttached: wordIsAttached))
      word = ""
    }

    for character in code {
      if character.isLetter || character.isNumber || character == "_" {
        if word.isEmpty {
          wordFollowsDot = previous == "."
          wordIsAttached = !previous.isWhitespace
        }
        word.append(character)
      } else {
        endWord()
        if character.isNewline {
          line += 1
        } else if !character.isWhitespace {
          tokens.append(
            Token(
              text: String(character), line: line, followsDot: previous == ".",
              isAttached: !previous.isWhitespace))
        }
      }
      previous = character
    }
    endWord()
    return tokens
  }
}

/// The right side of LIKE: `*` stands for any run of characters, `?` for exactly one, a backslash takes
/// the next character as it is; the whole string must match.
///
/// Characters are graphemes, equal when canonically equivalent. Matching goes back to the last star
/// only, which suffices because an earlier star could match no more than a later one: the cost is the
/// product of both lengths at worst.
package struct LikePattern: Hashable, Sendable {
  private enum Element: Hashable, Sendable {
    case character(Character)
    case anyCharacter
    case anyRun

    /// The element among bytes; nil for characters beyond ASCII.
    var byte: UInt8? {
      switch self {
      case .character(let character):
        character.unicodeScalars.count == 1 ? character.asciiValue : nil
      case .anyCharacter: LikePattern.anyByte
      case .anyRun: LikePattern.anyBytes
      }
    }
  }

  private let elements: [Element]
  private let folding: StringFolding
  /// The elements as ASCII bytes, with the two below for wildcards; nil when one isn't ASCII.
  private let bytes: [UInt8]?

  fileprivate static let anyByte: UInt8 = 0xFE
  fileprivate static let anyBytes: UInt8 = 0xFF

  /// Reads a pattern of `*`, `?` and backslash escapes, folded as its texts will be.
  package init(_ pattern: String, folding: StringFolding) {
    var elements: [Element] = []
    var isEscaped = false
    for character in folding.fold(pattern) {
      switch (character, isEscaped) {
      case ("\\", false):
        isEscaped = true
        continue
      case ("?", false): elements.append(.anyCharacter)
      case ("*", false): if elements.last != .anyRun { elements.append(.anyRun) }
      default: elements.append(.character(character))
      }
      isEscaped = false
    }
    if isEscaped { elements.append(.character("\\")) }
    self.elements = elements
    self.folding = folding
    let bytes = elements.compactMap(\.byte)
    self.bytes = bytes.count == elements.count ? bytes : nil
  }

  /// Tells whether the whole of a text matches, in the product of both lengths at most.
  package func matches(_ string: String) -> Bool {
    var string = folding.fold(string)
    if let bytes, let answer = string.withUTF8({ Self.matches($0, bytes) }) { return answer }
    return matchesCharacters(of: string)
  }

  /// Matches bytes, if each is a character: in ASCII without the carriage return, which makes one character
  /// with a line feed.
  private static func matches(_ text: UnsafeBufferPointer<UInt8>, _ pattern: [UInt8]) -> Bool? {
    guard text.allSatisfy({ $0 < 0x80 && $0 != 0x0D }) else { return nil }
    var position = 0
    var element = 0
    var retry: (element: Int, position: Int)?
    while position < text.count {
      let expected = element < pattern.count ? pattern[element] : 0
      if element < pattern.count, expected == anyBytes {
        element += 1
        retry = (element, position)
      } else if element < pattern.count, expected == anyByte || expected == text[position] {
        element += 1
        position += 1
      } else if let last = retry {
        position = last.position + 1
        element = last.element
        retry = (element, position)
      } else {
        return false
      }
    }
    return pattern[element...].allSatisfy { $0 == anyBytes }
  }

  private func matchesCharacters(of string: String) -> Bool {
    var position = string.startIndex
    var element = 0
    var retry: (element: Int, position: String.Index)?
    while position < string.endIndex {
      if element < elements.count, elements[element] == .anyRun {
        element += 1
        retry = (element, position)
      } else if element < elements.count, accepts(string[position], at: element) {
        element += 1
        position = string.index(after: position)
      } else if let last = retry {
        position = string.index(after: last.position)
        element = last.element
        retry = (element, position)
      } else {
        return false
      }
    }
    return elements[element...].allSatisfy { $0 == .anyRun }
  }

  private func accepts(_ character: Character, at index: Int) -> Bool {
    switch elements[index] {
    case .character(let expected): character == expected
    case .anyCharacter: true
    case .anyRun: false
    }
  }
}

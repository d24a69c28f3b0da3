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
  }

  private let elements: [Element]
  private let folding: StringFolding

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
  }

  package func matches(_ string: String) -> Bool {
    let string = folding.fold(string)
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

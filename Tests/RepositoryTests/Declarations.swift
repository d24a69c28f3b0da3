/// Finds declarations in the tokens of a file. Light on purpose: it counts braces and reads keywords.
extension SwiftFile {
  struct Declaration {
    var name: String
    /// The line of its keyword, from 1.
    var line: Int
    /// Whether only its own file sees it.
    var isPrivate: Bool
  }

  /// Types and macros declared at the top of the file.
  var topLevelTypes: [Declaration] {
    var depth = 0
    var found: [Declaration] = []
    for (index, token) in tokens.enumerated() {
      if token.text == "{" { depth += 1 }
      if token.text == "}" { depth -= 1 }
      guard depth == 0, typeKeywords.contains(token.text), index + 1 < tokens.count else {
        continue
      }
      let name = tokens[index + 1].text
      guard name.first?.isUppercase ?? false else { continue }
      found.append(
        Declaration(name: name, line: token.line, isPrivate: hasPrivateModifier(before: index)))
    }
    return found
  }

  /// Names of types and generic parameters that the file declares anywhere.
  var declaredNames: Set<String> {
    var names: Set<String> = []
    for (token, next) in zip(tokens, tokens.dropFirst()) {
      if typeKeywords.contains(token.text) || token.text == "associatedtype" {
        names.insert(next.text)
      }
    }
    return names.union(genericParameters)
  }

  /// The modules the file imports, with the line of each import.
  var imports: [Declaration] {
    tokens.indices.compactMap { index in
      guard tokens[index].text == "import", !tokens[index].followsDot else { return nil }
      let rest = tokens[(index + 1)...].prefix(2).map(\.text)
      guard let first = rest.first, let last = rest.last else { return nil }
      let name = importKinds.contains(first) ? last : first
      return Declaration(name: name, line: tokens[index].line, isPrivate: false)
    }
  }

  /// Functions, initialisers, subscripts and computed properties with the lines their text takes.
  var functions: [(name: String, line: Int, lineCount: Int)] {
    tokens.indices.compactMap { index in
      guard let opening = bodyOpening(after: index), let closing = closingBrace(of: opening) else {
        return nil
      }
      let start = tokens[index].line
      let name = index + 1 < tokens.count ? tokens[index + 1].text : ""
      return (tokens[index].text + " " + name, start, tokens[closing].line - start + 1)
    }
  }

  /// Where declarations begin, attributes included, that other modules see (`public`, `open` or `package`).
  var exportedDeclarationLines: [Int] {
    var lines: [Int] = []
    for (index, token) in tokens.enumerated() where exportKeywords.contains(token.text) {
      let following = tokens[(index + 1)...].prefix(6).prefix { $0.line - token.line < 2 }
      let words = following.map(\.text)
      guard let first = words.first, declarationWords.contains(first) else { continue }
      let isInherited = words.contains("override")
      if !isInherited, !isWitness(words) {
        lines.append(tokens[attributesStart(before: index)].line)
      }
    }
    return lines
  }

  /// Whether a doc comment stands right above the line.
  func hasDocComment(aboveLine line: Int) -> Bool {
    var index = line - 2
    while index >= 0 {
      let text = lines[index].trimmingSpaces
      guard text.hasPrefix("#if") else { return text.hasPrefix("///") || text.hasSuffix("*/") }
      index -= 1
    }
    return false
  }

  /// Whether a comment stands on the line, right above it, above the attributes and the comment-less
  /// lines of the same statement, or opens the body that follows.
  func hasComment(nearLine line: Int) -> Bool {
    func isComment(_ index: Int) -> Bool {
      comments.indices.contains(index) && comments[index].contains { !$0.isWhitespace }
    }
    if isComment(line - 1) || isComment(line) { return true }
    return (1...3).contains { isComment(line - 1 - $0) }
  }

  /// Names introduced between the angle brackets of a type or function declaration.
  private var genericParameters: Set<String> {
    var names: Set<String> = []
    for index in tokens.indices.dropFirst(2) where tokens[index].text == "<" {
      let introducer = tokens[index - 2].text
      let isDeclaration =
        typeKeywords.contains(introducer) || introducer == "func"
        || tokens[index - 1].text == "init"
      guard isDeclaration else { continue }
      let list = tokens[index...].prefix { $0.text != ">" }
      for (before, name) in zip(list, list.dropFirst())
      where ["<", ",", "each"].contains(before.text) {
        names.insert(name.text)
      }
    }
    return names
  }

  /// The first token of the attributes in front of a declaration; the declaration's own without any.
  private func attributesStart(before index: Int) -> Int {
    var start = index
    while start > 1 {
      var name = start - 1
      if tokens[name].text == ")" {
        guard let opening = openingParenthesis(of: name) else { return start }
        name = opening - 1
      }
      guard name > 0, tokens[name - 1].text == "@" else { return start }
      start = name - 1
    }
    return start
  }

  private func openingParenthesis(of closing: Int) -> Int? {
    var depth = 0
    for index in tokens.indices[...closing].reversed() {
      if tokens[index].text == ")" { depth += 1 }
      if tokens[index].text == "(" { depth -= 1 }
      if depth == 0 { return index }
    }
    return nil
  }

  private func hasPrivateModifier(before index: Int) -> Bool {
    tokens[..<index].reversed().prefix { declarationWords.contains($0.text) || isPrivate($0) }
      .contains(where: isPrivate)
  }

  private func isPrivate(_ token: Token) -> Bool {
    token.text == "private" || token.text == "fileprivate"
  }

  private func isWitness(_ words: [String]) -> Bool {
    let text = words.joined(separator: " ")
    return witnesses.contains { text.contains($0) }
  }

  private func bodyOpening(after index: Int) -> Int? {
    let token = tokens[index]
    guard functionKeywords.contains(token.text), !token.followsDot else { return nil }
    var depth = 0
    for next in tokens.indices[(index + 1)...] {
      let text = tokens[next].text
      if text == "(" || text == "[" { depth += 1 }
      if text == ")" || text == "]" { depth -= 1 }
      guard depth == 0 else {
        if depth < 0 { return nil }
        continue
      }
      if text == "{" { return next }
      if text == "}" || text == ";" { return nil }
      if token.text == "var", text == "=" { return nil }
      let isNextDeclaration = declarationWords.contains(text) || text == "@" || text == "case"
      if isNextDeclaration, next > index + 1, tokens[next].line > token.line { return nil }
    }
    return nil
  }

  private func closingBrace(of opening: Int) -> Int? {
    var depth = 0
    for index in tokens.indices[opening...] {
      if tokens[index].text == "{" { depth += 1 }
      if tokens[index].text == "}" {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }
}

extension String {
  var trimmingSpaces: String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0.isWhitespace }.reversed())
  }
}

private let typeKeywords: Set = [
  "class", "struct", "enum", "protocol", "actor", "typealias", "macro",
]
private let importKinds: Set = [
  "struct", "class", "enum", "protocol", "typealias", "func", "let", "var",
]
private let functionKeywords: Set = ["func", "init", "deinit", "subscript", "var"]
private let exportKeywords: Set = ["public", "open", "package"]
private let declarationWords: Set = [
  "class", "struct", "enum", "protocol", "actor", "typealias", "macro", "func", "init", "deinit",
  "subscript", "var", "let", "static", "final", "mutating", "nonmutating", "override", "required",
  "convenience", "indirect", "lazy", "weak", "unowned", "nonisolated", "isolated", "borrowing",
  "consuming", "associatedtype", "public", "open", "package", "internal", "extension", "prefix",
  "postfix", "infix", "dynamic",
]
/// What a protocol of the standard library asks for under a fixed name; its documentation is there.
private let witnesses = [
  "func = =", "func <", "func hash ( into", "func encode ( to", "init ( from", "var description",
  "var debugDescription", "let rawValue", "init ( rawValue", "var errorDescription",
  "init ? ( value", "static var attributeType", "var value : Value", "var predicateValue",
]

// Operands: literals, placeholders, variables, lists, parentheses, and what is called by a word.

extension FormatParser {
  /// Reads an operand with the key paths and indexes behind it.
  mutating func operand() throws(ObjectPredicateError) -> Part {
    let start = token
    switch start.kind {
    case .string(let text): return try constant(.string(text))
    case .integer(let number): return try constant(.integer(number))
    case .decimal(let number): return try constant(.decimal(number))
    case .double(let number): return try constant(.double(number))
    case .placeholder(.keyPath):
      try advance()
      let names = try arguments.keyPath(at: start.offset).names
      return try postfix(names: names, at: start.offset)
    case .placeholder(let placeholder):
      try advance()
      let value = try arguments.value(for: placeholder, at: start.offset)
      return try postfix(.constant(value), at: start.offset)
    case .variable(let name):
      try advance()
      return try postfix(.variable(name), at: start.offset)
    case .name(let name):
      try advance()
      return try postfix(.keyPath(ObjectKeyPath([name])), at: start.offset)
    case .word(let word): return try self.word(word, at: start.offset)
    case .symbol("{"): return try list()
    case .symbol("("): return try parenthesis()
    case .collectionOperator, .symbol, .end: throw expected("a key path or a value")
    }
  }

  private mutating func constant(_ value: Value) throws(ObjectPredicateError) -> Part {
    let offset = token.offset
    try advance()
    return try postfix(.constant(value), at: offset)
  }

  private mutating func word(_ word: String, at offset: Int) throws(ObjectPredicateError) -> Part {
    switch FormatKeywords.keyword(word) {
    case nil:
      try advance()
      if isSymbol("(") || isSymbol(":") { return try call(word, at: offset) }
      return try postfix(.keyPath(ObjectKeyPath([word])), at: offset)
    case "NULL", "NIL": return try constant(.null)
    case "TRUE", "YES": return try constant(.boolean(true))
    case "FALSE", "NO": return try constant(.boolean(false))
    case "TRUEPREDICATE", "FALSEPREDICATE":
      try advance()
      return .predicate(.constant(word.uppercased() == "TRUEPREDICATE"), offset: offset)
    case "SELF":
      try advance()
      return try postfix(.selfObject, at: offset)
    case "CAST": return try cast(at: offset)
    case "TERNARY": return try conditional(at: offset)
    case "SUBQUERY": return try subquery(at: offset)
    case "NOINDEX":
      try advance()
      return try call("noindex", at: offset)
    case let keyword? where Self.otherWords.contains(keyword):
      throw unsupported(keyword, at: offset)
    case let keyword?:
      throw ObjectPredicateError(
        .syntax,
        "a key path or a value was expected, not \(keyword); a property of that name is written "
          + "#\(word)", offset: offset)
    }
  }

  private static let otherWords: Set = ["ANYKEY", "FETCH", "FUNCTION"]

  private mutating func list() throws(ObjectPredicateError) -> Part {
    let offset = token.offset
    try advance()
    try enter(at: offset)
    var elements: [ObjectExpression] = []
    var depth = 0
    while !isSymbol("}") {
      let part = try operation()
      elements.append(try expression(from: part))
      depth = max(depth, part.depth)
      guard isSymbol(",") else { break }
      try advance()
    }
    guard isSymbol("}") else { throw expected("“,” or “}”") }
    try advance()
    leave()
    return try postfix(ObjectExpression.aggregate(elements), at: offset, depth: depth + 1)
  }

  private mutating func parenthesis() throws(ObjectPredicateError) -> Part {
    let offset = token.offset
    try advance()
    try enter(at: offset)
    let part = try disjunction()
    guard isSymbol(")") else { throw expected("“)”") }
    try advance()
    leave()
    guard case .expression(let expression, let offset, let depth) = part else { return part }
    return try postfix(expression, at: offset, depth: depth)
  }
}

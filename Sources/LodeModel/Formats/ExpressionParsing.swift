// Expressions, loosest binding first: sums, products, signs, then operands with their key paths.
// Arithmetic is done at once, on constants; the levels above it (sets, bits, shifts) are told apart and
// refused by name.

extension FormatParser {
  /// Reads terms joined by + and -, or a predicate in parentheses.
  mutating func sum() throws(ObjectPredicateError) -> Part {
    var left = try product()
    while isSymbol("+") || isSymbol("-") {
      left = try arithmetic(left) { parser throws(ObjectPredicateError) in try parser.product() }
    }
    try refuseOtherOperators()
    return left
  }

  private mutating func product() throws(ObjectPredicateError) -> Part {
    var left = try signed()
    while isSymbol("*") || isSymbol("/") {
      left = try arithmetic(left) { parser throws(ObjectPredicateError) in try parser.signed() }
    }
    return left
  }

  private mutating func arithmetic(
    _ left: Part, _ readRight: (inout FormatParser) throws(ObjectPredicateError) -> Part
  ) throws(ObjectPredicateError) -> Part {
    let (symbol, offset) = (token.kind, token.offset)
    let leftExpression = try expression(from: left)
    try advance()
    let part = try readRight(&self)
    let rightExpression = try expression(from: part)
    guard case .symbol(let operation) = symbol, case .constant(let leftValue) = leftExpression,
      case .constant(let rightValue) = rightExpression
    else { throw unsupported("arithmetic on key paths", at: offset) }
    guard let result = ConstantArithmetic.result(leftValue, operation, rightValue) else {
      throw ObjectPredicateError(
        .typeMismatch, "“\(operation)” needs two numbers whose result has at most 64 bits",
        offset: offset)
    }
    return .expression(.constant(result), offset: left.offset)
  }

  private mutating func signed() throws(ObjectPredicateError) -> Part {
    guard isSymbol("-") || isSymbol("+") else { return try operand() }
    let (isMinus, offset) = (isSymbol("-"), token.offset)
    try advance()
    try enter(at: offset)
    defer { leave() }
    let part = try signed()
    guard case .constant(let value) = try expression(from: part) else {
      throw unsupported("a sign before a key path", at: offset)
    }
    guard let result = isMinus ? ConstantArithmetic.negated(value) : value else {
      throw ObjectPredicateError(.typeMismatch, "a sign needs a number behind it", offset: offset)
    }
    return .expression(.constant(result), offset: offset)
  }

  private static let laterSymbols: Set = ["|", "&", "^", "<<", ">>", "**", ":=", "~"]
  private static let laterWords: Set = ["UNION", "INTERSECT", "MINUS"]

  private func refuseOtherOperators() throws(ObjectPredicateError) {
    if case .symbol(let symbol) = token.kind, Self.laterSymbols.contains(symbol) {
      throw unsupported("“\(symbol)”", at: token.offset)
    }
    if let keyword, Self.laterWords.contains(keyword) {
      throw unsupported(keyword, at: token.offset)
    }
  }
}

// Operands.
extension FormatParser {
  private mutating func operand() throws(ObjectPredicateError) -> Part {
    let start = token
    switch start.kind {
    case .string(let text): return try constant(.string(text))
    case .integer(let number): return try constant(.integer(number))
    case .decimal(let number): return try constant(.decimal(number))
    case .double(let number): return try constant(.double(number))
    case .placeholder(.keyPath):
      try advance()
      return try path(try arguments.keyPath(at: start.offset).names, at: start.offset)
    case .placeholder(let placeholder):
      try advance()
      let value = try arguments.value(for: placeholder, at: start.offset)
      return .expression(.constant(value), offset: start.offset)
    case .name(let name):
      try advance()
      return try path([name], at: start.offset)
    case .word(let word): return try self.word(word, at: start.offset)
    case .symbol("{"): return try list()
    case .symbol("("): return try parenthesis()
    case .variable: throw unsupported("a variable", at: start.offset)
    case .symbol("~"): throw unsupported("“~”", at: start.offset)
    case .collectionOperator, .symbol, .end: throw expected("a key path or a value")
    }
  }

  private mutating func constant(_ value: Value) throws(ObjectPredicateError) -> Part {
    let offset = token.offset
    try advance()
    return .expression(.constant(value), offset: offset)
  }

  private mutating func word(_ word: String, at offset: Int) throws(ObjectPredicateError) -> Part {
    switch FormatKeywords.keyword(word) {
    case nil:
      try advance()
      return try path([word], at: offset)
    case "NULL", "NIL": return try constant(.null)
    case "TRUE", "YES": return try constant(.boolean(true))
    case "FALSE", "NO": return try constant(.boolean(false))
    case "TRUEPREDICATE", "FALSEPREDICATE":
      try advance()
      return .predicate(.constant(word.uppercased() == "TRUEPREDICATE"), offset: offset)
    case "SELF":
      try advance()
      return try path(["SELF"], at: offset)
    case "CAST": return try cast(at: offset)
    case let keyword? where Self.laterFunctions.contains(keyword):
      throw unsupported(keyword, at: offset)
    case let keyword?:
      throw ObjectPredicateError(
        .syntax,
        "a key path or a value was expected, not \(keyword); a property of that name is written "
          + "#\(word)", offset: offset)
    }
  }

  private static let laterFunctions: Set = [
    "ANYKEY", "SUBQUERY", "FETCH", "TERNARY", "FUNCTION", "NOINDEX",
  ]

  /// Reads the rest of a key path whose first names are known: more names, `@count`, `[SIZE]`.
  private mutating func path(
    _ names: [String], at offset: Int
  ) throws(ObjectPredicateError) -> Part {
    var names = names
    if isSymbol("(") || isSymbol(":") {
      throw unsupported("the function “\(names.joined(separator: "."))”", at: offset)
    }
    while isSymbol(".") {
      try advance()
      switch token.kind {
      case .word(let name), .name(let name): names.append(name)
      case .collectionOperator("count"):
        try advance()
        return .expression(.count(ObjectKeyPath(names)), offset: offset)
      case .collectionOperator(let name): throw unsupported("“@\(name)”", at: token.offset)
      default: throw expected("a name")
      }
      try advance()
    }
    if isSymbol("[") { return try index(names, at: offset) }
    return .expression(Self.expression(names), offset: offset)
  }

  /// Returns the expression of a path, passing over `SELF` in front and reading `@count` behind, as a
  /// path given for `%K` may have them.
  private static func expression(_ names: [String]) -> ObjectExpression {
    if names == ["SELF"] { return .selfObject }
    let path = names.first == "SELF" ? Array(names.dropFirst()) : names
    return path.last == "@count"
      ? .count(ObjectKeyPath(Array(path.dropLast()))) : .keyPath(ObjectKeyPath(path))
  }

  private mutating func index(_ names: [String], at offset: Int) throws(ObjectPredicateError)
    -> Part
  {
    try advance()
    guard keyword == "SIZE" else {
      throw unsupported("an index other than [SIZE]", at: token.offset)
    }
    try advance()
    try expect("]")
    return .expression(.count(ObjectKeyPath(names)), offset: offset)
  }

  private mutating func list() throws(ObjectPredicateError) -> Part {
    let offset = token.offset
    try advance()
    try enter(at: offset)
    defer { leave() }
    var elements: [ObjectExpression] = []
    while !isSymbol("}") {
      let part = try sum()
      elements.append(try expression(from: part))
      guard isSymbol(",") else { break }
      try advance()
    }
    guard isSymbol("}") else { throw expected("“,” or “}”") }
    try advance()
    return .expression(ObjectExpression.aggregate(elements), offset: offset)
  }

  private mutating func parenthesis() throws(ObjectPredicateError) -> Part {
    let offset = token.offset
    try advance()
    try enter(at: offset)
    defer { leave() }
    let part = try disjunction()
    guard isSymbol(")") else { throw expected("“)”") }
    try advance()
    return part
  }

  private mutating func cast(at offset: Int) throws(ObjectPredicateError) -> Part {
    try advance()
    try expect("(")
    try enter(at: offset)
    defer { leave() }
    let part = try sum()
    let operand = try expression(from: part)
    try expect(",")
    guard case .string(let type) = token.kind else { throw expected("a type's name in quotes") }
    let typeOffset = token.offset
    try advance()
    try expect(")")
    guard case .constant(let value) = operand else {
      throw unsupported("CAST of a key path", at: offset)
    }
    guard let cast = ConstantCast(typeName: type) else {
      throw ObjectPredicateError(.syntax, "CAST knows no type of this name", offset: typeOffset)
    }
    guard let result = cast.result(value) else {
      throw ObjectPredicateError(
        .typeMismatch, "this \(value.kind) can't be cast to \(type)", offset: offset)
    }
    return .expression(.constant(result), offset: offset)
  }
}

extension ObjectExpression {
  /// Makes the expression of a list: one constant when every element is one.
  static func aggregate(_ elements: [ObjectExpression]) -> ObjectExpression {
    var values: [Value] = []
    for element in elements {
      guard case .constant(let value) = element else { return .list(elements) }
      values.append(value)
    }
    return .constant(.list(values))
  }
}

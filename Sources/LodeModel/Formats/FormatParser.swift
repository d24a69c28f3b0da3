/// Reads a predicate out of a format string, by recursive descent with one token of look-ahead.
///
/// A parenthesis may open a predicate or an expression. Both are read by the same functions, which
/// return whichever they found; the place that needs one of the two checks.
struct FormatParser {
  /// What a part of the format turned out to be, and where it begins; of an expression also how deeply
  /// it nests.
  enum Part {
    case predicate(ObjectPredicate, offset: Int)
    case expression(ObjectExpression, offset: Int, depth: Int)
  }

  private var lexer: FormatLexer
  private(set) var token: FormatToken
  var arguments: ArgumentList
  private var depth = 0

  init(_ format: String, _ arguments: ArgumentList) throws(ObjectPredicateError) {
    guard format.utf8.count <= PredicateLimits.formatByteCountMax else {
      throw ObjectPredicateError(
        .tooLarge, "a format has at most \(PredicateLimits.formatByteCountMax) bytes")
    }
    lexer = FormatLexer(format)
    token = try lexer.next()
    self.arguments = arguments
  }

  /// Reads the whole format.
  mutating func parse() throws(ObjectPredicateError) -> ObjectPredicate {
    let part = try disjunction()
    let predicate = try predicate(from: part)
    guard token.kind == .end else { throw expected("AND, OR or the end") }
    try arguments.checkEnd(at: token.offset)
    return predicate
  }

  /// Reads parts joined by OR, which may be a single expression.
  mutating func disjunction() throws(ObjectPredicateError) -> Part {
    let first = try conjunction()
    guard isOr else { return first }
    var parts = [try predicate(from: first)]
    while isOr {
      try advance()
      let part = try conjunction()
      parts.append(try predicate(from: part))
    }
    return .predicate(.or(parts), offset: first.offset)
  }

  private mutating func conjunction() throws(ObjectPredicateError) -> Part {
    let first = try negation()
    guard isAnd else { return first }
    var parts = [try predicate(from: first)]
    while isAnd {
      try advance()
      let part = try negation()
      parts.append(try predicate(from: part))
    }
    return .predicate(.and(parts), offset: first.offset)
  }

  private mutating func negation() throws(ObjectPredicateError) -> Part {
    guard keyword == "NOT" || isSymbol("!") else { return try comparison() }
    let offset = token.offset
    try advance()
    try enter(at: offset)
    defer { leave() }
    let part = try negation()
    return .predicate(.not(try predicate(from: part)), offset: offset)
  }

  private var isOr: Bool { keyword == "OR" || isSymbol("||") }
  private var isAnd: Bool { keyword == "AND" || isSymbol("&&") }

  func predicate(from part: Part) throws(ObjectPredicateError) -> ObjectPredicate {
    if case .predicate(let predicate, _) = part { return predicate }
    throw expected("a comparison operator such as ==, IN or CONTAINS")
  }

  func expression(from part: Part) throws(ObjectPredicateError) -> ObjectExpression {
    switch part {
    case .expression(let expression, _, _): return expression
    case .predicate(_, let offset):
      throw ObjectPredicateError(
        .syntax, "an expression was expected here, and this is a condition", offset: offset)
    }
  }
}

extension FormatParser.Part {
  var offset: Int {
    switch self {
    case .predicate(_, let offset), .expression(_, let offset, _): offset
    }
  }

  var depth: Int {
    if case .expression(_, _, let depth) = self { depth } else { 0 }
  }
}

// Tokens.
extension FormatParser {
  /// The current token as a keyword in upper case, if it is one.
  var keyword: String? {
    if case .word(let word) = token.kind { FormatKeywords.keyword(word) } else { nil }
  }

  func isSymbol(_ symbol: String) -> Bool { token.kind == .symbol(symbol) }

  mutating func advance() throws(ObjectPredicateError) { token = try lexer.next() }

  /// Passes over a symbol that must come now.
  mutating func expect(_ symbol: String) throws(ObjectPredicateError) {
    guard isSymbol(symbol) else { throw expected("“\(symbol)”") }
    try advance()
  }

  func expected(_ what: String) -> ObjectPredicateError {
    ObjectPredicateError(
      .syntax, "\(what) was expected, not \(token.description)", offset: token.offset)
  }

  func unsupported(_ what: String, at offset: Int) -> ObjectPredicateError {
    ObjectPredicateError(.unsupported, "\(what) can't be used in a format", offset: offset)
  }

  /// Goes one level deeper, into a parenthesis, a list or behind a sign.
  mutating func enter(at offset: Int) throws(ObjectPredicateError) {
    depth += 1
    do throws(ObjectPredicateError) {
      try PredicateLimits.check(depth: depth)
    } catch {
      var error = error
      error.offset = offset
      throw error
    }
  }

  mutating func leave() { depth -= 1 }

  /// Makes a part of an expression, whose depth is bounded however it came about.
  func part(
    _ expression: ObjectExpression, at offset: Int, depth: Int = 0
  ) throws(ObjectPredicateError) -> Part {
    guard depth <= PredicateLimits.depthMax else {
      throw ObjectPredicateError(
        .tooLarge, "an expression nests at most \(PredicateLimits.depthMax) levels deep",
        offset: offset)
    }
    return .expression(expression, offset: offset, depth: depth)
  }
}

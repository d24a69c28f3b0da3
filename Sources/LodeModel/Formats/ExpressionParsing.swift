// Expressions, loosest binding first: operators of sets, of bits, shifts, sums, products, powers, signs.
// All but powers bind to the left. Arithmetic on constants is done at once.

extension FormatParser {
  private struct BinaryOperator {
    var function: ObjectFunction
    /// Higher binds tighter.
    var precedence: Int
  }

  private static let symbols: [String: BinaryOperator] = [
    "|": BinaryOperator(function: .bitwiseOr, precedence: 1),
    "^": BinaryOperator(function: .bitwiseXor, precedence: 2),
    "&": BinaryOperator(function: .bitwiseAnd, precedence: 3),
    "<<": BinaryOperator(function: .leftShift, precedence: 4),
    ">>": BinaryOperator(function: .rightShift, precedence: 4),
    "+": BinaryOperator(function: .add, precedence: 5),
    "-": BinaryOperator(function: .subtract, precedence: 5),
    "*": BinaryOperator(function: .multiply, precedence: 6),
    "/": BinaryOperator(function: .divide, precedence: 6),
    "**": BinaryOperator(function: .power, precedence: 7),
  ]

  private static let words: [String: BinaryOperator] = [
    "UNION": BinaryOperator(function: .union, precedence: 0),
    "INTERSECT": BinaryOperator(function: .intersection, precedence: 0),
    "MINUS": BinaryOperator(function: .difference, precedence: 0),
  ]

  private var binaryOperator: BinaryOperator? {
    if case .symbol(let symbol) = token.kind { return Self.symbols[symbol] }
    return keyword.flatMap { Self.words[$0] }
  }

  /// Reads operands joined by operators that bind at least so tightly, or a predicate in parentheses.
  mutating func operation(_ precedenceMin: Int = 0) throws(ObjectPredicateError) -> Part {
    var left = try signed()
    while let binary = binaryOperator, binary.precedence >= precedenceMin {
      left = try operation(binary, left)
    }
    return left
  }

  private mutating func operation(
    _ binary: BinaryOperator, _ left: Part
  ) throws(ObjectPredicateError) -> Part {
    let offset = token.offset
    let leftExpression = try expression(from: left)
    try advance()
    try enter(at: offset)
    defer { leave() }
    let right = try operation(binary.precedence + (binary.function == .power ? 0 : 1))
    let arguments = [leftExpression, try expression(from: right)]
    let result = try result(binary.function, arguments, at: offset)
    return try part(result, at: left.offset, depth: max(left.depth, right.depth) + 1)
  }

  private mutating func signed() throws(ObjectPredicateError) -> Part {
    guard isSymbol("-") || isSymbol("+") || isSymbol("~") else { return try operand() }
    let (symbol, offset) = (token.kind, token.offset)
    try advance()
    try enter(at: offset)
    defer { leave() }
    let inner = try signed()
    let operand = try expression(from: inner)
    if case .constant(let value) = operand, value.asNumber == nil {
      throw ObjectPredicateError(.typeMismatch, "a sign needs a number behind it", offset: offset)
    }
    if symbol == .symbol("+") { return inner }
    let function: ObjectFunction = symbol == .symbol("-") ? .negate : .complement
    let result = try result(function, [operand], at: offset)
    return try part(result, at: offset, depth: inner.depth + 1)
  }

  /// Returns a function of expressions, or its result where they are constants and it is arithmetic.
  private func result(
    _ function: ObjectFunction, _ arguments: [ObjectExpression], at offset: Int
  ) throws(ObjectPredicateError) -> ObjectExpression {
    var values: [Value] = []
    for case .constant(let value) in arguments { values.append(value) }
    guard values.count == arguments.count, function.isArithmetic else {
      return .function(function, arguments)
    }
    do throws(ObjectPredicateError) {
      return .constant(try function.result(values))
    } catch {
      throw ObjectPredicateError(error.code, error.message, offset: offset)
    }
  }

  private static let otherSymbols: Set = [":="]

  /// Refuses by name what Core Data's formats have besides.
  func refuseOtherOperators() throws(ObjectPredicateError) {
    if case .symbol(let symbol) = token.kind, Self.otherSymbols.contains(symbol) {
      throw unsupported("“\(symbol)”", at: token.offset)
    }
    if case .word("UTI") = token.kind { throw unsupported("a type identifier", at: token.offset) }
  }
}

extension ObjectFunction {
  /// Whether the function is done on constants when a format is read.
  fileprivate var isArithmetic: Bool {
    switch self {
    case .add, .subtract, .multiply, .divide, .power, .negate: true
    default: false
    }
  }
}

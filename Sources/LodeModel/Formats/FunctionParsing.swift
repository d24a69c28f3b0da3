// What is called by a name with arguments in parentheses: functions, CAST, TERNARY, SUBQUERY.

extension FormatParser {
  private static let functions: [String: ObjectFunction] = {
    var functions: [String: ObjectFunction] = [:]
    for function in ObjectFunction.allCases {
      functions[function.rawValue] = function
      if function.argumentCount <= 1 { functions[function.name] = function }
    }
    functions["random:"] = .randomBelow
    return functions
  }()

  /// Reads the rest of a function's name, behind its first word, and its arguments.
  mutating func call(_ word: String, at offset: Int) throws(ObjectPredicateError) -> Part {
    let name = try functionName(word)
    if name == "castObject:toType:" { return try cast(at: offset, isNameRead: true) }
    var function = Self.functions[name]
    var arguments: [ObjectExpression] = []
    var depth = 0
    try expect("(")
    try enter(at: offset)
    while !isSymbol(")") {
      if let selector = endSelector, function == .element, arguments.count == 1 {
        function = selector
        try advance()
        break
      }
      let part = try operation()
      arguments.append(try expression(from: part))
      depth = max(depth, part.depth)
      guard isSymbol(",") else { break }
      try advance()
    }
    guard isSymbol(")") else { throw expected("“,” or “)”") }
    try advance()
    leave()
    if name == "random", arguments.count == 1 { function = .randomBelow }
    guard let function else {
      throw ObjectPredicateError(.unsupported, "there is no function “\(name)”", offset: offset)
    }
    guard arguments.count == function.argumentCount else {
      throw ObjectPredicateError(
        .syntax,
        "\(function.rawValue) takes \(function.argumentCount) arguments, not \(arguments.count)",
        offset: offset)
    }
    return try postfix(.function(function, arguments), at: offset, depth: depth + 1)
  }

  /// What FIRST, LAST and SIZE ask of a collection.
  var endSelector: ObjectFunction? {
    switch keyword {
    case "FIRST": .first
    case "LAST": .last
    case "SIZE": .count
    default: nil
    }
  }

  private mutating func functionName(_ word: String) throws(ObjectPredicateError) -> String {
    var name = word
    while isSymbol(":") {
      name += ":"
      try advance()
      guard case .word(let next) = token.kind else { break }
      name += next
      try advance()
    }
    return name
  }

  mutating func cast(
    at offset: Int, isNameRead: Bool = false
  ) throws(ObjectPredicateError) -> Part {
    if !isNameRead { try advance() }
    try expect("(")
    try enter(at: offset)
    let part = try operation()
    let operand = try expression(from: part)
    try expect(",")
    guard case .string(let name) = token.kind else { throw expected("a type's name in quotes") }
    guard let type = ObjectCast(typeName: name) else {
      throw ObjectPredicateError(
        .syntax, "CAST knows no type of this name", offset: token.offset)
    }
    try advance()
    try expect(")")
    leave()
    guard case .constant(let value) = operand else {
      return try postfix(.cast(operand, type), at: offset, depth: part.depth + 1)
    }
    guard let result = type.result(value) else {
      throw ObjectPredicateError(
        .typeMismatch, "\(value.kindWithArticle) can't be cast to \(name)", offset: offset)
    }
    return try postfix(.constant(result), at: offset)
  }

  mutating func conditional(at offset: Int) throws(ObjectPredicateError) -> Part {
    try advance()
    try expect("(")
    try enter(at: offset)
    let test = try disjunction()
    let predicate = try predicate(from: test)
    try expect(",")
    let first = try operation()
    let firstExpression = try expression(from: first)
    try expect(",")
    let second = try operation()
    let secondExpression = try expression(from: second)
    try expect(")")
    leave()
    return try postfix(
      .conditional(predicate, firstExpression, secondExpression), at: offset,
      depth: max(first.depth, second.depth) + 1)
  }

  mutating func subquery(at offset: Int) throws(ObjectPredicateError) -> Part {
    try advance()
    try expect("(")
    try enter(at: offset)
    let part = try operation()
    let collection = try expression(from: part)
    try expect(",")
    guard case .variable(let variable) = token.kind else { throw expected("a variable: $x") }
    try advance()
    try expect(",")
    let test = try disjunction()
    let predicate = try predicate(from: test)
    try expect(")")
    leave()
    return try postfix(
      .subquery(collection, variable: variable, predicate), at: offset, depth: part.depth + 1)
  }
}

extension ObjectFunction {
  /// The name without its colons, by which functions of one argument are called as well.
  var name: String { rawValue.filter { $0 != ":" } }
}

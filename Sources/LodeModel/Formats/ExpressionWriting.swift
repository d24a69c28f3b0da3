// Expressions as formats write them: operators where there are, with the fewest parentheses that keep
// the tree; operators of collections behind key paths; functions otherwise.

extension ObjectExpression: CustomStringConvertible {
  public var description: String {
    var output = ""
    write(into: &output, depth: 0)
    return output
  }

  func write(into output: inout String, depth: Int) {
    guard depth <= PredicateLimits.depthMax else { return output += "…" }
    switch self {
    case .constant(let value): value.write(into: &output, depth: depth)
    case .selfObject: output += "SELF"
    case .variable(let name): output += "$" + name
    case .keyPath(let path): path.write(into: &output, isBehind: false)
    case .path(let base, let path):
      base.writeBase(into: &output, depth: depth + 1)
      output += "."
      path.write(into: &output, isBehind: true)
    case .list(let elements): write("{", elements, "}", into: &output, depth: depth)
    case .function(let function, let arguments):
      write(function, arguments, into: &output, depth: depth + 1)
    case .cast(let operand, let type):
      output += "CAST("
      operand.write(into: &output, depth: depth + 1)
      output += ", \"\(type.rawValue)\")"
    case .conditional(let test, let first, let second):
      output += "TERNARY("
      test.write(into: &output, depth: depth + 1)
      output += ", "
      write("", [first, second], ")", into: &output, depth: depth)
    case .subquery(let collection, let variable, let condition):
      output += "SUBQUERY("
      collection.write(into: &output, depth: depth + 1)
      output += ", $\(variable), "
      condition.write(into: &output, depth: depth + 1)
      output += ")"
    }
  }

  private func write(
    _ start: String, _ elements: [ObjectExpression], _ end: String, into output: inout String,
    depth: Int
  ) {
    output += start
    for (index, element) in elements.enumerated() {
      if index > 0 { output += ", " }
      element.write(into: &output, depth: depth + 1)
    }
    output += end
  }

  private func write(
    _ function: ObjectFunction, _ arguments: [ObjectExpression], into output: inout String,
    depth: Int
  ) {
    if let symbol = function.symbol, arguments.count == 2 {
      arguments[0].writeOperand(isRight: false, of: function, into: &output, depth: depth)
      output += " \(symbol) "
      arguments[1].writeOperand(isRight: true, of: function, into: &output, depth: depth)
    } else if let sign = function.sign, arguments.count == 1 {
      output += sign
      arguments[0].writeBase(into: &output, depth: depth)
    } else if let suffix = function.suffix, let collection = arguments.first, collection.takesSuffix
    {
      collection.write(into: &output, depth: depth)
      output += suffix
    } else if let suffix = function.indexSuffix, let collection = arguments.first {
      collection.writeBase(into: &output, depth: depth)
      output += suffix
    } else if function == .element, arguments.count == 2, !arguments[1].isText {
      arguments[0].writeBase(into: &output, depth: depth)
      write("[", [arguments[1]], "]", into: &output, depth: depth)
    } else {
      let name = function.argumentCount < 2 ? function.name : function.rawValue
      write(name + "(", arguments, ")", into: &output, depth: depth)
    }
  }

  /// Writes what a name, an index or a sign stands beside, in parentheses where it is an operation.
  private func writeBase(into output: inout String, depth: Int) {
    if isOperation {
      write("(", [self], ")", into: &output, depth: depth)
    } else {
      write(into: &output, depth: depth)
    }
  }

  private func writeOperand(
    isRight: Bool, of outer: ObjectFunction, into output: inout String, depth: Int
  ) {
    guard case .function(let inner, let arguments) = self, inner.symbol != nil,
      arguments.count == 2
    else { return write(into: &output, depth: depth) }
    // What binds as tightly belongs to the left, but for powers, which belong to the right.
    let bindsToTheRight = outer == .power
    let needsParentheses =
      inner.precedence < outer.precedence
      || inner.precedence == outer.precedence && isRight != bindsToTheRight
    if needsParentheses {
      write("(", [self], ")", into: &output, depth: depth)
    } else {
      write(into: &output, depth: depth)
    }
  }

  /// Whether this is a constant text, which as an index would be read as a name.
  private var isText: Bool { if case .constant(.string) = self { true } else { false } }

  private var isOperation: Bool {
    guard case .function(let function, let arguments) = self else { return false }
    return function.symbol != nil && arguments.count == 2
      || function.sign != nil && arguments.count == 1
  }

  /// Whether operators of collections stand behind the expression as behind a key path.
  private var takesSuffix: Bool {
    switch self {
    case .selfObject, .keyPath, .path, .variable, .subquery: true
    default: false
    }
  }
}

extension ObjectKeyPath {
  /// Writes the path, with `#` before names that would be read as something else.
  ///
  /// - Parameter isBehind: whether the path stands behind an expression and a dot, where no name is a keyword.
  fileprivate func write(into output: inout String, isBehind: Bool) {
    for (index, name) in names.enumerated() {
      if index > 0 { output += "." }
      if !FormatLexer.isName(name) {
        output += "#"
        StringLiteral.write(name, into: &output)
      } else {
        let isPlain = FormatKeywords.keyword(name) == nil || index > 0 || isBehind
        output += isPlain ? name : "#" + name
      }
    }
  }
}

extension ObjectFunction {
  /// The operator between two operands; nil for what is called by name.
  fileprivate var symbol: String? {
    switch self {
    case .union: "UNION"
    case .intersection: "INTERSECT"
    case .difference: "MINUS"
    case .bitwiseOr: "|"
    case .bitwiseXor: "^"
    case .bitwiseAnd: "&"
    case .leftShift: "<<"
    case .rightShift: ">>"
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .power: "**"
    default: nil
    }
  }

  /// How tightly the operator binds, as the parser has it.
  fileprivate var precedence: Int {
    switch self {
    case .bitwiseOr: 1
    case .bitwiseXor: 2
    case .bitwiseAnd: 3
    case .leftShift, .rightShift: 4
    case .add, .subtract: 5
    case .multiply, .divide: 6
    case .power: 7
    default: 0
    }
  }

  fileprivate var sign: String? {
    switch self {
    case .negate: "-"
    case .complement: "~"
    default: nil
    }
  }

  /// The operator that stands behind a collection's key path.
  fileprivate var suffix: String? {
    switch self {
    case .count: ".@count"
    case .sum: ".@sum"
    case .average: ".@avg"
    case .minimum: ".@min"
    case .maximum: ".@max"
    case .distinct: ".@distinctUnionOfObjects"
    default: nil
    }
  }

  fileprivate var indexSuffix: String? {
    switch self {
    case .first: "[FIRST]"
    case .last: "[LAST]"
    default: nil
    }
  }
}

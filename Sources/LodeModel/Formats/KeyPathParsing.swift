// What may stand behind an operand: names, operators of collections, indexes.

extension FormatParser {
  /// Reads what stands behind an operand.
  mutating func postfix(
    _ expression: ObjectExpression, at offset: Int, depth: Int = 0
  ) throws(ObjectPredicateError) -> Part {
    var path = PathBuilder(expression, depth: depth)
    return try postfix(&path, at: offset)
  }

  /// Reads what stands behind the names of a key path that was an argument.
  mutating func postfix(
    names: [String], at offset: Int
  ) throws(ObjectPredicateError) -> Part {
    var path = PathBuilder(.selfObject, depth: 0)
    for (index, name) in names.enumerated() where index > 0 || name != "SELF" {
      if name.first == "@" {
        try path.append(operator: String(name.dropFirst()), at: offset)
      } else {
        try path.append(name: name, at: offset)
      }
    }
    return try postfix(&path, at: offset)
  }

  private mutating func postfix(
    _ path: inout PathBuilder, at offset: Int
  ) throws(ObjectPredicateError) -> Part {
    while true {
      if isSymbol(".") {
        try advance()
        switch token.kind {
        case .word(let name), .name(let name): try path.append(name: name, at: token.offset)
        case .collectionOperator(let name): try path.append(operator: name, at: token.offset)
        default: throw expected("a name")
        }
        try advance()
      } else if isSymbol("[") {
        try index(of: &path)
      } else {
        let (expression, depth) = path.finished
        return try part(expression, at: offset, depth: depth)
      }
      guard path.depth <= PredicateLimits.depthMax else {
        throw ObjectPredicateError(
          .tooLarge, "an expression nests at most \(PredicateLimits.depthMax) levels deep",
          offset: offset)
      }
    }
  }

  private mutating func index(of path: inout PathBuilder) throws(ObjectPredicateError) {
    let offset = token.offset
    try advance()
    if let function = endSelector {
      try advance()
      path.apply(function)
    } else {
      try enter(at: offset)
      let part = try operation()
      leave()
      switch try expression(from: part) {
      case .constant(.string(let name)): try path.append(name: name, at: offset)
      case let index: path.apply(.element, index, depth: part.depth)
      }
    }
    try expect("]")
  }
}

/// An operand with what stands behind it so far.
private struct PathBuilder {
  private var expression: ObjectExpression
  private(set) var depth: Int
  private var nameCount = 0
  /// The collection operator that takes everything up to the path's end.
  private var pending: ObjectFunction?

  init(_ expression: ObjectExpression, depth: Int) {
    self.expression = expression
    self.depth = depth
  }

  /// The whole expression and how deeply it nests.
  var finished: (ObjectExpression, depth: Int) {
    pending.map { (.function($0, [expression]), depth + 1) } ?? (expression, depth)
  }

  mutating func append(name: String, at offset: Int) throws(ObjectPredicateError) {
    if pending == .count {
      throw ObjectPredicateError(.syntax, "nothing stands behind @count", offset: offset)
    }
    nameCount += 1
    guard nameCount <= PredicateLimits.keyPathLengthMax else {
      throw ObjectPredicateError(
        .tooLarge, "a key path has at most \(PredicateLimits.keyPathLengthMax) names",
        offset: offset)
    }
    switch expression {
    case .selfObject: expression = .keyPath(ObjectKeyPath([name]))
    case .keyPath(let path): expression = .keyPath(ObjectKeyPath(path.names + [name]))
    case .path(let base, let path):
      expression = .path(base, ObjectKeyPath(path.names + [name]))
    default:
      expression = .path(expression, ObjectKeyPath([name]))
      depth += 1
    }
  }

  private static let operators: [String: ObjectFunction] = [
    "count": .count, "sum": .sum, "avg": .average, "min": .minimum, "max": .maximum,
    "distinctUnionOfObjects": .distinct, "distinctUnionOfArrays": .distinct,
    "distinctUnionOfSets": .distinct,
  ]

  /// Key paths go through all members anyway, which is what these ask for.
  private static let plainUnions: Set = ["unionOfObjects", "unionOfArrays", "unionOfSets"]

  mutating func append(operator name: String, at offset: Int) throws(ObjectPredicateError) {
    finish()
    if Self.plainUnions.contains(name) { return }
    guard let function = Self.operators[name] else {
      throw ObjectPredicateError(
        .syntax, "there is no operator of collections “@\(name)”", offset: offset)
    }
    pending = function
  }

  mutating func apply(_ function: ObjectFunction, _ arguments: ObjectExpression..., depth: Int = 0)
  {
    finish()
    expression = .function(function, [expression] + arguments)
    self.depth = max(self.depth, depth) + 1
  }

  private mutating func finish() {
    (expression, depth) = finished
    pending = nil
  }
}

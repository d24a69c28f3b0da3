import LodeRandom
import Foundation
import LodeModel

/// Random predicates in the form in which formats are read, and random text that looks like formats.
struct RandomPredicates {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func predicate(depth: Int = 4) -> ObjectPredicate {
    switch depth > 0 ? Int.random(in: 0..<6, using: &random) : 5 {
    case 0: .and(parts(depth: depth))
    case 1: .or(parts(depth: depth))
    case 2: .not(predicate(depth: depth - 1))
    case 3: .constant(Bool.random(using: &random))
    default: .comparison(comparison())
    }
  }

  private mutating func parts(depth: Int) -> [ObjectPredicate] {
    (0..<Int.random(in: 2...4, using: &random)).map { _ in predicate(depth: depth - 1) }
  }

  private mutating func comparison() -> ObjectComparison {
    let operators = ObjectComparison.Operator.allCases
    let `operator` = operators.randomElement(using: &random) ?? .equal
    let quantifiers: [ObjectComparison.Quantifier] = [.direct, .direct, .any, .all, .none]
    let options = ObjectComparison.Options(rawValue: UInt8.random(in: 0..<16, using: &random))
    return ObjectComparison(
      expression(), `operator`, right(of: `operator`),
      quantifier: quantifiers.randomElement(using: &random) ?? .direct,
      options: Bool.random(using: &random) ? [] : options)
  }

  private mutating func right(of operator: ObjectComparison.Operator) -> ObjectExpression {
    switch `operator` {
    case .between: .constant(.list([value(depth: 0), value(depth: 0)]))
    case .matches: .constant(.string("[a-z]+\\d*"))
    default: expression()
    }
  }

  private mutating func expression(depth: Int = 2) -> ObjectExpression {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return .selfObject
    case 1: return .count(keyPath())
    case 8, 9: return depth > 0 ? compound(depth: depth - 1) : .variable("x")
    case 2, 3: return .keyPath(keyPath())
    case 4 where depth > 0:
      let elements = (0..<3).map { _ in expression(depth: depth - 1) }
      return .list([.keyPath(keyPath())] + elements)
    default: return .constant(value(depth: 2))
    }
  }

  /// What is made of other expressions.
  private mutating func compound(depth: Int) -> ObjectExpression {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: .variable("x_1")
    case 1: .path(base(depth: depth), keyPath())
    case 2:
      .cast(changing(depth: depth), ObjectCast.allCases.randomElement(using: &random) ?? .text)
    case 3:
      .conditional(predicate(depth: depth), expression(depth: depth), expression(depth: depth))
    case 4:
      .subquery(expression(depth: depth), variable: "y", predicate(depth: depth))
    default: function(depth: depth)
    }
  }

  private mutating func function(depth: Int) -> ObjectExpression {
    let function = ObjectFunction.allCases.randomElement(using: &random) ?? .now
    let first = changing(depth: depth)
    switch function.argumentCount {
    case 0: return .function(function, [])
    case 1: return .function(function, [first])
    default: return .function(function, [first, expression(depth: depth)])
    }
  }

  /// What paths stand behind without becoming longer themselves.
  private mutating func base(depth: Int) -> ObjectExpression {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: .variable("x")
    case 1: .function(.element, [.keyPath(keyPath()), .constant(.integer(3))])
    default: .subquery(.keyPath(keyPath()), variable: "z", predicate(depth: depth))
    }
  }

  /// What isn't done at once when it is read: no constant.
  private mutating func changing(depth: Int) -> ObjectExpression {
    let expression = expression(depth: depth)
    if case .constant = expression { return .keyPath(keyPath()) }
    return expression
  }

  private static let names = [
    "name", "AND", "or", "SELF", "größe", "имя", "a b", "x1", "_", "size", "Between", "\"", "名前",
    "1a", "",
  ]

  private mutating func keyPath() -> ObjectKeyPath {
    // SELF in front is passed over when read, so no canonical path has it.
    let count = Int.random(in: 1...3, using: &random)
    let names = (0..<count).map { index in
      let name = Self.names.randomElement(using: &random) ?? "x"
      return index == 0 && name == "SELF" ? "self_" : name
    }
    return ObjectKeyPath(names)
  }

  mutating func value(depth: Int) -> Value {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: .null
    case 1: .boolean(.random(using: &random))
    case 2: .integer([Int64.min, .max, 0, -1].randomElement(using: &random) ?? 7)
    case 3: .integer(.random(in: .min ... .max, using: &random))
    case 4: .double(double())
    case 5: .decimal(Decimal(Int64.random(in: .min ... .max, using: &random)) / 1000)
    case 6: .date(Date(timeIntervalSinceReferenceDate: double()))
    case 7: .data(Data((0..<5).map { _ in .random(in: 0...255, using: &random) }))
    case 8: .uuid(UUID())
    case 9 where depth > 0: .list((0..<3).map { _ in value(depth: depth - 1) })
    case 10 where depth > 0: .composite(["a": value(depth: depth - 1), "b \"": .null])
    default: .string(text())
    }
  }

  /// Returns values of any kind for the names that occur in texts.
  mutating func values() -> [String: Value] {
    var values: [String: Value] = [:]
    for name in ["name", "age", "é"] { values[name] = value(depth: 1) }
    values["players"] = .list((0..<2).map { _ in .composite(["age": value(depth: 0)]) })
    return values
  }

  private mutating func double() -> Double {
    let double = Double(bitPattern: .random(in: .min ... .max, using: &random))
    return double.isNaN ? 0.1 : double
  }

  private mutating func text() -> String {
    let scalars: [Unicode.Scalar] = [
      "a", "\"", "'", "\\", "%", "@", "\n", "\u{0}", "\u{301}", "é", "🙂", "\u{7F}", "\u{2028}",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      text.append(scalars.randomElement(using: &random) ?? "x")
    }
    return String(text)
  }

  private static let tokens = [
    "name", "age", "players", ".", "@count", "==", "<", "IN", "BETWEEN", "{", "}", "(", ")", ",",
    "AND", "OR", "NOT", "!", "ANY", "ALL", "NONE", "'a'", "\"", "1", "-", "+", "*", "/", "2.5",
    "%@",
    "%K", "%d", "%", "[c]", "[", "]", "SELF", "nil", "TRUEPREDICATE", "CAST", "SUBQUERY", "$x", "#",
    "LIKE", "MATCHES", "'('", "\\", "é", "\u{301}", "0x", "1e", "1e5", "99999999999999999999", "::",
    "SIZE", "CONTAINS", "|", "&&", "||", "=", "!=", "**", "~", "UNION", "TERNARY(", "SUBQUERY(",
    "$x", "sum(", "[0]", "@sum", "@max", "uppercase(", "modulus:by:(", "FIRST", "now()",
  ]

  /// Returns a text with a part taken out, doubled or replaced.
  mutating func mutated(_ text: String) -> String {
    var characters = Array(text)
    for _ in 0..<Int.random(in: 1...3, using: &random) where !characters.isEmpty {
      let start = Int.random(in: 0..<characters.count, using: &random)
      let end = min(start + Int.random(in: 1...8, using: &random), characters.count)
      let part = characters[start..<end]
      switch Int.random(in: 0..<3, using: &random) {
      case 0: characters.removeSubrange(start..<end)
      case 1: characters.insert(contentsOf: part, at: Int.random(in: 0...start, using: &random))
      default:
        let token = Self.tokens.randomElement(using: &random) ?? ""
        characters.replaceSubrange(start..<end, with: Array(token))
      }
    }
    return String(characters)
  }

  /// Returns tokens in any order, some of which happen to be a predicate.
  mutating func soup() -> String {
    (0..<Int.random(in: 0...14, using: &random))
      .map { _ in Self.tokens.randomElement(using: &random) ?? "" }
      .joined(separator: Bool.random(using: &random) ? " " : "")
  }
}

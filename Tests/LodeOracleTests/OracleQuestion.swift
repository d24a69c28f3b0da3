import LodeRandom

/// A predicate in both languages. The condition in SQL is never NULL, as predicates are two-valued.
struct OracleQuestion {
  var format: String
  var sql: String
}

/// Makes random questions about teams.
struct OracleQuestions {
  var random: SeededGenerator

  /// Where names begin: the object that is asked, or the member that a subquery goes through.
  private struct Scope {
    var prefix = ""
    var table = "t"
    var isPlayer = false
    var depth = 0
  }

  mutating func question() -> OracleQuestion { condition(Scope(), depth: 3) }

  private mutating func pick<T>(_ choices: [T]) -> T {
    choices[Int.random(in: 0..<choices.count, using: &random)]
  }

  private mutating func condition(_ scope: Scope, depth: Int) -> OracleQuestion {
    if depth > 0, Int.random(in: 0..<3, using: &random) == 0 {
      let left = condition(scope, depth: depth - 1)
      let right = condition(scope, depth: depth - 1)
      let word = pick(["AND", "OR", "NOT"])
      return word == "NOT"
        ? OracleQuestion(format: "NOT (\(left.format))", sql: "NOT (\(left.sql))")
        : OracleQuestion(
          format: "(\(left.format)) \(word) (\(right.format))",
          sql: "((\(left.sql)) \(word) (\(right.sql)))")
    }
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1, 2: return compare(number(scope, depth: depth), number(scope, depth: depth))
    case 3: return compare(text(scope, depth: depth), text(scope, depth: depth))
    case 4: return search(text(scope, depth: depth))
    case 5: return membership(number(scope, depth: depth))
    case 6: return scope.isPlayer ? search(text(scope, depth: 0)) : quantified(scope, depth: depth)
    case 7: return scope.isPlayer ? isNil(scope) : subquery(scope, depth: depth)
    case 8: return isNil(scope)
    default: return between(number(scope, depth: depth))
    }
  }

  // MARK: Expressions

  private mutating func number(_ scope: Scope, depth: Int) -> OracleQuestion {
    if depth > 0, Int.random(in: 0..<3, using: &random) == 0 {
      return operation(scope, depth: depth - 1)
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      let literal = pick(["0", "1", "-2", "19", "20", "0.5", "2.25", "nil"])
      return OracleQuestion(format: literal, sql: literal == "nil" ? "NULL" : literal)
    }
    guard !scope.isPlayer else { return column(scope, pick(["age", "score"])) }
    switch Int.random(in: 0..<8, using: &random) {
    case 0:
      return OracleQuestion(
        format: "captain.age", sql: "(SELECT c.age FROM player c WHERE c.id = t.captain)")
    case 1: return aggregate()
    case 2: return OracleQuestion(format: "players.@count", sql: count("1"))
    case 3: return quotient()
    default: return column(scope, pick(["rank", "budget", "fee", "rank"]))
    }
  }

  private func column(_ scope: Scope, _ name: String) -> OracleQuestion {
    OracleQuestion(format: scope.prefix + name, sql: "\(scope.table).\(name)")
  }

  private mutating func operation(_ scope: Scope, depth: Int) -> OracleQuestion {
    let (left, right) = (number(scope, depth: depth), number(scope, depth: depth))
    switch Int.random(in: 0..<6, using: &random) {
    case 0:
      let test = condition(scope, depth: min(depth, 1))
      return OracleQuestion(
        format: "TERNARY(\(test.format), \(left.format), \(right.format))",
        sql: "(CASE WHEN \(test.sql) THEN \(left.sql) ELSE \(right.sql) END)")
    case 1: return OracleQuestion(format: "abs(\(left.format))", sql: "abs(\(left.sql))")
    case 2: return OracleQuestion(format: "-(\(left.format))", sql: "-(\(left.sql))")
    default:
      let symbol = pick(["+", "-", "*"])
      return OracleQuestion(
        format: "(\(left.format)) \(symbol) (\(right.format))",
        sql: "((\(left.sql)) \(symbol) (\(right.sql)))")
    }
  }

  private mutating func aggregate() -> OracleQuestion {
    let (name, column) = (pick(["sum", "min", "max", "avg"]), pick(["age", "score"]))
    let value = name == "sum" ? "COALESCE(SUM(m.\(column)), 0)" : "\(name)(m.\(column))"
    return OracleQuestion(
      format: pick(["players.@\(name).\(column)", "players.\(column).@\(name)"]),
      sql: "(SELECT \(value) FROM player m WHERE m.team = t.id)")
  }

  private func count(_ condition: String) -> String {
    "(SELECT COUNT(*) FROM player m WHERE m.team = t.id AND (\(condition)))"
  }

  /// Quotients whose types are the same in both languages, some of them by zero.
  private mutating func quotient() -> OracleQuestion {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: OracleQuestion(format: "rank / 2", sql: "t.rank / 2")
    case 1: OracleQuestion(format: "players.@count / rank", sql: "\(count("1")) / t.rank")
    case 2: OracleQuestion(format: "modulus:by:(rank, 3)", sql: "t.rank % 3")
    default: OracleQuestion(format: "budget / rank", sql: "t.budget / t.rank")
    }
  }

  private mutating func text(_ scope: Scope, depth: Int) -> OracleQuestion {
    switch Int.random(in: 0..<(depth > 0 ? 4 : 3), using: &random) {
    case 0:
      let name = pick(OracleLeague.names)
      return OracleQuestion(format: "\"\(name)\"", sql: SQL.literal(name))
    case 3 where !scope.isPlayer:
      return OracleQuestion(
        format: "captain.name", sql: "(SELECT c.name FROM player c WHERE c.id = t.captain)")
    default: return column(scope, "name")
    }
  }

  // MARK: Comparisons

  private mutating func compare(_ left: OracleQuestion, _ right: OracleQuestion) -> OracleQuestion {
    let symbol = pick(["==", "!=", "<", "<=", ">", ">="])
    let sql =
      switch symbol {
      case "==": "(\(left.sql)) IS (\(right.sql))"
      case "!=": "(\(left.sql)) IS NOT (\(right.sql))"
      default: "COALESCE((\(left.sql)) \(symbol) (\(right.sql)), 0)"
      }
    return OracleQuestion(format: "\(left.format) \(symbol) \(right.format)", sql: sql)
  }

  private mutating func search(_ text: OracleQuestion) -> OracleQuestion {
    let part = pick(["C", "Cr", "crew", "", "bo", "%", "_", "Å", "dź", "o"])
    let literal = SQL.literal(part)
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      return OracleQuestion(
        format: "\(text.format) BEGINSWITH \"\(part)\"",
        sql: "COALESCE(substr(\(text.sql), 1, \(part.count)) = \(literal), 0) AND \(literal) <> ''")
    case 1:
      return OracleQuestion(
        format: "\(text.format) ENDSWITH \"\(part)\"",
        sql: "COALESCE(substr(\(text.sql), -\(part.count)) = \(literal), 0) AND \(literal) <> ''")
    case 2:
      return OracleQuestion(
        format: "\(text.format) CONTAINS \"\(part)\"",
        sql: "COALESCE(instr(\(text.sql), \(literal)) > 0, 0) AND \(literal) <> ''")
    default:
      let pattern = pick(["*", "?*", "C*", "?r*", "*e*", "100%", "a_c", "a?c", "??", ""])
      return OracleQuestion(
        format: "\(text.format) LIKE \"\(pattern)\"",
        sql: "COALESCE(\(text.sql) GLOB \(SQL.literal(pattern)), 0)")
    }
  }

  private mutating func membership(_ number: OracleQuestion) -> OracleQuestion {
    let members = pick([[], ["1"], ["1", "-2", "0"], ["20", "nil"], ["0.5", "19"], ["nil"]])
    let values = members.filter { $0 != "nil" }.joined(separator: ", ")
    let isNil = members.contains("nil") ? "(\(number.sql)) IS NULL" : "0"
    return OracleQuestion(
      format: "\(number.format) IN {\(members.joined(separator: ", "))}",
      sql: "(COALESCE((\(number.sql)) IN (\(values)), 0) OR \(isNil))")
  }

  private mutating func between(_ number: OracleQuestion) -> OracleQuestion {
    let (low, high) = (pick(["-2", "0", "18.5"]), pick(["-1", "2", "21"]))
    return OracleQuestion(
      format: "\(number.format) BETWEEN {\(low), \(high)}",
      sql: "COALESCE((\(number.sql)) BETWEEN \(low) AND \(high), 0)")
  }

  private mutating func isNil(_ scope: Scope) -> OracleQuestion {
    let names = scope.isPlayer ? ["name", "age"] : ["captain", "name", "founded", "active", "fee"]
    let (name, symbol) = (pick(names), pick([("==", "IS"), ("!=", "IS NOT")]))
    return OracleQuestion(
      format: "\(scope.prefix)\(name) \(symbol.0) nil",
      sql: "\(scope.table).\(name) \(symbol.1) NULL")
  }

  // MARK: Collections

  private mutating func quantified(_ scope: Scope, depth: Int) -> OracleQuestion {
    let word = pick(["ANY", "ALL", "NONE"])
    let right = number(scope, depth: 0)
    let column = pick(["age", "score"])
    // One comparison, of the member with the object.
    let test = compare(
      OracleQuestion(format: "players.\(column)", sql: "m.\(column)"),
      right.format.contains("players") ? OracleQuestion(format: "20", sql: "20") : right)
    let sql =
      switch word {
      case "ANY": "\(count(test.sql)) > 0"
      case "NONE": "\(count(test.sql)) = 0"
      default: "\(count("NOT (\(test.sql))")) = 0"
      }
    return OracleQuestion(format: "\(word) \(test.format)", sql: sql)
  }

  private mutating func subquery(_ scope: Scope, depth: Int) -> OracleQuestion {
    let member = Scope(prefix: "$p.", table: "m", isPlayer: true, depth: scope.depth + 1)
    let inner = condition(member, depth: max(depth - 1, 0))
    let number = OracleQuestion(
      format: "SUBQUERY(players, $p, \(inner.format)).@count", sql: count(inner.sql))
    return compare(number, OracleQuestion(format: pick(["0", "1", "2"]), sql: "1").matching())
  }
}

extension OracleQuestion {
  /// A literal that both languages write alike.
  fileprivate func matching() -> OracleQuestion { OracleQuestion(format: format, sql: format) }
}

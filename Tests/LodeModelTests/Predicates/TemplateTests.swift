import LodeModel
import Testing

/// Predicates with variables, filled in later.
struct TemplateTests {
  private let tables: LeagueTables

  init() throws { tables = try LeagueTables() }

  private func matches(_ predicate: ObjectPredicate) throws -> String {
    try tables.matches("Player", predicate.format)
  }

  @Test func `variables take values`() throws {
    let template = try ObjectPredicate("age > $low AND name == $name")
    #expect(template.variables == ["low", "name"])
    #expect(template.format == "age > $low AND name == $name")
    let filled = template.substituting(["low": 20, "name": "Bob"])
    #expect(filled == (try ObjectPredicate("age > 20 AND name == 'Bob'")))
    #expect(filled.variables.isEmpty)
    #expect(try matches(filled) == "bob")
  }

  @Test func `a template is filled in several steps`() throws {
    let template = try ObjectPredicate("age BETWEEN {$low, $high}")
    let half = template.substituting(["low": 20])
    #expect(half.variables == ["high"])
    let filled = half.substituting(["high": 30])
    #expect(filled == (try ObjectPredicate("age BETWEEN {20, 30}")))
    #expect(try matches(filled) == "bob eve")
  }

  @Test func `null and lists are values`() throws {
    #expect(
      try ObjectPredicate("age == $age").substituting(["age": nil])
        == ObjectPredicate("age == nil"))
    let list = try ObjectPredicate("age IN $ages")
      .substituting(["ages": [19, 31]])
    #expect(try matches(list) == "ann dee")
  }

  @Test func `a variable stands anywhere in an expression`() throws {
    let template = try ObjectPredicate(
      "age + $a == TERNARY($b == 1, $c, 0) AND CAST($d, 'Int') == sum({$d, $e})")
    #expect(template.variables == ["a", "b", "c", "d", "e"])
    let filled = template.substituting(["a": 1, "b": 1, "c": 20, "d": 1, "e": 0])
    #expect(try matches(filled) == "ann")
  }

  @Test func `an object given for a variable heads a key path`() throws {
    let template = try ObjectPredicate("team.name == $team.name")
    let crew = try tables.objectID("crew")
    let entity = try #require(tables.graph.model.entitiesByName["Player"])
    let bound = try template.substituting(["team": crew]).bound(to: entity)
    let tags = try tables.tags.filter { $0.objectID.entityName.string == "Player" }
      .filter { try bound.evaluate(on: tables.graph.source($0.objectID)) }.map(\.tag)
    #expect(tags == ["ann", "bob", "cid"])
    #expect(bound.traversedEntities.map(\.name) == ["Team"])
  }

  @Test func `the variable of a subquery is its own`() throws {
    let template = try ObjectPredicate(
      "SUBQUERY(team.players, $p, $p.age > $low).@count == $p")
    #expect(template.variables == ["low", "p"])
    let filled = template.substituting(["p": 2, "low": 18])
    #expect(
      filled
        == (try ObjectPredicate("SUBQUERY(team.players, $p, $p.age > 18).@count == 2")))
    #expect(try matches(filled) == "ann bob cid")
  }

  @Test func `a variable without a value is an error when the predicate is used`() throws {
    let template = try ObjectPredicate("age > $low")
    let entity = try #require(tables.graph.model.entitiesByName["Player"])
    let bound = #expect(throws: ObjectPredicateError.self) { try template.bound(to: entity) }
    let plain = #expect(throws: ObjectPredicateError.self) {
      try template.evaluate(with: ["age": .integer(3)])
    }
    #expect(bound?.code == .unboundVariable && plain?.code == .unboundVariable)
    #expect(bound?.message.contains("$low") == true)
  }
}

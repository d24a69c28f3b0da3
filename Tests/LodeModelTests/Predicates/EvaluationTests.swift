import LodeCases
import LodeModel
import Testing

struct EvaluationTests {
  private let graph: ObjectGraph
  private let crew: ManagedObjectID
  private let empty: ManagedObjectID
  private let ann: ManagedObjectID

  init() throws {
    graph = ObjectGraph(try League.model())
    crew = graph.insert("Team", ["name": .string("Crew")])
    empty = graph.insert("Team", ["name": .string("Empty")])
    let agent = graph.insert("Agent", ["name": .string("Zoe")])
    ann = graph.insert(
      "Player",
      [
        "name": .string("Ann"), "age": .integer(19), "team": .objectID(crew),
        "agent": .objectID(agent),
      ])
    let bob = graph.insert(
      "Player", ["name": .string("Bob"), "age": .integer(25), "team": .objectID(crew)])
    graph.set(crew, "players", .list([.objectID(ann), .objectID(bob)]))
    graph.set(agent, "clients", .list([.objectID(ann)]))
  }

  private func answer(
    _ objectID: ManagedObjectID, _ predicate: ObjectPredicate
  ) throws -> Bool {
    let entity = try #require(graph.model.entitiesByName[objectID.entityName.string])
    let answer = try predicate.bound(to: entity).evaluate(on: graph.source(objectID))
    #expect(try predicate.evaluate(with: graph.plainValue(objectID)) == answer)
    return answer
  }

  private func path(
    _ keyPath: String, _ operator: ObjectComparison.Operator, _ value: Value,
    _ quantifier: ObjectComparison.Quantifier = .direct
  ) -> ObjectPredicate {
    .comparison(
      ObjectComparison(
        .keyPath(ObjectKeyPath(keyPath)), `operator`, .constant(value), quantifier: quantifier))
  }

  @Test func `a quantifier over an empty collection answers by its logic`() throws {
    for (quantifier, expected) in [
      (ObjectComparison.Quantifier.any, false), (.all, true), (.none, true),
    ] {
      #expect(
        try answer(empty, path("players.age", .greater, .integer(20), quantifier)) == expected)
    }
  }

  @Test func `ANY, ALL and NONE look at each member`() throws {
    #expect(try answer(crew, path("players.age", .greater, .integer(20), .any)))
    #expect(try !answer(crew, path("players.age", .greater, .integer(20), .all)))
    #expect(try !answer(crew, path("players.age", .greater, .integer(20), .none)))
    #expect(try answer(crew, path("players.age", .greater, .integer(18), .all)))
  }

  @Test func `a nil hop is nil, and a nil member below a collection`() throws {
    #expect(try answer(empty, path("players.agent.name", .equal, .null, .any)) == false)
    #expect(try answer(crew, path("players.agent.name", .equal, .null, .any)))
    #expect(try answer(ann, path("team.name", .equal, .string("Crew"))))
    let bob = try #require(graph.values.first { $0.value["name"] == .string("Bob") }).key
    #expect(try answer(bob, path("agent.name", .equal, .null)))
    #expect(try answer(bob, path("agent.clients.name", .equal, .string("Ann"), .all)))
  }

  @Test func `a collection is counted and asked for members`() throws {
    let count = ObjectComparison(
      .count(ObjectKeyPath("players")), .equal, .constant(.integer(2)))
    #expect(try answer(crew, .comparison(count)))
    #expect(try answer(crew, path("players", .contains, .objectID(ann))))
    let member = ObjectComparison(
      .constant(.objectID(ann)), .in, .keyPath(ObjectKeyPath("players")))
    #expect(try answer(crew, .comparison(member)))
    #expect(try !answer(empty, .comparison(member)))
  }

  @Test func `a subquery that is asked for a member reads no further`() throws {
    let entity = try #require(graph.model.entitiesByName["Team"])
    for (format, answer, count) in [
      ("SUBQUERY(players, $p, $p.age > 18 AND $p.name != nil).@count != 0", true, 1),
      ("SUBQUERY(players, $p, $p.age > 18).@count > 0", true, 1),
      ("SUBQUERY(players, $p, $p.age > 18).@count == 0", false, 1),
      ("SUBQUERY(players, $p, $p.age > 18).@count >= 1", true, 2),
      ("SUBQUERY(players, $p, $p.age > 30).@count != 0", false, 2),
    ] {
      let predicate = try ObjectPredicate(format).bound(to: entity)
      graph.followedCount = 0
      #expect(try predicate.evaluate(on: graph.source(crew)) == answer, "\(format)")
      #expect(graph.followedCount == count, "\(format)")
    }
  }

  @Test func `not equal is the negation of equal, for nil too`() throws {
    let bob = try #require(graph.values.first { $0.value["name"] == .string("Bob") }).key
    #expect(try answer(bob, path("agent", .notEqual, .objectID(ann))))
    #expect(try answer(bob, .not(path("agent", .equal, .objectID(ann)))))
    #expect(try !answer(bob, path("rating", .less, .double(3))))
    #expect(try answer(bob, .not(path("rating", .less, .double(3)))))
  }
}

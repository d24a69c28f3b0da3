import Foundation
import LodeModel
import Testing

@testable import LodeStore

@Suite struct PlanTextTests {
  private static let store: EngineStore = {
    do {
      var entities = League.entities
      let player = entities.firstIndex { $0.name == "Player" } ?? 0
      entities[player].indexes = [
        FetchIndexDescription(on: "name"),
        FetchIndexDescription("ageHeight", elements: [.init("age"), .init("height")]),
        FetchIndexDescription("born", elements: [.init("born", isAscending: false)]),
      ]
      entities[player].uniquenessConstraints = [["biography"]]
      return try EngineStore.inMemory(model: ManagedObjectModel(entities: entities))
    } catch {
      fatalError("the test's model is wrong: \(error)")
    }
  }()

  private static let ada = ManagedObjectID(
    store: store.identifier, entityName: EntityName("Player"), number: 1)
  private static let red = ManagedObjectID(
    store: store.identifier, entityName: EntityName("Team"), number: 2)
  private static let date = Value.date(Date(timeIntervalSinceReferenceDate: 0))
  private static let later = Value.date(Date(timeIntervalSinceReferenceDate: 9))

  struct Case: Sendable, CustomTestStringConvertible {
    let predicate: ObjectPredicate?
    var sort: [SortTerm] = []
    var limit = 0
    let plan: String
    var testDescription: String { plan }

    init(_ predicate: ObjectPredicate?, sort: [SortTerm] = [], limit: Int = 0, plan: String) {
      self.predicate = predicate
      self.sort = sort
      self.limit = limit
      self.plan = plan
    }
  }

  private static let cases: [Case] = [
    Case(nil, plan: "scan Player"),
    Case(.constant(false), plan: "nothing"),
    Case(compare("isActive", .equal, .boolean(true)), plan: "scan Player; filter isActive == ?"),
    Case(compare("name", .equal, .string("x")), plan: "index Player.name: name =="),
    Case(
      compare("name", .equal, .string("x"), .caseInsensitive), plan: "scan Player; filter name == ?"
    ),
    Case(
      compare("name", .beginsWith, .string("x")),
      plan: "index Player.name: name begins; sort by number"),
    Case(
      compare("name", .in, .list([.string("x"), .string("y"), .string("x")])),
      plan: "index Player.name: name IN 2; sort by number"),
    Case(
      .or([compare("name", .equal, .string("x")), compare("name", .equal, .string("y"))]),
      plan: "index Player.name: name IN 2; sort by number"),
    Case(
      .and([compare("age", .equal, .integer(1)), compare("height", .greater, .double(1))]),
      plan: "index Player.ageHeight: age ==, height from or to; sort by number"),
    Case(
      .and([compare("age", .equal, .integer(1)), compare("isActive", .equal, .boolean(true))]),
      plan: "index Player.ageHeight: age ==; filter isActive == ?; sort by number"),
    Case(compare("age", .equal, .double(1.5)), plan: "nothing"),
    Case(compare("age", .greater, .integer(40_000)), plan: "nothing"),
    Case(
      compare("biography", .equal, .string("x")), plan: "constraint Player.biography: biography =="),
    Case(
      compare("biography", .equal, .string(String(repeating: "x", count: 600))),
      plan: "constraint Player.biography: biography ==; filter biography == ?"),
    Case(
      .and([compare("born", .greater, date), compare("born", .less, later)]),
      plan: "index Player.born: born between; sort by number"),
    Case(
      .and([compare("born", .greater, date), compare("born", .less, later)]),
      sort: [SortTerm("born", ascending: false)], plan: "index Player.born: born between"),
    Case(
      nil, sort: [SortTerm("born", ascending: false)], plan: "scan Player; sort by born descending"),
    Case(
      nil, sort: [SortTerm("born", ascending: false)], limit: 20,
      plan: "index Player.born: born in order"),
    Case(
      nil, sort: [SortTerm("born")], limit: 20, plan: "index Player.born: born in order; backwards"),
    Case(
      nil, sort: [SortTerm("name")], limit: 20,
      plan: "index Player.name: name in order; ties by number"),
    Case(
      compare("age", .equal, .integer(1)), sort: [SortTerm("age"), SortTerm("height")],
      plan: "index Player.ageHeight: age ==, height in order"),
    Case(
      compare("team", .equal, .objectID(red)), plan: "links Team.players: team =="),
    Case(
      .comparison(ObjectComparison(.selfObject, .in, .constant(.list([.objectID(ada)])))),
      plan: "1 by number; filter SELF IN ?"),
    Case(
      compare("team.name", .equal, .string("x")), sort: [SortTerm("team.name")],
      plan: "scan Player; filter team.name == ?; sort by team.name"),
  ]

  @Test(arguments: cases)
  func `a query has the plan that people expect`(example: Case) throws {
    let query = try Self.store.query(
      "Player", example.predicate, sort: example.sort, limit: example.limit)
    #expect(try Self.store.explain(query) == example.plan)
  }
}

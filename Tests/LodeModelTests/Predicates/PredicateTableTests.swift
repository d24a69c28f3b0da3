import Foundation
import LodeCases
import LodeModel
import Testing

/// What predicates answer, as tables: a format and the objects that match it, bound and on plain values.
struct PredicateTableTests {
  private let tables: LeagueTables

  init() throws { tables = try LeagueTables() }

  @Test(arguments: PredicateCases.all)
  func `each case has its answer`(_ cases: PredicateCases) {
    for (format, expected) in cases.answers {
      do {
        #expect(try tables.matches(cases.entityName, format) == expected, "\(format)")
      } catch { Issue.record("\(format): \(error)") }
    }
  }

  @Test func `there are more than six hundred cases, each once`() {
    let formats = PredicateCases.all.flatMap { cases in
      cases.answers.map { "\(cases.entityName): \($0.0)" }
    }
    #expect(formats.count >= 600)
    #expect(Set(formats).count == formats.count)
  }

  @Test func `objects and IDs as arguments`() throws {
    let (ann, bob) = (try tables.objectID("ann"), try tables.objectID("bob"))
    let (crew, united) = (try tables.objectID("crew"), try tables.objectID("united"))
    func expect(
      _ entity: String, _ format: String, _ arguments: [(any PredicateArgument)?],
      _ expected: String
    ) throws {
      #expect(try tables.matches(entity, format, arguments) == expected, "\(format)")
    }
    try expect("Player", "SELF == %@", [ann], "ann")
    let team = try #require(tables.graph.model.entitiesByName["Team"])
    try expect("Player", "team.entity == %@", [team], "ann bob cid dee")
    try expect("Player", "entity == %@", [team], "")
    try expect("Player", "SELF IN %@", [[ann, bob]], "ann bob")
    try expect("Player", "NOT SELF IN %@", [Set([ann, bob])], "cid dee eve fay")
    try expect("Player", "objectID == %@", [ann], "ann")
    try expect("Player", "team == %@", [crew], "ann bob cid")
    try expect("Player", "team != %@", [crew], "dee eve fay")
    try expect("Player", "team IN %@", [[crew, united]], "ann bob cid dee")
    try expect("Player", "NOT team IN %@", [[crew]], "dee eve fay")
    try expect("Player", "team == %@", [nil], "eve fay")
    try expect("Team", "players CONTAINS %@", [ann], "crew")
    try expect("Team", "%@ IN players", [ann], "crew")
    try expect("Team", "ANY players == %@", [ann], "crew")
    try expect("Team", "ANY players IN %@", [[ann, bob]], "crew")
    try expect("Team", "NONE players == %@", [ann], "united empty")
    try expect("Team", "ALL players IN %@", [[ann, bob]], "empty")
    try expect("Player", "team.players CONTAINS SELF", [], "ann bob cid dee")
    try expect("Player", "agent.clients CONTAINS %@", [ann], "ann cid")
  }

  @Test func `arguments of every type`() throws {
    let bob = Date(timeIntervalSinceReferenceDate: 1000)
    func expect(_ format: String, _ arguments: [(any PredicateArgument)?], _ expected: String)
      throws
    {
      #expect(try tables.matches("Player", format, arguments) == expected, "\(format)")
    }
    try expect("age == %d", [19], "ann")
    try expect("age == %i OR age == %ld", [19, Int64(31)], "ann dee")
    try expect("age == %lld AND name == %@", [Int16(19), "Ann"], "ann")
    try expect("age == %u", [UInt8(19)], "ann")
    try expect("rating == %f", [4.5], "ann")
    try expect("rating == %g", [Float(4.5)], "ann")
    try expect("%K == %@", ["team.name", "Crew"], "ann bob cid")
    try expect("%K.name == %@", ["team", "Crew"], "ann bob cid")
    try expect("%K == 3", ["team.players.@count"], "ann bob cid")
    try expect("%K.@count == 3", [ObjectKeyPath("team.players")], "ann bob cid")
    try expect("name == %s", ["Ann"], "ann")
    try expect("name == \"%@\"", [], "")
    try expect("name IN %@", [["Ann", "Bob"]], "ann bob")
    try expect("age BETWEEN %@", [19...25], "ann bob eve")
    try expect("age BETWEEN {%@, %@}", [19, 25], "ann bob eve")
    try expect("joined == %@", [bob], "bob eve")
    try expect("joined > %@", [bob], "")
    try expect("isCaptain == %@", [true], "ann")
    try expect("salary == %@", [Decimal(200)], "cid")
    try expect("key == %@", [UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")], "ann")
    try expect("photo == %@", [Data([1, 2])], "ann")
    try expect("age == %@", [UInt64.max], "")
    try expect("age == %@", [Optional<Int>.none], "cid fay")
    try expect("name == %@", ["Ann"[...]], "ann")
    try expect("age IN %@", [Value.list([.integer(19)])], "ann")
  }
}

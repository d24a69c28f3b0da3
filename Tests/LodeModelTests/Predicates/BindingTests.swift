import Foundation
import LodeModel
import Testing

/// What binding refuses, and the form that bound predicates have.
struct BindingTests {
  private let tables: LeagueTables

  init() throws { tables = try LeagueTables() }

  @Test(
    arguments: [
      ("Player", "nam == 'x'", ObjectPredicateError.Code.unknownKey, "nam"),
      ("Player", "team.nam == 'x'", .unknownKey, "team.nam"),
      ("Player", "team.address.street == 'x'", .unknownKey, "team.address.street"),
      ("Player", "name.first == 'x'", .invalidKeyPath, "name.first"),
      ("Player", "name.@count == 3", .invalidKeyPath, "name"),
      ("Player", "team.@count == 3", .invalidKeyPath, "team"),
      ("Player", "ANY name == 'x'", .invalidQuantifier, "name"),
      ("Player", "ANY team.name == 'x'", .invalidQuantifier, "team.name"),
      ("Team", "ANY players.@count == 3", .invalidQuantifier, "players.@count"),
      ("Team", "ANY 'x' IN players.name", .invalidQuantifier, "players.name"),
      ("Team", "players.age > 3", .toManyKey, "players.age"),
      ("Team", "players.name == 'x'", .toManyKey, "players.name"),
      ("Team", "players IN {nil}", .toManyKey, "players"),
      ("Team", "players.name BEGINSWITH 'x'", .toManyKey, "players.name"),
      ("Team", "ANY players.name == players.name", .toManyKey, "players.name"),
      ("Team", "name CONTAINS players.name", .toManyKey, "name"),
      ("Player", "age ==[c] 3", .invalidOptions, "age"),
      ("Player", "age IN[c] {1, 2}", .invalidOptions, "age"),
      ("Team", "players CONTAINS[c] SELF", .invalidOptions, "players"),
      ("Player", "age == 'x'", .typeMismatch, "age"),
      ("Player", "'x' == age", .typeMismatch, "age"),
      ("Player", "name == 3", .typeMismatch, "name"),
      ("Player", "name < joined", .typeMismatch, "name"),
      ("Player", "joined == '2020'", .typeMismatch, "joined"),
      ("Player", "team == 'x'", .typeMismatch, "team"),
      ("Player", "team == 3", .typeMismatch, "team"),
      ("Player", "team == name", .typeMismatch, "team"),
      ("Player", "key == 'no UUID'", .typeMismatch, "key"),
      ("Player", "age BEGINSWITH '1'", .typeMismatch, "age"),
      ("Player", "name LIKE 3", .typeMismatch, "name"),
      ("Player", "age MATCHES '1'", .typeMismatch, "age"),
      ("Player", "age CONTAINS 1", .typeMismatch, "age"),
      ("Player", "age IN {1, 'x'}", .typeMismatch, "age"),
      ("Player", "age IN {1, {2}}", .typeMismatch, "age"),
      ("Player", "age IN 3", .typeMismatch, "age"),
      ("Player", "age BETWEEN {1, 'x'}", .typeMismatch, "age"),
      ("Player", "age BETWEEN 3", .typeMismatch, "age"),
      ("Player", "age == {1}", .typeMismatch, "age"),
      ("Player", "photo < CAST('AQI=', 'Data')", .typeMismatch, "photo"),
      ("Team", "address == 3", .typeMismatch, "address"),
      ("Team", "address == address", .typeMismatch, "address"),
      ("Team", "address < nil", .typeMismatch, "address"),
      ("Team", "players CONTAINS 3", .typeMismatch, "players"),
      ("Team", "players.@count == 'x'", .typeMismatch, "players.@count"),
      ("Team", "ANY players.age == 'x'", .typeMismatch, "players.age"),
      ("Player", "SELF == 3", .typeMismatch, nil), ("Player", "SELF IN {3}", .typeMismatch, nil),
      ("Player", "1 == 'x'", .typeMismatch, nil), ("Player", "1 LIKE 'x'", .typeMismatch, nil),
      ("Player", "#'' == 3", .unknownKey, ""), ("Player", "name + 1 == 3", .typeMismatch, "name"),
      ("Player", "uppercase(age) == 'x'", .typeMismatch, "age"),
      ("Player", "age + 1 == 'x'", .typeMismatch, "age"),
      ("Player", "uppercase(name) == 3", .typeMismatch, "name"),
      ("Player", "length(name) == 'x'", .typeMismatch, "name"),
      ("Player", "joined + joined == 3", .typeMismatch, "joined"),
      ("Player", "sum(age) == 3", .invalidKeyPath, "age"),
      ("Player", "-team == 3", .typeMismatch, "team"),
      ("Player", "age == $x", .unboundVariable, nil),
      ("Player", "CAST(age, 'NSString') == 3", .typeMismatch, "age"),
      ("Player", "TERNARY(age > 3, name, age) == 3", .typeMismatch, "name"),
      ("Player", "age[0] == 3", .invalidKeyPath, "age"),
      ("Player", "age == sum({'x'})", .typeMismatch, nil),
      ("Player", "object:ofEntity:(age, 'Team') == nil", .typeMismatch, "age"),
      ("Player", "object:ofEntity:(team, 'Tea') == nil", .unknownKey, "team"),
      ("Player", "team.entity.first == 'x'", .unknownKey, "team.entity.first"),
      ("Team", "players.age + 1 == 3", .toManyKey, "players.age"),
      ("Team", "players[0].age == 3", .invalidKeyPath, "players"),
      ("Team", "players[FIRST] == SELF", .invalidKeyPath, "players"),
      ("Team", "players.@sum.name == 3", .typeMismatch, "players.name"),
      ("Team", "players.@max == 3", .typeMismatch, "players"),
      ("Team", "CAST(players.age, 'NSString') == 'x'", .toManyKey, "players.age"),
      ("Team", "SUBQUERY(name, $x, $x == 3).@count == 3", .invalidKeyPath, "name"),
      ("Team", "SUBQUERY(players, $x, $y.age == 3).@count == 3", .unboundVariable, nil),
      ("Team", "SUBQUERY(players, $x, $x.nam == 3).@count == 3", .unknownKey, "nam"),
      ("Team", "SUBQUERY(players, $x, $x == 3).@count == 3", .typeMismatch, nil),
      ("Team", "SUBQUERY(players, $x, $x.age == 3) == 3", .toManyKey, "players"),
      ("Team", "SUBQUERY(players, $x, $x.age == 3).age > 3", .toManyKey, "players.age"),
      ("Team", "SUBQUERY(players.age, $x, $x.age > 3).@count > 3", .invalidKeyPath, "age"),
      ("Team", "players.name UNION 3 == {}", .invalidKeyPath, "players.name"),
    ] as [(String, String, ObjectPredicateError.Code, String?)])
  func `what doesn't fit the entity is refused with its place`(
    _ entityName: String, _ format: String, _ code: ObjectPredicateError.Code, _ keyPath: String?
  ) throws {
    let predicate = try ObjectPredicate(format)
    let entity = try #require(tables.graph.model.entitiesByName[entityName])
    let error = #expect(throws: ObjectPredicateError.self, "\(format)") {
      try predicate.bound(to: entity)
    }
    #expect(error?.code == code, "\(format): \(String(describing: error))")
    #expect(error?.keyPath == keyPath, "\(format): \(String(describing: error))")
    #expect(error?.entity == entityName, "\(format)")
  }

  private func bound(_ format: String) throws -> BoundPredicate {
    let player = try #require(tables.graph.model.entitiesByName["Player"])
    return try ObjectPredicate(format).bound(to: player)
  }

  @Test func `bound predicates have one form`() throws {
    for (left, right) in [
      ("5 > age", "age < 5"), ("NOT name == 'x'", "name != 'x'"), ("NOT NOT age < 5", "age < 5"),
      ("age == 5.0", "age == 5"), ("isCaptain == 1", "isCaptain == TRUE"),
      ("(age > 1 AND age < 5) AND age != 3", "age > 1 AND age < 5 AND age != 3"),
      ("age > 1 OR FALSEPREDICATE", "age > 1"), ("1 == 2 OR age > 1", "age > 1"),
      ("NOT ANY team.players.age > 3", "NONE team.players.age > 3"), ("SELF.age == 3", "age == 3"),
      ("SELF IN team.players", "team.players CONTAINS SELF"), ("'x' IN name", "name CONTAINS 'x'"),
      ("joined == 5", "joined == CAST(5, 'NSDate')"),
      ("salary == 0.1", "salary == CAST('0.1', 'Decimal')"),
    ] {
      #expect(try bound(left) == bound(right), "\(left)")
    }
  }

  @Test func `a bound predicate knows which entities it reads`() throws {
    func names(_ format: String) throws -> Set<String> {
      Set(try bound(format).traversedEntities.map(\.name))
    }
    #expect(try names("age == 3 AND team == nil").isEmpty)
    #expect(try names("team.name == 'x'") == ["Team"])
    #expect(try names("ANY team.players.age == 3") == ["Team", "Player"])
    #expect(try names("team.players.@count == 3") == ["Team", "Player"])
  }

  @Test func `a bound predicate lists attributes that no store has`() throws {
    #expect(try bound("nickname == 'x' AND age == 3").transientKeyPaths == ["nickname"])
    #expect(
      try bound("ANY team.players.nickname == 'x'").transientKeyPaths == ["team.players.nickname"])
    #expect(try bound("age == 3").transientKeyPaths.isEmpty)
  }

  private func failure(_ entityName: String, _ format: String) throws -> String {
    let entity = try #require(tables.graph.model.entitiesByName[entityName])
    do throws(ObjectPredicateError) {
      _ = try ObjectPredicate(format).bound(to: entity)
      return ""
    } catch { return error.message }
  }

  @Test(
    arguments: [
      ("age == 'x'", "is an integer16, which doesn't compare with a string"),
      ("team == 3", "an object doesn't compare with a number"),
      ("key == joined", "a UUID doesn't compare with a date"),
      ("age MATCHES '1'", "MATCHES compares strings, not a number"),
      ("team LIKE 'x'", "LIKE compares strings, not an object"),
      ("team ==[c] agent", "options in brackets are for strings, not for an object"),
      ("1 LIKE 'x'", "LIKE compares strings, not a number"),
    ])
  func `messages have the right article`(_ format: String, _ message: String) throws {
    #expect(try failure("Player", format) == message)
  }

  @Test func `numbers beside floats are rounded as the attribute rounds`() throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Thing", attributes: [AttributeDescription("weight", .float)])
    ])
    let graph = ObjectGraph(model)
    let entity = try #require(model.entitiesByName["Thing"])
    for weight in [Double(Float(0.1)), 0.1] {
      let thing = graph.source(graph.insert("Thing", ["weight": .double(weight)]))
      for (format, answer) in [
        ("weight == 0.1", true), ("weight != 0.1", false), ("weight > 0.1", false),
        ("weight <= 0.1", true), ("weight IN {0.1, 5}", true), ("weight BETWEEN {0.1, 0.1}", true),
        ("weight == CAST('0.1', 'Decimal')", true), ("weight < 1e300", true), ("weight > 0", true),
        ("weight == 0.1000001", false), ("weight == 0.10000000001", true),
      ] {
        let predicate = try ObjectPredicate(format).bound(to: entity)
        #expect(try predicate.evaluate(on: thing) == answer, "\(format)")
      }
    }
  }

  @Test func `messages show no values`() throws {
    let error = #expect(throws: ObjectPredicateError.self) { try bound("age == 'secret'") }
    #expect(error?.description.contains("secret") == false)
  }
}

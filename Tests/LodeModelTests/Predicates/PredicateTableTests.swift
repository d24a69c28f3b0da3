import Foundation
import LodeModel
import Testing

/// What each operator answers, as a table: a format and the objects that match it.
struct PredicateTableTests {
  private let tables: LeagueTables

  init() throws { tables = try LeagueTables() }

  private func expect(_ entityName: String, _ table: [(String, String)]) throws {
    for (format, expected) in table {
      #expect(try tables.matches(entityName, format) == expected, "\(format)")
    }
  }

  @Test func `equality, with nil equal to nil and unequal to all else`() throws {
    try expect(
      "Player",
      [
        ("age == 25", "bob eve"), ("age = 25", "bob eve"), ("25 == age", "bob eve"),
        ("age != 25", "ann cid dee fay"), ("age <> 25", "ann cid dee fay"),
        ("NOT age == 25", "ann cid dee fay"), ("NOT (age != 25)", "bob eve"),
        ("age == nil", "cid fay"), ("age == NULL", "cid fay"), ("age != nil", "ann bob dee eve"),
        ("nil == age", "cid fay"), ("age == 25.0", "bob eve"), ("age == 25.5", ""),
        ("age != 25.5", "ann bob cid dee eve fay"), ("age == 100000", ""),
        ("age == 99999999999999999999", ""), ("age == 0x19", "bob eve"), ("age == 0o31", "bob eve"),
        ("age == 0b11001", "bob eve"), ("age == 2.5e1", "bob eve"), ("age == 20 + 5", "bob eve"),
        ("age == 100 / 4", "bob eve"), ("age == 5 * (6 - 1)", "bob eve"), ("age == -25", ""),
        ("age == - -25", "bob eve"), ("age == +25", "bob eve"), ("age == 1 / 0", "cid fay"),
        ("name == \"Ann\"", "ann"), ("name == 'Ann'", "ann"), ("name == \"ann\"", ""),
        ("name ==[c] \"aNN\"", "ann"), ("name !=[c] \"aNN\"", "bob cid dee eve fay"),
        ("name == \"A\\x6en\"", "ann"), ("name == \"A\\u006E\\156\"", "ann"),
        ("name == nil", "fay"),
      ])
  }

  @Test func `order, false for nil on either side`() throws {
    try expect(
      "Player",
      [
        ("age < 25", "ann"), ("age <= 25", "ann bob eve"), ("age =< 25", "ann bob eve"),
        ("age > 25", "dee"), ("age >= 25", "bob dee eve"), ("age => 25", "bob dee eve"),
        ("25 > age", "ann"), ("25 >= age", "ann bob eve"), ("25 < age", "dee"),
        ("25 <= age", "bob dee eve"), ("NOT age < 25", "bob cid dee eve fay"),
        ("NOT age >= 25", "ann cid fay"), ("age < nil", ""), ("age >= nil", ""),
        ("NOT age < nil", "ann bob cid dee eve fay"), ("age > 24.5", "bob dee eve"),
        ("age < 24.5", "ann"), ("age < -1", ""), ("age > -1", "ann bob dee eve"),
        ("age > 1e300", ""), ("age < 1e300", "ann bob dee eve"), ("name < \"Bob\"", "ann"),
        ("name >= \"Cid\"", "cid dee eve"), ("name <[c] \"bob\"", "ann"),
        ("name >[n] \"B\"", "bob cid dee eve"), ("name >[l] \"bz\"", "cid dee eve"),
      ])
  }

  @Test func `numbers compare by value whatever their types`() throws {
    try expect(
      "Player",
      [
        ("salary == 100.5", "ann"), ("salary == 200", "cid"), ("salary == 0.1", "dee"),
        ("salary > 100", "ann cid"), ("salary < 1", "dee"), ("salary == nil", "bob eve fay"),
        ("rating == 0.1", "dee"), ("rating == 3", "bob"), ("rating > 3", "ann"),
        ("rating == CAST(\"0.1\", \"NSDecimalNumber\")", "dee"), ("isCaptain == YES", "ann"),
        ("isCaptain == TRUE", "ann"), ("isCaptain == 1", "ann"), ("isCaptain == NO", "bob"),
        ("isCaptain == 0", "bob"), ("isCaptain == false", "bob"),
        ("isCaptain != TRUE", "bob cid dee eve fay"),
        ("isCaptain == 2", ""), ("isCaptain == nil", "cid dee eve fay"), ("isCaptain > 0", "ann"),
        ("age == salary", "fay"), ("age > rating", "ann bob dee"),
        ("age == age", "ann bob cid dee eve fay"),
        ("salary == 1e200", ""), ("salary < 1e200", "ann cid dee"),
        ("salary > -1e200", "ann cid dee"),
        ("salary > 1e-200", "ann cid dee"), ("rating == 99999999999999999999", ""),
      ])
  }

  @Test func `dates, data, UUIDs and URIs`() throws {
    try expect(
      "Player",
      [
        ("joined == CAST(1000, \"NSDate\")", "bob eve"), ("joined == 1000", "bob eve"),
        ("joined > CAST(0, \"NSDate\")", "bob eve"), ("joined >= CAST(0, 'Date')", "ann bob eve"),
        ("joined < 0", "dee"), ("joined == -5.5", "dee"), ("joined == nil", "cid fay"),
        ("joined BETWEEN {-6, 0}", "ann dee"), ("photo == CAST(\"AQI=\", \"NSData\")", "ann"),
        ("photo != CAST(\"AQI=\", \"NSData\")", "bob cid dee eve fay"),
        ("photo == nil", "bob cid dee eve fay"),
        ("key == \"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\"", "ann"),
        ("key == \"e621e1f8-c36c-495a-93fc-0c247a3e6e5f\"", "ann"),
        ("key == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\")", "ann"),
        ("key != nil", "ann"), ("page == \"urn:player:ann\"", "ann"),
        ("page == CAST(\"urn:player:ann\", \"NSURL\")", "ann"),
        ("page > \"urn:player\"", "ann"),
        ("key IN {\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", nil}", "ann bob cid dee eve fay"),
      ])
  }

  @Test func `text operators`() throws {
    try expect(
      "Player",
      [
        ("name BEGINSWITH \"A\"", "ann"), ("name beginswith \"A\"", "ann"),
        ("name BEGINSWITH[c] \"a\"", "ann"),
        ("name BEGINSWITH \"a\"", ""), ("name ENDSWITH \"e\"", "dee eve"),
        ("name ENDSWITH[c] \"E\"", "dee eve"),
        ("name CONTAINS \"n\"", "ann"), ("name CONTAINS[c] \"D\"", "cid dee"),
        ("name CONTAINS \"nnn\"", ""),
        ("name LIKE \"?nn\"", "ann"), ("name LIKE \"*e\"", "dee eve"),
        ("name LIKE[c] \"*E*\"", "dee eve"),
        ("name LIKE \"Ann\"", "ann"), ("name LIKE \"*\"", "ann bob cid dee eve"),
        ("name LIKE \"???\"", "ann bob cid dee eve"),
        ("name LIKE \"????\"", ""), ("name MATCHES \"[A-C].*\"", "ann bob cid"),
        ("name MATCHES \"An\"", ""),
        ("name MATCHES \"A|An|Ann\"", "ann"), ("name MATCHES[c] \"ann\"", "ann"),
        ("name MATCHES \"(?x) A n n # its name\"", "ann"), ("name BEGINSWITH nil", ""),
        ("name CONTAINS nil", ""), ("name LIKE nil", ""), ("name MATCHES nil", ""),
        ("NOT name CONTAINS \"n\"", "bob cid dee eve fay"),
        ("NOT name BEGINSWITH nil", "ann bob cid dee eve fay"),
        ("name CONTAINS name", "ann bob cid dee eve"), ("name LIKE name", "ann bob cid dee eve"),
        ("name MATCHES name", "ann bob cid dee eve"), ("\"Annette\" BEGINSWITH name", "ann"),
        ("\"Ann\" LIKE name", "ann"), ("name IN \"Annette and Bob\"", "ann bob"),
        ("\"n\" IN name", "ann"), ("\"N\" IN[c] name", "ann"), ("name IN[c] \"anNETTE\"", "ann"),
      ])
  }

  @Test func `membership and ranges`() throws {
    try expect(
      "Player",
      [
        ("age IN {19, 31}", "ann dee"), ("age IN {}", ""),
        ("NOT age IN {}", "ann bob cid dee eve fay"),
        ("age IN {nil}", "cid fay"), ("age IN {19, NULL}", "ann cid fay"),
        ("age IN {19.0, 25.5}", "ann"),
        ("age IN {1,2,3,4,5,6,19}", "ann"), ("name IN {\"Ann\", \"Bob\"}", "ann bob"),
        ("name IN[c] {\"ANN\", \"bob\"}", "ann bob"),
        ("name IN {\"a\",\"b\",\"c\",\"d\",\"Ann\"}", "ann"),
        ("name IN[c] {\"A\",\"B\",\"C\",\"D\",\"ANN\"}", "ann"),
        ("NOT name IN {\"Ann\", \"Bob\"}", "cid dee eve fay"),
        ("age IN nil", ""), ("19 IN {age, 5}", "ann"),
        ("age IN {rating, 19, salary}", "ann cid fay"),
        ("age BETWEEN {19, 25}", "ann bob eve"), ("age BETWEEN {25, 19}", ""),
        ("age BETWEEN {19, 30-5}", "ann bob eve"),
        ("age BETWEEN {nil, 25}", ""), ("NOT age BETWEEN {19, 25}", "cid dee fay"),
        ("age BETWEEN {19.5, 25}", "bob eve"),
        ("age BETWEEN {rating, 25}", "ann bob"), ("salary BETWEEN {0.1, 100.5}", "ann dee"),
        ("name BETWEEN {\"Ann\", \"Bob\"}", "ann bob"),
        ("name BETWEEN[c] {\"ann\", \"bob\"}", "ann bob"),
      ])
  }

  @Test func `compounds bind as written`() throws {
    try expect(
      "Player",
      [
        ("age == 19 OR age == 25 AND name == \"Bob\"", "ann bob"),
        ("(age == 19 OR age == 25) AND name == \"Bob\"", "bob"),
        ("age == 19 || age == 25 && name == 'Bob'", "ann bob"),
        ("!(age == 19) && age != nil", "bob dee eve"),
        ("NOT NOT age == 19", "ann"), ("NOT (age == 19 OR age == 25)", "cid dee fay"),
        ("NOT age == 19 AND NOT age == 25", "cid dee fay"),
        ("TRUEPREDICATE", "ann bob cid dee eve fay"),
        ("FALSEPREDICATE", ""), ("TRUEPREDICATE AND age == 19", "ann"),
        ("FALSEPREDICATE OR age == 19", "ann"),
        ("age == 19 AND FALSEPREDICATE", ""), ("NOT TRUEPREDICATE", ""),
        ("1 == 1", "ann bob cid dee eve fay"),
        ("1 > 2 OR age == 19", "ann"), ("((((age))) == ((19)))", "ann"),
        ("(age == 19) AND ((name) == (\"Ann\"))", "ann"), ("age == 19 oR age == 31", "ann dee"),
      ])
  }

  @Test func `key paths through to-one relationships`() throws {
    try expect(
      "Player",
      [
        ("team.name == \"Crew\"", "ann bob cid"), ("team.name == nil", "eve fay"),
        ("team == nil", "eve fay"),
        ("team != nil", "ann bob cid dee"), ("team.founded == nil", "dee eve fay"),
        ("team.founded > 1990", "ann bob cid"),
        ("agent.name == team.name", "eve fay"),
        ("team.address.city == \"Columbus\"", "ann bob cid"),
        ("team.address.city == nil", "dee eve fay"), ("team.address.number < 2", "ann bob cid"),
        ("team.address == nil", "dee eve fay"), ("SELF.age == 19", "ann"), ("SELF == nil", ""),
        ("SELF != nil", "ann bob cid dee eve fay"),
        ("objectID == SELF", "ann bob cid dee eve fay"),
        ("team.objectID == team", "ann bob cid dee eve fay"),
        ("#age == 19", "ann"), ("#\"age\" == 19", "ann"), ("team.#name == 'Crew'", "ann bob cid"),
        ("team.players.@count == 3", "ann bob cid"), ("team.players.@count == 0", "eve fay"),
        ("team.players[SIZE] > 0", "ann bob cid dee"), ("nickname == \"Annie\"", "ann"),
      ])
  }

  @Test func `collections with and without a quantifier`() throws {
    try expect(
      "Team",
      [
        ("ANY players.age > 20", "crew united"), ("SOME players.age > 20", "crew united"),
        ("ALL players.age > 20", "united empty"), ("NONE players.age > 20", "empty"),
        ("NOT ANY players.age > 20", "empty"),
        ("NOT ALL players.age > 20", "crew"), ("ANY players.age == nil", "crew"),
        ("ALL players.age != nil", "united empty"),
        ("ANY 20 < players.age", "crew united"),
        ("ANY players.name IN {\"Ann\", \"Dee\"}", "crew united"),
        ("ALL players.name IN {\"Ann\", \"Bob\", \"Cid\"}", "crew empty"),
        ("ANY players.name BEGINSWITH[c] \"d\"", "united"),
        ("ANY players.name CONTAINS \"n\"", "crew"),
        ("NONE players.name LIKE \"B*\"", "united empty"),
        ("ANY players.age BETWEEN {18, 20}", "crew"), ("ANY players.agent.name == \"Zoe\"", "crew"),
        ("ANY players.agent == nil", "crew"), ("ALL players.agent != nil", "united empty"),
        ("ANY players.agent.name == nil", "crew"),
        ("ANY players.agent.clients.name == \"Ann\"", "crew"),
        ("ALL players.agent.clients.name != \"Ann\"", "united empty"),
        ("ANY players.age > founded", ""), ("ANY players.age < founded", "crew"),
        ("players.@count == 3", "crew"),
        ("players.@count > 0 AND ANY players.age < 20", "crew"), ("3 == players.@count", "crew"),
        ("players.@count == 0", "empty"),
        ("players.name CONTAINS \"Ann\"", "crew"), ("players.name CONTAINS[c] \"ANN\"", "crew"),
        ("\"Dee\" IN players.name", "united"),
        ("players.age CONTAINS nil", "crew"), ("25 IN players.age", "crew"),
        ("name IN players.team.name", "crew united"),
        ("players.agent.clients.@count > 1", "crew"), ("players.age == {31}", "united"),
        ("players.age == {25, 19, nil, 19}", "crew"),
        ("players.age != {31}", "crew empty"), ("players.age == {}", "empty"),
        ("players.team.players == players", "crew united empty"),
        ("ANY players.name != \"Ann\" AND ANY players.name == \"Ann\"", "crew"),
        ("address.city == \"Columbus\"", "crew"),
      ])
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

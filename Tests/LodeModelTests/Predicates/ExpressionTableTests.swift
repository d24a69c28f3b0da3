import LodeModel
import Testing

/// What functions, operators, variables and subqueries answer, as a table: a format and the objects that
/// match it.
struct ExpressionTableTests {
  private let tables: LeagueTables

  init() throws { tables = try LeagueTables() }

  private func expect(_ entityName: String, _ table: [(String, String)]) throws {
    for (format, expected) in table {
      do {
        #expect(try tables.matches(entityName, format) == expected, "\(format)")
      } catch { Issue.record("\(format): \(error)") }
    }
  }

  @Test func `arithmetic on properties`() throws {
    try expect(
      "Player",
      [
        ("age + 1 == 20", "ann"), ("1 + age == 20", "ann"), ("age - 6 == 19", "bob eve"),
        ("age * 2 > 50", "dee"), ("age / 2 == 9", "ann"), ("age / 2 == 12", "bob eve"),
        ("age / 2.0 == 9.5", "ann"), ("age / 0 == nil", "ann bob cid dee eve fay"),
        ("age / 0 != 1", "ann bob cid dee eve fay"), ("age + 1 == nil", "cid fay"),
        ("-age == -19", "ann"), ("-age < -20", "bob dee eve"), ("+age == 19", "ann"),
        ("- -age == 19", "ann"), ("age ** 2 == 361", "ann"), ("age ** 2 / 19 == 19", "ann"),
        ("2 ** 3 ** 2 == 512", "ann bob cid dee eve fay"), ("age ** -1 < 0.04", "dee"),
        ("-2 ** 2 == 4", "ann bob cid dee eve fay"), ("age + age * 2 == 57", "ann"),
        ("(age + age) * 2 == 76", "ann"), ("age - 1 - 1 == 17", "ann"),
        ("age - (1 - 1) == 19", "ann"),
        ("salary + 1 == 101.5", "ann"), ("salary * 2 == 400", "cid"), ("salary - 0.1 == 0", "dee"),
        ("rating + age == 23.5", "ann"), ("rating * salary > 0.005", "ann dee"),
        ("salary / 3 * 3 > 199", "cid"), ("modulus:by:(age, 5) == 0", "bob eve"),
        ("modulus:by:(age, 0) == nil", "ann bob cid dee eve fay"),
        ("modulus:by:(-age, 5) == -4", "ann"), ("modulus:by:(rating, 2) == 0.5", "ann"),
        ("add:to:(age, 1) == 20", "ann"), ("from:subtract:(age, 6) == 19", "bob eve"),
        ("multiply:by:(age, 2) == 38", "ann"), ("divide:by:(age, 2) == 9", "ann"),
        ("raise:toPower:(age, 2) == 361", "ann"), ("isCaptain + 1 == 2", "ann"),
        ("age + 9223372036854775807 > 9e18", "ann bob dee eve"),
        ("age * 9223372036854775807 > 1e20", "ann bob dee eve"),
        ("9223372036854775807 + 1 == 9223372036854775808.0", "ann bob cid dee eve fay"),
        ("age BETWEEN {10 + 9, 5 * 5}", "ann bob eve"), ("age IN {18 + 1, age - 1}", "ann cid fay"),
        ("age > team.founded - 1970", "bob"), ("age < rating * 10", "ann bob"),
      ])
  }

  @Test func `functions of numbers`() throws {
    try expect(
      "Player",
      [
        ("abs(age - 25) == 6", "ann dee"), ("abs:(0 - age) == 19", "ann"),
        ("sqrt(age) == 5", "bob eve"),
        ("sqrt(0 - age) == nil", "ann bob cid dee eve fay"), ("floor(rating) == 4", "ann"),
        ("ceiling(rating) == 5", "ann"), ("ceiling(rating) == 1", "dee"),
        ("trunc(rating) == 0", "dee"),
        ("floor(-rating) == -5", "ann"), ("trunc(-rating) == -4", "ann"),
        ("ceiling(-rating) == -4", "ann"),
        ("floor(-salary) == -101", "ann"), ("trunc(-salary) == -100", "ann"),
        ("ceiling(-salary) == -100", "ann"), ("ceiling(salary) == 101", "ann"),
        ("floor(salary) == 100", "ann"), ("abs(-salary) == 200", "cid"),
        ("floor(age) == 19", "ann"),
        ("ln(exp(rating)) > 4.49", "ann"), ("log(10 ** age) == 25", "bob eve"),
        ("log(age - age) == nil", "ann bob cid dee eve fay"), ("exp(age - 25) == 1", "bob eve"),
        ("floor(rating) == nil", "cid eve fay"), ("age & 1 == 1", "ann bob dee eve"),
        ("age | 4 == 23", "ann"), ("age ^ 1 == 18", "ann"), ("age << 1 == 38", "ann"),
        ("age >> 1 == 12", "bob eve"), ("~age == -20", "ann"),
        ("~0 == -1", "ann bob cid dee eve fay"),
        ("age << 64 == 0", "ann bob dee eve"),
        ("bitwiseAnd:with:(age, 16) == 16", "ann bob dee eve"),
        ("onesComplement:(age) == -26", "bob eve"), ("rating & 1 == 1", "bob"),
        ("age & 3 | 16 == 19", "ann dee"), ("age + 1 & 1 == 0", "ann bob dee eve"),
        ("random() < 1", "ann bob cid dee eve fay"), ("random() >= 0", "ann bob cid dee eve fay"),
        ("randomn:(5) < 5", "ann bob cid dee eve fay"),
        ("random:(1) == 0", "ann bob cid dee eve fay"),
      ])
  }

  @Test func `functions of texts and dates`() throws {
    try expect(
      "Player",
      [
        ("uppercase(name) == 'ANN'", "ann"), ("lowercase:(name) == 'ann'", "ann"),
        ("canonical(name) == 'ann'", "ann"), ("length(name) == 3", "ann bob cid dee eve"),
        ("length(name) > 3", ""), ("length(name) == nil", "fay"), ("length(photo) == 2", "ann"),
        ("uppercase(team.name) BEGINSWITH 'CR'", "ann bob cid"),
        ("uppercase('ann') ==[c] name", "ann"),
        ("lowercase(name) IN {'ann', 'bob'}", "ann bob"), ("now() > joined", "ann bob dee eve"),
        ("joined < now()", "ann bob dee eve"), ("joined + 1000 == 2000", "bob eve"),
        ("1000 + joined == 2000", "bob eve"), ("joined - 1000 == CAST(0, 'NSDate')", "bob eve"),
        ("now() - joined > 0", "ann bob dee eve"), ("joined - CAST(1, 'NSDate') == 999", "bob eve"),
        ("now() == now()", "ann bob cid dee eve fay"), ("noindex:(age) == 19", "ann"),
        ("NOINDEX(age) == 19", "ann"),
      ])
  }

  @Test func `casts and choices`() throws {
    try expect(
      "Player",
      [
        ("CAST(age, 'NSString') == '19'", "ann"),
        ("CAST(age, 'NSString') BEGINSWITH '2'", "bob eve"),
        ("CAST(joined, 'NSNumber') == 1000", "bob eve"), ("CAST(rating, 'Int') == 4", "ann"),
        ("CAST(age, 'NSDate') < joined", "bob eve"),
        ("CAST(name, 'NSNumber') == nil", "ann bob cid dee eve fay"),
        ("CAST(age, 'NSDecimalNumber') == 19", "ann"),
        ("castObject:toType:(age, 'NSString') == '25'", "bob eve"),
        ("CAST(isCaptain, 'NSString') == '1'", "ann"),
        ("CAST(key, 'NSString') BEGINSWITH 'E621'", "ann"),
        ("CAST(page, 'NSString') ENDSWITH 'ann'", "ann"), ("CAST('19', 'Int') == age", "ann"),
        ("TERNARY(age > 20, 1, 0) == 1", "bob dee eve"),
        ("TERNARY(age > 20, 'old', 'young') == 'young'", "ann cid fay"),
        ("TERNARY(team == nil, 'none', team.name) == 'none'", "eve fay"),
        ("TERNARY(age == nil, 0, age) < 20", "ann cid fay"),
        ("TERNARY(age > 20 AND team != nil, age, nil) == 25", "bob"),
        ("TERNARY(TRUEPREDICATE, age, rating) == 19", "ann"),
        ("TERNARY(age == 0, 1 / 0, 1) == 1", "ann bob cid dee eve fay"),
        ("1 + TERNARY(age == 19, 1, 2) == 2", "ann"),
        ("TERNARY(age > 20, team, nil).name == 'Crew'", "bob"),
      ])
  }

  @Test func `collections made into one value`() throws {
    try expect(
      "Team",
      [
        ("players.@sum.age == 44", "crew"), ("players.age.@sum == 44", "crew"),
        ("sum(players.age) == 44", "crew"), ("sum:(players.age) == 31", "united"),
        ("players.@sum.age == 0", "empty"), ("players.@avg.age == 22", "crew"),
        ("players.@avg.age == nil", "empty"), ("average(players.age) > 30", "united"),
        ("players.@min.age == 19", "crew"), ("players.@max.age == 25", "crew"),
        ("players.@max.age == nil", "empty"), ("players.name.@min == 'Ann'", "crew"),
        ("max(players.joined) > 0", "crew"), ("players.@max.joined == nil", "empty"),
        ("players.@count == 3", "crew"), ("count(players) == 3", "crew"),
        ("count:(players.age) == 3", "crew"),
        ("players.@sum.salary == 300.5", "crew"), ("players.@sum.rating > 7", "crew"),
        ("players.@avg.salary == 150.25", "crew"), ("median(players.age) == 22", "crew"),
        ("median(players.age) == 31", "united"), ("median(players.age) == nil", "empty"),
        ("stddev(players.age) == 3", "crew"), ("stddev(players.age) == 0", "united"),
        ("mode(players.age) == {19, 25}", "crew"), ("mode(players.age) == {}", "empty"),
        ("players.@unionOfObjects.name CONTAINS 'Ann'", "crew"),
        ("players.agent.@distinctUnionOfObjects.name == {'Zoe', nil}", "crew"),
        ("players.agent.name.@distinctUnionOfObjects.@count == 2", "crew"),
        ("players.agent.@unionOfObjects.name.@count == 3", "crew"),
        ("players.team.@distinctUnionOfSets.players.@count == 3", "crew"),
        ("players.agent.clients.@count == 5", "crew"),
        ("players.agent.clients.age.@sum == 38", "crew"),
        ("sum({1, 2, 3}) == 6", "crew united empty"), ("max({1, founded, 3}) == 2020", "empty"),
        ("sum({}) == 0", "crew united empty"), ("min({}) == nil", "crew united empty"),
        ("average({1, 2}) == 1.5", "crew united empty"),
        ("players.@max.age - players.@min.age == 6", "crew"),
        ("players.@count * 2 == 6", "crew"), ("ANY players.age == players.@max.age", "crew united"),
        ("length(name) > players.@count", "crew united empty"),
      ])
  }

  @Test func `operators of collections`() throws {
    try expect(
      "Team",
      [
        ("'Ann' IN players.name UNION {'Eve'}", "crew"),
        ("'Eve' IN players.name UNION {'Eve'}", "crew united empty"),
        ("players.name UNION {'Dee'} == {'Dee'}", "united empty"),
        ("players.name INTERSECT {'Ann', 'Dee'} == {'Dee'}", "united"),
        ("players.name MINUS {'Ann', 'Bob'} == {'Cid'}", "crew"),
        ("count(players.name MINUS {'Ann'}) == 2", "crew"),
        ("ANY (players.age MINUS {25}) > 20", "united"),
        ("NONE (players.age UNION {}) > 20", "empty"),
        ("ANY {1994, 7} == founded", "crew"), ("ALL {3000, 2000} > founded", "crew"),
        ("1 IN {1, 2} INTERSECT {2, 3}", ""), ("2 IN {1, 2} INTERSECT {2, 3}", "crew united empty"),
      ])
  }

  @Test func `subqueries bind conditions to one member`() throws {
    try expect(
      "Team",
      [
        ("SUBQUERY(players, $p, $p.age > 20).@count == 1", "crew united"),
        ("SUBQUERY(players, $p, $p.age > 20).@count == 0", "empty"),
        ("SUBQUERY(players, $p, $p.age > 20 AND $p.agent == nil).@count > 0", "crew"),
        ("SUBQUERY(players, $p, $p.age > 20 AND $p.agent != nil).@count > 0", "united"),
        ("ANY players.age > 20 AND ANY players.agent != nil", "crew united"),
        ("SUBQUERY(players, $p, $p.name == 'Ann')[SIZE] == 1", "crew"),
        ("count(SUBQUERY(players, $p, TRUEPREDICATE)) == 3", "crew"),
        ("SUBQUERY(players, $p, $p.age > 20).name == {'Bob'}", "crew"),
        ("SUBQUERY(players, $p, $p.age > 20).age.@max == 31", "united"),
        ("SUBQUERY(players, $p, $p.age > 20).@sum.age == 25", "crew"),
        ("ANY SUBQUERY(players, $p, $p.age > 18).name BEGINSWITH 'B'", "crew"),
        ("ALL SUBQUERY(players, $p, $p.age > 20).name == 'Dee'", "united empty"),
        ("SUBQUERY(players, $p, $p.team == SELF).@count == 3", "crew"),
        ("SUBQUERY(players, $p, $p.age > founded).@count == 0", "crew united empty"),
        ("SUBQUERY(players, $p, $p.age < founded).@count == 2", "crew"),
        ("SUBQUERY(players, $p, $p.age == players.@max.age).@count == 1", "crew united"),
        ("SUBQUERY(players, $p, $p.agent.clients.@count > 1).@count == 2", "crew"),
        ("SUBQUERY(players, $p, ANY $p.agent.clients.age > 30).@count == 1", "united"),
        (
          "SUBQUERY(players, $p, SUBQUERY($p.agent.clients, $c, $c.age < $p.age).@count > 0).@count == 0",
          "crew united empty"
        ),
        (
          "SUBQUERY(players, $p, SUBQUERY($p.team.players, $c, $c.age > $p.age).@count > 0).@count == 1",
          "crew"
        ),
        (
          "SUBQUERY(players, $p, SUBQUERY($p.agent.clients, $p, $p.age == 19).@count > 0).@count == 2",
          "crew"
        ),
        ("SUBQUERY(players.age, $a, $a > 20).@count == 1", "crew united"),
        ("SUBQUERY({1990, 2000}, $y, $y < founded).@count == 1", "crew"),
        ("SUBQUERY(players, $p, $p == nil).@count == 0", "crew united empty"),
        ("SUBQUERY(players, $p, $p IN players).@count == 3", "crew"),
        ("SUBQUERY(players, $p, $p.age > 20) == {}", "empty"),
        ("SUBQUERY(SUBQUERY(players, $p, $p.age > 18), $q, $q.age < 20).@count == 1", "crew"),
        ("SUBQUERY(players, $p, TERNARY($p.age > 20, 'x', 'y') == 'x').@count == 1", "crew united"),
        ("SUBQUERY(players, $p, $p.age + 1 == 20).@count == 1", "crew"),
        ("SUBQUERY(players.agent, $a, $a.name == 'Zoe').@count == 2", "crew"),
      ])
    try expect(
      "Player",
      [
        ("SUBQUERY(team.players, $p, $p.age > 20).@count == 1", "ann bob cid dee"),
        ("SUBQUERY(team.players, $p, $p.age > 20).@count == 0", "eve fay"),
        ("SUBQUERY(team.players, $p, $p != SELF AND $p.age < age).@count == 1", "bob"),
      ])
  }

  @Test func `entities and identities`() throws {
    try expect(
      "Player",
      [
        ("entity == 'Player'", "ann bob cid dee eve fay"), ("entity.name == 'Team'", ""),
        ("team.entity == 'Team'", "ann bob cid dee"), ("team.entity.name == nil", "eve fay"),
        ("SELF.entity == 'Player'", "ann bob cid dee eve fay"),
      ])
  }
}

import LodeRandom
import Foundation
import Lode
import LodeTesting
import Testing

@Suite struct PredicateAgreementTests {
  @Test(arguments: StoreKind.allCases)
  func `stored rows, pending objects and plain values give one answer`(_ kind: StoreKind) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("predicate agreement seed \(seed)")
    var random = SeededGenerator(seed: seed)
    try kind.withContainer(RandomPredicates.model()) { container in
      let context = container.viewContext
      let formats = (0..<100).map { _ in RandomPredicates.format(&random) }
      let teams = try RandomPredicates.teams(in: context, &random)
      try expectAgreement(on: formats, teams, in: container, "inserted, seed \(seed)")
      for round in 1...2 {
        try RandomPredicates.change(teams, in: context, &random)
        #expect(teams.contains(where: \.isUpdated) && teams.contains { !$0.isUpdated })
        try expectAgreement(on: formats, teams, in: container, "updated \(round), seed \(seed)")
      }
    }
  }

  /// Asks each predicate about unsaved objects, about their plain values, and after a save of the store.
  private func expectAgreement(
    on formats: [String], _ teams: [ManagedObject], in container: PersistentContainer,
    _ comment: String
  ) throws {
    let plain = teams.map(RandomPredicates.plain)
    var pending: [String: [Bool]] = [:]
    for format in formats {
      pending[format] = try answers(format, teams, in: container.viewContext)
    }
    try container.viewContext.save()
    let reader = container.newBackgroundContext()
    let objectIDs = teams.map(\.objectID)
    for format in formats {
      let predicate = try ObjectPredicate(format, arguments: [])
      let stored = try reader.performAndWait {
        let matching = Set(try reader.fetchObjectIDs(reader.request("Team", format)))
        return objectIDs.map(matching.contains)
      }
      #expect(stored == pending[format], "stored and pending, \(comment): \(format)")
      let evaluated = try plain.map { try predicate.evaluate(with: $0) }
      #expect(evaluated == stored, "plain and stored, \(comment): \(format)")
    }
  }

  private func answers(
    _ format: String, _ teams: [ManagedObject], in context: ManagedObjectContext
  ) throws -> [Bool] {
    let matching = Set(try context.fetch("Team", format))
    return teams.map(matching.contains)
  }
}

@Suite struct FloatAgreementTests {
  @Test(arguments: StoreKind.allCases)
  func `a float is found by the number that it was set to`(_ kind: StoreKind) throws {
    let weight = AttributeDescription("weight", .float)
    for indexes in [[], [FetchIndexDescription(on: "weight")]] {
      let model = try ManagedObjectModel(entities: [
        EntityDescription("Thing", attributes: [weight], indexes: indexes)
      ])
      try kind.withContainer(model) { container in
        let context = container.viewContext
        try context.insert("Thing", ["weight": .double(0.1)])
        try context.insert("Thing", ["weight": .double(0.3)])
        for _ in ["pending", "stored"] {
          #expect(try context.fetch("Thing", "weight == 0.1").count == 1)
          #expect(try context.fetch("Thing", "weight IN {0.1, 0.3}").count == 2)
          #expect(try context.fetch("Thing", "weight > 0.1").count == 1)
          #expect(try context.fetch("Thing", "weight == %@", [Float(0.3)]).count == 1)
          try context.save()
        }
      }
    }
  }
}

/// Random teams with players, and random predicates about them.
private enum RandomPredicates {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Team",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("rank", .integer32),
          AttributeDescription("budget", .double), AttributeDescription("fee", .decimal),
          AttributeDescription("founded", .date), AttributeDescription("active", .boolean),
        ],
        relationships: [
          RelationshipDescription("players", to: "Player", inverse: "team", isToMany: true),
          RelationshipDescription("captain", to: "Player"),
        ],
        indexes: [
          FetchIndexDescription(on: "name"), FetchIndexDescription(on: "rank"),
          FetchIndexDescription(on: "budget"),
        ]),
      EntityDescription(
        "Player",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("age", .integer16),
        ],
        relationships: [RelationshipDescription("team", to: "Team", inverse: "players")]),
    ])
  }

  private static let names = [
    "Crew", "crew", "Crews", "", "Åbo", "A\u{30A}bo", "åbo", "Łódź", "Crème", "CREME", "100%",
    "a_c",
  ]

  static func teams(
    in context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> [ManagedObject] {
    try (0..<40).map { _ in
      let team = try context.insert("Team", teamValues(&random))
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        let player = try context.insert("Player", playerValues(&random))
        player[toOne: "team"] = team
        if Bool.random(using: &random) { team[toOne: "captain"] = player }
      }
      return team
    }
  }

  /// Gives about half of the teams and players other values, players other teams, teams other captains.
  static func change(
    _ teams: [ManagedObject], in context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws {
    let players = try context.fetch("Player")
    for team in teams where Bool.random(using: &random) {
      for (name, value) in teamValues(&random) { team.setValue(value, forKey: name) }
      team[toOne: "captain"] =
        Bool.random(using: &random) ? players.randomElement(using: &random) : nil
    }
    for player in players where Bool.random(using: &random) {
      for (name, value) in playerValues(&random) { player.setValue(value, forKey: name) }
      guard Bool.random(using: &random) else { continue }
      player[toOne: "team"] =
        Bool.random(using: &random) ? teams.randomElement(using: &random) : nil
    }
  }

  private static func teamValues(_ random: inout SeededGenerator) -> [String: Value] {
    let budgets: [Double] = [-1.5, 0, -0.0, 1, 2, .infinity]
    let values: [String: Value] = [
      "name": .string(names.randomElement(using: &random) ?? ""),
      "rank": .integer(.random(in: -3...3, using: &random)),
      "budget": .double(budgets.randomElement(using: &random) ?? 0),
      "fee": .decimal(Decimal(Int.random(in: -2...2, using: &random)) / 2),
      "founded": .date(Date(timeIntervalSinceReferenceDate: .random(in: -2...2, using: &random))),
      "active": .boolean(.random(using: &random)),
    ]
    return thinned(values, &random)
  }

  private static func playerValues(_ random: inout SeededGenerator) -> [String: Value] {
    thinned(
      [
        "name": .string(names.randomElement(using: &random) ?? ""),
        "age": .integer(.random(in: 18...22, using: &random)),
      ], &random)
  }

  private static func thinned(
    _ values: [String: Value], _ random: inout SeededGenerator
  ) -> [String: Value] {
    var values = values
    for name in values.keys.sorted() where Int.random(in: 0..<4, using: &random) == 0 {
      values[name] = .null
    }
    return values
  }

  /// Returns a team's values as plain evaluation takes them.
  static func plain(_ team: ManagedObject) -> [String: Value] {
    var values = attributes(team)
    values["players"] = .list(team[toMany: "players"].map { .composite(attributes($0)) })
    values["captain"] = team[toOne: "captain"].map { .composite(attributes($0)) } ?? .null
    return values
  }

  private static func attributes(_ object: ManagedObject) -> [String: Value] {
    var values: [String: Value] = ["objectID": .objectID(object.objectID)]
    for property in object.entity.properties where property.attribute != nil {
      values[property.name] = object.value(forKey: property.name)
    }
    return values
  }

  static func format(_ random: inout SeededGenerator, depth: Int = 0) -> String {
    if depth < 3, Int.random(in: 0..<3, using: &random) == 0 {
      let left = format(&random, depth: depth + 1)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return "(\(left)) AND (\(format(&random, depth: depth + 1)))"
      case 1: return "(\(left)) OR (\(format(&random, depth: depth + 1)))"
      default: return "NOT (\(left))"
      }
    }
    return comparison(&random)
  }

  private static func comparison(_ random: inout SeededGenerator) -> String {
    func pick(_ choices: [String]) -> String { choices.randomElement(using: &random) ?? "" }
    let order = pick(["==", "!=", "<", "<=", ">", ">="])
    let name = "\"\(pick(names))\""
    let quantifier = pick(["ANY", "ALL", "NONE"])
    switch Int.random(in: 0..<18, using: &random) {
    case 12:
      return "SUBQUERY(players, $p, $p.age \(order) \(pick(["19", "captain.age", "rank + 20"])))"
        + ".@count \(pick(["> 0", "== 0", "== 1"]))"
    case 13:
      return
        "SUBQUERY(players, $p, $p.age > 19 AND $p.name \(pick(["==", "BEGINSWITH[c]"])) \(name))"
        + ".@count \(order) 1"
    case 14:
      return
        "players.\(pick(["@sum", "@min", "@max", "@avg"])).age \(order) \(pick(["19", "40", "nil"]))"
    case 15:
      return "rank \(pick(["+", "-", "*", "/"])) \(pick(["1", "2.5", "budget", "fee"])) \(order) 1"
    case 16:
      return "TERNARY(captain == nil, \(name), \(pick(["captain.name", "name"]))) \(order) "
        + "\(pick(["uppercase", "lowercase", "canonical"]))(\(pick(["name", name])))"
    case 17:
      return
        "\(quantifier) SUBQUERY(players, $p, $p.age \(order) 20).name \(pick(["==", "!="])) \(name)"
    case 0: return "name \(order) \(name)"
    case 1:
      let match = pick(["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "=="])
      return "name \(match)\(pick(["", "[c]", "[d]", "[cd]"])) \(name)"
    case 2: return "rank \(order) \(pick(["-1", "0", "1.5", "2", "nil"]))"
    case 3: return "rank BETWEEN {\(pick(["-2", "0"])), \(pick(["-1", "2"]))}"
    case 4: return "rank IN {\(pick(["", "1", "1, -2, 0"]))}"
    case 5: return "budget \(order) \(pick(["0", "-1.5", "2"]))"
    case 6: return "fee \(order) \(pick(["0.5", "-1", "0"]))"
    case 7: return "active == \(pick(["TRUE", "NO", "nil"]))"
    case 8: return "\(quantifier) players.age \(order) \(pick(["19", "20", "nil"]))"
    case 9: return "\(quantifier) players.name \(pick(["BEGINSWITH[cd]", "=="])) \(name)"
    case 10: return "captain.\(pick(["age \(order) 20", "name == \(name)"]))"
    default: return pick(["captain == nil", "players.@count > 1", "captain != nil", "name == nil"])
    }
  }
}

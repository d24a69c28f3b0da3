import LodeRandom
import LodeTesting
import Foundation
import Lode

/// Random teams and players, the same in a store and in a database.
struct OracleLeague {
  let teams: [ManagedObject]

  static func model(isIndexed: Bool) throws -> ManagedObjectModel {
    let indexed = isIndexed ? ["name", "rank", "budget", "fee", "founded", "captain"] : []
    return try ManagedObjectModel(entities: [
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
        indexes: indexed.map { FetchIndexDescription(on: $0) }),
      EntityDescription(
        "Player",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("age", .integer16),
          AttributeDescription("score", .double),
        ],
        relationships: [RelationshipDescription("team", to: "Team", inverse: "players")]),
    ])
  }

  init(
    in context: ManagedObjectContext, _ database: Database, _ random: inout SeededGenerator
  ) throws {
    try database.execute(
      """
      CREATE TABLE team (id INTEGER PRIMARY KEY, name TEXT, rank INTEGER, budget REAL, fee REAL,
        founded REAL, active INTEGER, captain INTEGER);
      CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, score REAL, team INTEGER);
      """)
    var teams: [ManagedObject] = []
    var playerID = 0
    for id in 0..<30 {
      let team = try Self.insert("Team", Self.teamValues(&random), in: context, database, id)
      teams.append(team)
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let player = try Self.insert(
          "Player", Self.playerValues(&random), in: context, database, playerID)
        player[toOne: "team"] = team
        try database.execute("UPDATE player SET team = \(id) WHERE id = \(playerID)")
        if Bool.random(using: &random) {
          team[toOne: "captain"] = player
          try database.execute("UPDATE team SET captain = \(playerID) WHERE id = \(id)")
        }
        playerID += 1
      }
    }
    self.teams = teams
  }

  static let names = [
    "Crew", "crew", "Crews", "", "Åbo", "åbo", "Łódź", "Crème", "100%", "a_c", "abc", "Zoë",
  ]

  private static func teamValues(_ random: inout SeededGenerator) -> [(String, Value)] {
    let budgets: [Double] = [-1.5, 0, -0.0, 0.1, 1, 2, 1e10]
    let name = names.randomElement(using: &random) ?? ""
    let halves = Int.random(in: -4...4, using: &random)
    let seconds = Double.random(in: -2...2, using: &random)
    let values: [(String, Value)] = [
      ("name", .string(name)), ("rank", .integer(.random(in: -4...4, using: &random))),
      ("budget", .double(budgets.randomElement(using: &random) ?? 0)),
      ("fee", .decimal(Decimal(halves) / 2)),
      ("founded", .date(Date(timeIntervalSinceReferenceDate: seconds))),
      ("active", .boolean(.random(using: &random))),
    ]
    return thinned(values, &random)
  }

  private static func playerValues(_ random: inout SeededGenerator) -> [(String, Value)] {
    let name = names.randomElement(using: &random) ?? ""
    let quarters = Double(Int.random(in: -6...6, using: &random))
    let values: [(String, Value)] = [
      ("name", .string(name)), ("age", .integer(.random(in: 18...24, using: &random))),
      ("score", .double(quarters / 4)),
    ]
    return thinned(values, &random)
  }

  private static func thinned(
    _ values: [(String, Value)], _ random: inout SeededGenerator
  ) -> [(String, Value)] {
    values.map { Int.random(in: 0..<5, using: &random) == 0 ? ($0.0, .null) : $0 }
  }

  private static func insert(
    _ entityName: String, _ values: [(String, Value)], in context: ManagedObjectContext,
    _ database: Database, _ id: Int
  ) throws -> ManagedObject {
    let names = values.map(\.0).joined(separator: ", ")
    let literals = values.map { SQL.literal($0.1) }.joined(separator: ", ")
    try database.execute(
      "INSERT INTO \(entityName.lowercased()) (id, \(names)) VALUES (\(id), \(literals))")
    return try context.insert(entityName, Dictionary(uniqueKeysWithValues: values))
  }
}

enum SQL {
  /// Returns a value as SQL writes it.
  static func literal(_ value: Value) -> String {
    switch value {
    case .boolean(let boolean): boolean ? "1" : "0"
    case .integer(let integer): "\(integer)"
    case .double(let double): "\(double)"
    case .decimal(let decimal): "CAST(\(decimal) AS REAL)"
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    case .string(let text): literal(text)
    default: "NULL"
    }
  }

  static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}

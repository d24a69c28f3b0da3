package import Lode

/// What the crash test writes, in a form that shows half a save.
package enum CrashModel {
  package static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Team", attributes: [AttributeDescription("number", .integer64)],
        relationships: [
          RelationshipDescription(
            "players", to: "Player", inverse: "team", isToMany: true, deleteRule: .cascade)
        ],
        indexes: [FetchIndexDescription(on: "number")]),
      EntityDescription(
        "Player",
        attributes: [
          AttributeDescription("number", .integer64), AttributeDescription("text", .string),
        ],
        relationships: [RelationshipDescription("team", to: "Team", inverse: "players")],
        indexes: [FetchIndexDescription(on: "number")]),
    ])
  }

  /// The count of players of a save's team.
  package static func playerCount(of number: Int) -> Int { 1 + number % 7 }

  /// One save's work: a new team with players, and every fifth time the oldest team is deleted.
  package static func insert(_ number: Int, into context: ManagedObjectContext) throws {
    let team = try context.insertNewObject(forEntityName: "Team")
    team["number"] = number
    for _ in 0..<playerCount(of: number) {
      let player = try context.insertNewObject(forEntityName: "Player")
      player["number"] = number
      player["text"] = String(repeating: "player of team \(number) ", count: 1 + number % 20)
      player[toOne: "team"] = team
    }
    guard number % 5 == 4 else { return }
    let oldest = FetchRequest<ManagedObject>(entityName: "Team", sortTerms: [SortTerm("number")])
    oldest.fetchLimit = 1
    oldest.includesPendingChanges = false
    for team in try context.fetch(oldest) { context.delete(team) }
  }

  /// The numbers of the teams that are there after the saves below a number.
  package static func numbers(after count: Int) -> [Int] { Array(count / 5..<count) }
}

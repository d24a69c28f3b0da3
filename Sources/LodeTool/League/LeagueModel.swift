import Foundation
import LodeMacros

/// A team of the league; its players go with it.
@Model final class Team: ManagedObject {
  @Attribute(.unique) var code: String = ""
  @Attribute(.indexed) var name: String = ""
  var group: String = ""
  var confederation: String = ""
  var continent: String = ""
  /// The squad as it was announced; later changes leave it as it is.
  var announcement: String = ""
  @Relationship(deleteRule: .cascade, inverse: \.team) var players: Set<Player>
}

/// A player of a team.
@Model final class Player: ManagedObject {
  var number: Int = 0
  var position: String = ""
  @Attribute(.indexed) var name: String = ""
  var dateOfBirth: Date = Date(timeIntervalSince1970: 0)
  @Attribute(.indexed) var club: String = ""
  var clubCountry: String = ""
  @Relationship(deleteRule: .nullify, inverse: \.players) var team: Team?
}

/// The league's model and the questions that the demonstration asks of it.
enum League {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(Team.self, Player.self)
  }

  /// All players by team and shirt number, twenty rows at a time, their teams read along.
  static func players() -> FetchRequest<Player> {
    let request = FetchRequest<Player>(sortTerms: [
      SortTerm("team.name", options: [.caseInsensitive, .diacriticInsensitive]), SortTerm("number"),
    ])
    request.fetchBatchSize = 20
    request.relationshipKeyPathsForPrefetching = ["team"]
    return request
  }

  static func team(code: String, in context: ManagedObjectContext) throws -> Team? {
    let request = FetchRequest<Team>(predicate: #Predicate { $0.code == code })
    return try context.fetch(request).first
  }

  static func players(ofClub club: String, in context: ManagedObjectContext) throws -> [Player] {
    try context.fetch(FetchRequest<Player>(predicate: #Predicate { $0.club == club }))
  }

  /// How many teams announced a player of a club.
  static func announcements(naming club: String, in context: ManagedObjectContext) throws -> Int {
    let request = FetchRequest<Team>(predicate: #Predicate { $0.announcement.contains(club) })
    return try context.count(for: request)
  }

  /// How many teams and players the store has.
  static func counts(in context: ManagedObjectContext) throws -> (teams: Int, players: Int) {
    (
      teams: try context.count(for: FetchRequest<Team>()),
      players: try context.count(for: FetchRequest<Player>())
    )
  }
}

import LodeMacros

/// Brings squads from the data file into a context.
struct LeagueImport {
  let context: ManagedObjectContext

  /// Inserts the squads that the store does not have and saves them in one transaction: all of them come,
  /// or none.
  ///
  /// - Returns: how many teams came, and whether the store had none before.
  func complete(with squads: [Squad]) throws -> (inserted: Int, wasEmpty: Bool) {
    let known = Set(try context.fetch(FetchRequest<Team>()).map(\.code))
    let missing = squads.filter { !known.contains($0.code) }
    for squad in missing { signUp(squad) }
    try context.save()
    return (missing.count, known.isEmpty)
  }

  /// Inserts a team with its players; the caller saves.
  func signUp(_ squad: Squad) {
    let team = Team(context: context)
    team.code = squad.code
    team.name = squad.name
    team.group = squad.group
    team.confederation = squad.confederation
    team.continent = squad.continent
    team.announcement = announcement(of: squad)
    for facts in squad.players {
      let player = Player(context: context)
      player.number = facts.number
      player.position = facts.position
      player.name = facts.name
      player.dateOfBirth = facts.dateOfBirth
      player.club = facts.club
      player.clubCountry = facts.clubCountry
      player.team = team
    }
  }

  /// The squad as a paragraph: some 900 bytes, which the store compresses.
  private func announcement(of squad: Squad) -> String {
    let lines = [
      ("GK", "Goalkeepers"), ("DF", "Defenders"), ("MF", "Midfielders"), ("FW", "Forwards"),
    ]
    return lines.map { position, title in
      let names = squad.players.filter { $0.position == position }.map { "\($0.name) (\($0.club))" }
      return "\(title): \(names.joined(separator: ", "))."
    }.joined(separator: " ")
  }
}

import LodeMacros

/// The changes that the demonstration makes, one save each.
///
/// They can be made again and again: a renaming or a move made by the last run is undone by this one, and
/// the team that is deleted is signed up again.
struct LeagueEdits {
  let context: ManagedObjectContext
  let squads: [Squad]

  /// Gives a team its other name, and returns what was done.
  func renameTeam() throws -> String {
    let team = try team("CIV")
    let oldName = team.name
    team.name = oldName == "Ivory Coast" ? "Côte d’Ivoire" : "Ivory Coast"
    try context.save()
    return "\(oldName) is called \(team.name) now"
  }

  /// Gives a club its other name in all of its players, and returns what was done.
  func renameClub() throws -> String {
    let names = ["PSV Eindhoven", "Philips Sport Vereniging"]
    for (oldName, newName) in zip(names, names.reversed()) {
      let players = try League.players(ofClub: oldName, in: context)
      guard !players.isEmpty else { continue }
      for player in players { player.club = newName }
      try context.save()
      return "the club \(oldName) of \(players.count) players is called \(newName) now"
    }
    throw LeagueError("nobody plays for \(names[0])")
  }

  /// Moves a player to another team, or back, and returns what was done.
  func movePlayer() throws -> String {
    let home = try team("CUW")
    let away = try team("NED")
    let name = squads.first { $0.code == "CUW" }?.players.last?.name ?? ""
    let player = home.players.union(away.players).first { $0.name == name }
    guard let player else { throw LeagueError("neither team has a player \(name)") }
    let target = player.team == home ? away : home
    player.team = target
    try context.save()
    return "\(name) plays for \(target.name) now"
  }

  /// Deletes a team, which takes its players along, and returns what was done.
  func deleteTeam() throws -> String {
    let team = try team(Self.deletedCode)
    let name = team.name
    let count = team.players.count
    context.delete(team)
    try context.save()
    return "\(name) leaves, with \(count) players"
  }

  /// Signs the deleted team up again, and returns what was done.
  func signUpAgain() throws -> String {
    guard let squad = squads.first(where: { $0.code == Self.deletedCode }) else {
      throw LeagueError("the data file has no team \(Self.deletedCode)")
    }
    LeagueImport(context: context).signUp(squad)
    try context.save()
    return "\(squad.name) signs up again"
  }

  private static let deletedCode = "UZB"

  private func team(_ code: String) throws -> Team {
    guard let team = try League.team(code: code, in: context) else {
      throw LeagueError("the store has no team \(code); is it a store of this demonstration?")
    }
    return team
  }
}

/// Why the demonstration can't go on.
struct LeagueError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

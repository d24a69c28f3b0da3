import LodeMacros

/// A team of the workload as an application would declare it.
@Model final class LeagueTeam: ManagedObject {
  var number: Int64 = 0
  var name: String = ""
  var uniformColor: String = ""
  @Relationship(deleteRule: .cascade, inverse: \.team) var players: Set<LeaguePlayer>
}

/// A player of the workload. The team is a relationship, which stands for the index on the team's number;
/// the number itself is kept as well, so that reading every property reads what the peers read.
@Model final class LeaguePlayer: ManagedObject {
  var number: Int64 = 0
  var firstName: String = ""
  @Attribute(.indexed) var lastName: String = ""
  var email: String = ""
  @Attribute(.indexed) var birthDate: Double = 0
  var height: Double = 0
  var position: String = ""
  var biography: String = ""
  var active: Bool = false
  var teamID: Int64 = 0
  @Relationship(deleteRule: .nullify, inverse: \.players) var team: LeagueTeam?
}

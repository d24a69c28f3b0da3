import Foundation
import LodeMacros

/// Lode as its users use it: typed objects in a context, journal on, records compressed, every save durable.
struct LodePeer: Peer {
  private let container: PersistentContainer
  private var context: ManagedObjectContext
  /// IDs by number, in the order of creation; index 0 is number 1.
  private var teamIDs: [ManagedObjectID]
  private var playerIDs: [ManagedObjectID]

  init(folder: String) throws {
    let model = try ManagedObjectModel(LeagueTeam.self, LeaguePlayer.self)
    container = try PersistentContainer(
      model: model, at: URL(filePath: folder, directoryHint: .isDirectory))
    context = container.newBackgroundContext()
    teamIDs = try container.viewContext.fetchObjectIDs(FetchRequest<LeagueTeam>())
    playerIDs = try container.viewContext.fetchObjectIDs(FetchRequest<LeaguePlayer>())
  }

  func close() throws { try container.close() }

  mutating func forget() { context = container.newBackgroundContext() }

  mutating func insert(teams: [Workload.Team]) throws {
    teamIDs += try context.performAndWait {
      let objects = teams.map { facts in
        let team = LeagueTeam(context: context)
        team.number = facts.id
        team.name = facts.name
        team.uniformColor = facts.uniformColor
        return team
      }
      try context.save()
      return objects.map(\.objectID)
    }
  }

  mutating func insert(players: PreparedPlayers) throws {
    try context.performAndWait {
      for facts in players.players { insert(facts) }
      try context.save()
    }
  }

  private func insert(_ facts: Workload.Player) {
    let player = LeaguePlayer(context: context)
    player.number = facts.id
    player.firstName = facts.firstName
    player.lastName = facts.lastName
    player.email = facts.email
    player.birthDate = facts.birthDate
    player.height = facts.height
    player.position = facts.position
    player.biography = facts.biography
    player.active = facts.active
    player.teamID = facts.teamID
    player.team = context.object(with: teamIDs[Int(facts.teamID) - 1]) as? LeagueTeam
  }

  func fetchAll() throws -> Reading {
    try reading(FetchRequest<LeaguePlayer>())
  }

  func get(_ ids: [Int64]) throws -> Reading {
    try context.performAndWait {
      var reading = Reading()
      for id in ids { reading.add(try player(id)) }
      return reading
    }
  }

  func find(lastNames: [String]) throws -> Reading {
    var total = Reading()
    for name in lastNames {
      total.add(try reading(request(compare("lastName", .equal, .string(name)))))
    }
    return total
  }

  func loadTeams(_ ids: [Int64]) throws -> Reading {
    context.performAndWait {
      var reading = Reading()
      for id in ids {
        guard let team = context.object(with: teamIDs[Int(id) - 1]) as? LeagueTeam else { continue }
        for player in team.players { reading.add(player) }
      }
      return reading
    }
  }

  func scan(word: String, height: Double) throws -> Reading {
    try reading(
      request(
        .and([
          compare("height", .greater, .double(height)),
          compare("biography", .contains, .string(word)),
        ])))
  }

  func sortedPage(offset: Int, limit: Int) throws -> Reading {
    let request = FetchRequest<LeaguePlayer>(sortTerms: [SortTerm("lastName")])
    request.fetchOffset = offset
    request.fetchLimit = limit
    return try reading(request)
  }

  func countBorn(in range: ClosedRange<Double>) throws -> Int {
    try count(
      .and([
        compare("birthDate", .greaterOrEqual, .double(range.lowerBound)),
        compare("birthDate", .lessOrEqual, .double(range.upperBound)),
      ]))
  }

  func countActive(position: String) throws -> Int {
    try count(
      .and([
        compare("position", .equal, .string(position)), compare("active", .equal, .boolean(true)),
      ]))
  }

  func setHeight(_ height: Double, of ids: [Int64]) throws {
    try context.performAndWait {
      for id in ids { try player(id).height = height }
      try context.save()
    }
  }

  func delete(_ ids: [Int64]) throws {
    try context.performAndWait {
      for id in ids { context.delete(try player(id)) }
      try context.save()
    }
  }

  private func player(_ id: Int64) throws -> LeaguePlayer {
    let object = try context.existingObject(with: playerIDs[Int(id) - 1])
    guard let player = object as? LeaguePlayer else {
      throw PeerError(description: "\(object) is no player")
    }
    return player
  }

  private func request(_ predicate: ObjectPredicate) -> FetchRequest<LeaguePlayer> {
    FetchRequest<LeaguePlayer>(predicate: predicate)
  }

  private func compare(
    _ property: String, _ operation: ObjectComparison.Operator, _ value: Value
  ) -> ObjectPredicate {
    .comparison(
      ObjectComparison(.keyPath(ObjectKeyPath(property)), operation, .constant(value)))
  }

  private func reading(_ request: FetchRequest<LeaguePlayer>) throws -> Reading {
    try context.performAndWait {
      var reading = Reading()
      for player in try context.fetch(request) { reading.add(player) }
      return reading
    }
  }

  private func count(_ predicate: ObjectPredicate) throws -> Int {
    try context.performAndWait { try context.count(for: request(predicate)) }
  }
}

extension Reading {
  fileprivate mutating func add(_ player: LeaguePlayer) {
    add(integer: player.number)
    add(text: player.firstName)
    add(text: player.lastName)
    add(text: player.email)
    add(text: player.position)
    add(text: player.biography)
    add(birthDate: player.birthDate)
    add(height: player.height)
    add(active: player.active)
    add(integer: player.teamID)
    rowCount += 1
  }

  fileprivate mutating func add(_ other: Reading) {
    sum &+= other.sum
    rowCount += other.rowCount
  }
}

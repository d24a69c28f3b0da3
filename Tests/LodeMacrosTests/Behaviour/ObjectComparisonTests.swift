import Foundation
import LodeMacros
import Testing

/// Swift predicates that compare with objects and with their IDs, run by a store.
struct ObjectComparisonTests {
  private let container: PersistentContainer
  private let crew: Team
  private let stars: Team
  private let jordan: Player
  private let alone: Player

  init() throws {
    container = try PersistentContainer(model: try ManagedObjectModel(Team.self, Player.self))
    let context = container.viewContext
    crew = Team(context: context)
    crew.name = "Crew"
    stars = Team(context: context)
    stars.name = "Stars"
    jordan = Player(context: context)
    jordan.lastName = "Jordan"
    jordan.team = crew
    alone = Player(context: context)
    alone.lastName = "Alone"
    let green = Player(context: context)
    green.lastName = "Green"
    green.team = stars
  }

  /// Returns the names of those that a predicate finds, unsaved and then saved.
  private func players(_ predicate: Predicate<Player>) throws -> [String] {
    try found(predicate, by: \.lastName)
  }

  private func teams(_ predicate: Predicate<Team>) throws -> [String] {
    try found(predicate, by: \.name)
  }

  private func found<Object: ManagedObject>(
    _ predicate: Predicate<Object>, by name: (Object) -> String
  ) throws -> [String] {
    let request = FetchRequest(predicate: predicate)
    let pending = try container.viewContext.fetch(request).map(name).sorted()
    try container.viewContext.save()
    #expect(try container.viewContext.fetch(request).map(name).sorted() == pending)
    return pending
  }

  @Test func `a relationship is compared with an object`() throws {
    let (crew, none): (Team, Team?) = (crew, nil)
    #expect(try players(#Predicate { $0.team == crew }) == ["Jordan"])
    #expect(try players(#Predicate { crew == $0.team }) == ["Jordan"])
    #expect(try players(#Predicate { $0.team != crew }) == ["Alone", "Green"])
    #expect(try players(#Predicate { $0.team == none }) == ["Alone"])
  }

  @Test func `a relationship is compared with an object that may be missing`() throws {
    let some: Team? = stars
    #expect(try players(#Predicate { $0.team == some }) == ["Green"])
    #expect(try players(#Predicate { $0.team != some }) == ["Alone", "Jordan"])
  }

  @Test func `the object itself is compared`() throws {
    let jordan = jordan
    #expect(try players(#Predicate { $0 == jordan }) == ["Jordan"])
    #expect(try players(#Predicate { $0 != jordan }) == ["Alone", "Green"])
  }

  @Test func `identities are compared`() throws {
    let (id, teamID): (ManagedObjectID, ManagedObjectID?) = (jordan.objectID, crew.objectID)
    #expect(try players(#Predicate { $0.objectID == id }) == ["Jordan"])
    #expect(try players(#Predicate { $0.id == id }) == ["Jordan"])
    #expect(try players(#Predicate { $0.team?.objectID == teamID }) == ["Jordan"])
    #expect(try players(#Predicate { $0.team?.id != teamID }) == ["Alone", "Green"])
    #expect(try players(#Predicate { $0.team?.objectID == nil }) == ["Alone"])
  }

  @Test func `a collection is asked for an object`() throws {
    let (jordan, id) = (jordan, jordan.objectID)
    #expect(try teams(#Predicate { $0.players.contains(jordan) }) == ["Crew"])
    #expect(try teams(#Predicate { !$0.players.contains(jordan) }) == ["Stars"])
    #expect(try teams(#Predicate { $0.players.contains { $0 == jordan } }) == ["Crew"])
    #expect(try teams(#Predicate { $0.players.contains { $0.objectID == id } }) == ["Crew"])
  }

  @Test func `objects and identities are looked for in lists`() throws {
    let ids = [jordan.objectID, alone.objectID]
    let idSet = Set(ids)
    let (jordans, crews, crewSet, maybe) = ([jordan], [crew], Set([crew]), [crew, nil])
    #expect(try players(#Predicate { ids.contains($0.objectID) }) == ["Alone", "Jordan"])
    #expect(try players(#Predicate { idSet.contains($0.objectID) }) == ["Alone", "Jordan"])
    #expect(try players(#Predicate { jordans.contains($0) }) == ["Jordan"])
    #expect(try players(#Predicate { maybe.contains($0.team) }) == ["Alone", "Jordan"])
    #expect(
      try players(#Predicate { if let team = $0.team { crews.contains(team) } else { false } })
        == ["Jordan"])
    #expect(
      try players(#Predicate { if let team = $0.team { crewSet.contains(team) } else { false } })
        == ["Jordan"])
    #expect(
      try players(#Predicate { $0.team.flatMap { crews.contains($0) } ?? false }) == ["Jordan"])
  }

  @Test func `conditions bind to one member in a store`() throws {
    jordan.firstName = "Jo"
    let jordan = jordan
    #expect(
      try teams(
        #Predicate { $0.players.contains { $0.firstName == "Jo" && $0.lastName == "Jordan" } })
        == ["Crew"])
    #expect(
      try teams(
        #Predicate { $0.players.contains { $0.firstName == "Jo" && $0.lastName == "Green" } })
        == [])
    #expect(
      try teams(#Predicate { $0.players.filter { $0 != jordan }.count == 0 }) == ["Crew"])
    #expect(try players(#Predicate { $0.lastName.count + 1 == 6 }) == ["Alone", "Green"])
  }

  @Test func `an identity is coded as its text`() throws {
    let data = try JSONEncoder().encode([jordan.objectID])
    #expect(try JSONDecoder().decode([ManagedObjectID].self, from: data) == [jordan.objectID])
    let foreign = Data(#"["x-lode://\#(UUID().uuidString)/Player/1"]"#.utf8)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ManagedObjectID].self, from: foreign)
    }
  }
}

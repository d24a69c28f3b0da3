import LodeRandom
import LodeModel
import Testing

@testable import LodeStore

/// Random saves against a plain model of what a store should then hold.
@Suite struct RandomChangeTests {
  /// What the league should look like.
  private struct Expected {
    var names: [ManagedObjectID: String] = [:]
    var teams: [ManagedObjectID: ManagedObjectID] = [:]
    var friends: Set<Set<ManagedObjectID>> = []
    var tagged: [ManagedObjectID: [ManagedObjectID]] = [:]
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `rows and links are what saves have made of them, also after reopening`(
    kind: EngineStoreKind
  ) throws {
    try withSeed { random in
      try kind.withHome { home in
        var store = try home.open(League.model)
        let teams = try (0..<3).map { _ in try store.add("Team") }
        let tags = try (0..<2).map { _ in try store.add("Tag") }
        var expected = Expected()
        for round in 0..<60 {
          try Self.save(store, teams, tags, &expected, &random)
          if round % 20 == 19 {
            try home.leave(store)
            store = try home.open(League.model)
          }
          try Self.check(store, teams, tags, expected)
        }
        try home.leave(store)
      }
    }
  }

  private static func save(
    _ store: EngineStore, _ teams: [ManagedObjectID], _ tags: [ManagedObjectID],
    _ expected: inout Expected, _ random: inout SeededGenerator
  ) throws {
    var changes = ChangeSet()
    for _ in 0..<random.pick([0, 1, 3]) {
      let name = "n\(random.pick([1, 2, 3]))"
      let team = random.pick(teams)
      let insert = try store.insert(
        random.pick(["Player", "Goalkeeper"]), ["name": .string(name), "team": .objectID(team)])
      changes.inserts.append(insert)
      expected.names[insert.objectID] = name
      expected.teams[insert.objectID] = team
    }
    let old = expected.names.keys.sorted().filter { objectID in
      !changes.inserts.contains { $0.objectID == objectID }
    }
    try change(store, old, teams, &changes, &expected, &random)
    link(store, &changes, &expected, &random)
    order(store, tags, &changes, &expected, &random)
    _ = try store.commit(changes)
  }

  private static func change(
    _ store: EngineStore, _ old: [ManagedObjectID], _ teams: [ManagedObjectID],
    _ changes: inout ChangeSet, _ expected: inout Expected, _ random: inout SeededGenerator
  ) throws {
    for objectID in old {
      if random.chance(6) {
        // What a graph does with a deleted object: its links go with it, in both directions.
        let friends = expected.friends.filter { $0.contains(objectID) }
        changes.links.append(
          .init(
            owner: objectID, slot: store.property("Player", "friends").slot, added: [],
            removed: friends.map { $0.first { $0 != objectID } ?? objectID }))
        expected.friends.subtract(friends)
        expected.names[objectID] = nil
        expected.teams[objectID] = nil
        for tag in expected.tagged.keys { expected.tagged[tag]?.removeAll { $0 == objectID } }
        changes.deletes.append(
          .init(objectID: objectID, baseVersion: try store.row(objectID)?.version ?? 0))
      } else if random.chance(15) {
        let team = random.chance(20) ? nil : random.pick(teams)
        expected.teams[objectID] = team
        changes.updates.append(
          try store.update(objectID, ["team": team.map { .objectID($0) } ?? .null]))
      }
    }
  }

  private static func link(
    _ store: EngineStore, _ changes: inout ChangeSet, _ expected: inout Expected,
    _ random: inout SeededGenerator
  ) {
    let players = expected.names.keys.sorted()
    guard players.count > 2 else { return }
    let slot = store.property("Player", "friends").slot
    for _ in 0..<random.pick([0, 1, 2]) {
      let pair = [random.pick(players), random.pick(players)]
      let isAdded = random.chance(60)
      if isAdded {
        expected.friends.insert(Set(pair))
      } else {
        expected.friends.remove(Set(pair))
      }
      changes.links.removeAll { link in
        link.owner == pair[0] && (link.added + link.removed).contains(pair[1])
          || link.owner == pair[1] && (link.added + link.removed).contains(pair[0])
      }
      changes.links.append(
        .init(
          owner: pair[0], slot: slot, added: isAdded ? [pair[1]] : [],
          removed: isAdded ? [] : [pair[1]]))
    }
  }

  private static func order(
    _ store: EngineStore, _ tags: [ManagedObjectID], _ changes: inout ChangeSet,
    _ expected: inout Expected, _ random: inout SeededGenerator
  ) {
    for tag in tags {
      var members = expected.tagged[tag] ?? []
      if random.chance(50) {
        members.shuffle(using: &random)
        members.removeAll { _ in random.chance(10) }
        let others = expected.names.keys.sorted().filter { !members.contains($0) }
        members += others.filter { _ in random.chance(20) }
      }
      expected.tagged[tag] = members
      changes.orderedLinks.append(
        .init(owner: tag, slot: store.property("Tag", "players").slot, members: members))
    }
  }

  private static func check(
    _ store: EngineStore, _ teams: [ManagedObjectID], _ tags: [ManagedObjectID],
    _ expected: Expected
  ) throws {
    let players = expected.names.keys.sorted()
    #expect(try store.objectIDs(try store.query("Player")) == players)
    #expect(try store.statistics().rowCounts.values.reduce(0, +) == players.count + 5)
    for player in players {
      #expect(try store.value(player, "name") == expected.names[player].map { .string($0) })
      let friends = expected.friends.filter { $0.contains(player) }
        .map { $0.first { $0 != player } ?? player }.sorted()
      #expect(try store.members(player, "friends") == friends)
      let ownTags = tags.filter { expected.tagged[$0]?.contains(player) == true }
      #expect(try store.members(player, "tags") == ownTags)
    }
    for team in teams {
      let members = players.filter { expected.teams[$0] == team }
      #expect(try store.members(team, "players") == members)
    }
    for tag in tags { #expect(try store.members(tag, "players") == expected.tagged[tag] ?? []) }
  }
}

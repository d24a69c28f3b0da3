import LodeModel
import Testing

@testable import LodeStore

@Suite struct LinkTests {
  @Test(arguments: EngineStoreKind.allCases)
  func `members of a one-to-many follow from the to-one`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let red = try store.add("Team")
      let blue = try store.add("Team")
      let first = try store.add("Player", ["team": .objectID(red)])
      let second = try store.add("Goalkeeper", ["team": .objectID(red)])
      #expect(try store.members(red, "players") == [first, second])
      var changes = ChangeSet()
      changes.updates = [try store.update(first, ["team": .objectID(blue)])]
      changes.deletes = [.init(objectID: second, baseVersion: 1)]
      _ = try store.commit(changes)
      #expect(try store.members(red, "players") == [])
      #expect(try store.members(blue, "players") == [first])
      changes = ChangeSet()
      changes.updates = [try store.update(first, ["team": .null])]
      _ = try store.commit(changes)
      #expect(try store.members(blue, "players") == [])
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a pair of a many-to-many is in both directions`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let ada = try store.add("Player")
      let bo = try store.add("Player")
      let cy = try store.add("Player")
      let friends = store.property("Player", "friends").slot
      var changes = ChangeSet()
      changes.links = [.init(owner: ada, slot: friends, added: [bo, cy], removed: [])]
      _ = try store.commit(changes)
      #expect(try store.members(ada, "friends") == [bo, cy])
      #expect(try store.members(bo, "friends") == [ada])
      changes.links = [
        .init(owner: bo, slot: friends, added: [], removed: [ada]),
        .init(owner: ada, slot: friends, added: [], removed: [bo]),
      ]
      _ = try store.commit(changes)
      #expect(try store.members(ada, "friends") == [cy])
      #expect(try store.members(bo, "friends") == [])
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a relationship of an object with itself holds it once`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let ada = try store.add("Player")
      var changes = ChangeSet()
      changes.links = [
        .init(
          owner: ada, slot: store.property("Player", "friends").slot, added: [ada], removed: [])
      ]
      _ = try store.commit(changes)
      #expect(try store.members(ada, "friends") == [ada])
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `an ordered relationship keeps its order through every move`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let team = try store.add("Team")
      let players = try (0..<5).map { _ in try store.add("Player") }
      let orders = [
        [0, 1, 2, 3], [3, 0], [0, 1, 2, 3, 4], [4, 3, 2, 1, 0], [2], [], [1, 0], [1, 4, 0],
        [3, 1, 2, 4, 0],
      ]
      for order in orders {
        var changes = ChangeSet()
        changes.orderedLinks = [
          .init(
            owner: team, slot: store.property("Team", "lineUp").slot,
            members: order.map { players[$0] })
        ]
        _ = try store.commit(changes)
        #expect(try store.members(team, "lineUp") == order.map { players[$0] })
      }
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `the unordered inverse of an ordered relationship stays in step`(kind: EngineStoreKind)
    throws
  {
    try kind.withStore(League.model) { store in
      let tag = try store.add("Tag")
      let players = try (0..<3).map { _ in try store.add("Player") }
      let slot = store.property("Tag", "players").slot
      var changes = ChangeSet()
      changes.orderedLinks = [.init(owner: tag, slot: slot, members: [players[2], players[0]])]
      _ = try store.commit(changes)
      #expect(try players.map { try store.members($0, "tags") } == [[tag], [], [tag]])
      changes.orderedLinks = [.init(owner: tag, slot: slot, members: [players[1], players[2]])]
      _ = try store.commit(changes)
      #expect(try players.map { try store.members($0, "tags") } == [[], [tag], [tag]])
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a pair listed from the unordered side goes to the end of the order`(
    kind: EngineStoreKind
  ) throws {
    try kind.withStore(League.model) { store in
      let tag = try store.add("Tag")
      let players = try (0..<3).map { _ in try store.add("Player") }
      let slot = store.property("Player", "tags").slot
      var changes = ChangeSet()
      changes.links = [2, 0].map {
        .init(owner: players[$0], slot: slot, added: [tag], removed: [])
      }
      _ = try store.commit(changes)
      #expect(try store.members(tag, "players") == [players[2], players[0]])
      changes.links = [
        .init(owner: players[2], slot: slot, added: [], removed: [tag]),
        .init(owner: players[1], slot: slot, added: [tag], removed: []),
      ]
      _ = try store.commit(changes)
      #expect(try store.members(tag, "players") == [players[0], players[1]])
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `members whose rows are gone are left out`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let team = try store.add("Team")
      let players = try (0..<3).map { _ in try store.add("Player") }
      var changes = ChangeSet()
      changes.orderedLinks = [
        .init(owner: team, slot: store.property("Team", "lineUp").slot, members: players)
      ]
      _ = try store.commit(changes)
      changes = ChangeSet()
      changes.deletes = [.init(objectID: players[1], baseVersion: 1)]
      _ = try store.commit(changes)
      #expect(try store.members(team, "lineUp") == [players[0], players[2]])
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a deleted row takes its own links along`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let ada = try store.add("Player")
      let bo = try store.add("Player")
      var changes = ChangeSet()
      let friends = store.property("Player", "friends").slot
      changes.links = [.init(owner: ada, slot: friends, added: [bo], removed: [])]
      _ = try store.commit(changes)
      changes.links = [.init(owner: bo, slot: friends, added: [], removed: [ada])]
      changes.deletes = [.init(objectID: ada, baseVersion: 1)]
      _ = try store.commit(changes)
      #expect(try store.members(bo, "friends") == [])
      #expect(try store.members(ada, "friends") == [])
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `links that make no sense are refused`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let team = try store.add("Team")
      let player = try store.add("Player")
      func slot(_ entity: String, _ name: String) -> Int { store.property(entity, name).slot }
      let links: [ChangeSet.Link] = [
        .init(owner: team, slot: slot("Team", "players"), added: [player], removed: []),
        .init(owner: team, slot: slot("Team", "lineUp"), added: [player], removed: []),
        .init(owner: player, slot: slot("Player", "friends"), added: [team], removed: []),
        .init(owner: player, slot: slot("Player", "name"), added: [], removed: []),
        .init(owner: player, slot: 99, added: [], removed: []),
      ]
      for link in links {
        var changes = ChangeSet()
        changes.links = [link]
        let error = #expect(throws: StoreError.self) { try store.commit(changes) }
        #expect(error?.code == .invalidValue)
      }
      var changes = ChangeSet()
      changes.orderedLinks = [
        .init(owner: team, slot: slot("Team", "lineUp"), members: [player, player])
      ]
      #expect(throws: StoreError.self) { try store.commit(changes) }
    }
  }
}

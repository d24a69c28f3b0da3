import LodeRandom
import LodeModel
import Testing

@testable import LodeStore

@Suite struct CommitTests {
  @Test(arguments: EngineStoreKind.allCases)
  func `a saved row reads back with version one`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let player = try store.add("Player", ["name": .string("Ada"), "age": .integer(30)])
      let row = try #require(try store.row(player))
      #expect(row.version == 1)
      #expect(try store.value(player, "name") == .string("Ada"))
      #expect(try store.value(player, "age") == .integer(30))
      #expect(try store.value(player, "height") == .null)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a receipt has the rows as they are now`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let old = try store.add("Player", ["name": .string("Ada")])
      var changes = ChangeSet()
      changes.inserts = [try store.insert("Player", ["name": .string("Bo")])]
      changes.updates = [try store.update(old, ["name": .string("Ada L.")])]
      let receipt = try store.commit(changes)
      let name = store.property("Player", "name").slot
      #expect(receipt.rows.map(\.version) == [1, 2])
      #expect(
        try receipt.rows.map { try $0.value(at: name) } == [.string("Bo"), .string("Ada L.")])
      #expect(receipt.sequence == (try store.statistics()).lastSequence)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `an update keeps the values it does not name`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let long = String(repeating: "long text ", count: 40)
      let player = try store.add(
        "Player",
        ["name": .string("Ada"), "biography": .string(long), "age": .integer(1)])
      var changes = ChangeSet()
      changes.updates = [try store.update(player, ["age": .integer(2), "name": .null])]
      _ = try store.commit(changes)
      changes.updates = [try store.update(player, ["age": .null, "isActive": .boolean(true)])]
      _ = try store.commit(changes)
      #expect(try store.row(player)?.version == 3)
      #expect(try store.value(player, "biography") == .string(long))
      #expect(try store.value(player, "name") == .null)
      #expect(try store.value(player, "age") == .null)
      #expect(try store.value(player, "isActive") == .boolean(true))
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a deleted row is gone and its number does not come back`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let player = try store.add("Player")
      var changes = ChangeSet()
      changes.deletes = [.init(objectID: player, baseVersion: 1)]
      _ = try store.commit(changes)
      #expect(try store.row(player) == nil)
      #expect(try store.add("Player").number > player.number)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a conflict lists every row that changed and changes nothing`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let players = try (0..<4).map { _ in try store.add("Player") }
      var first = ChangeSet()
      first.updates = [try store.update(players[0], ["age": .integer(1)])]
      first.deletes = [.init(objectID: players[1], baseVersion: 1)]
      _ = try store.commit(first)
      var second = ChangeSet()
      second.updates = [0, 1, 2].map { index in
        .init(
          objectID: players[index], baseVersion: 1,
          values: [(store.property("Player", "age").slot, .integer(2))])
      }
      second.deletes = [.init(objectID: players[3], baseVersion: 7)]
      second.inserts = [try store.insert("Player")]
      let error = #expect(throws: StoreError.self) { try store.commit(second) }
      #expect(error?.code == .conflict)
      #expect(error?.objectIDs == [players[0], players[1], players[3]])
      #expect(try store.value(players[0], "age") == .integer(1))
      #expect(try store.value(players[2], "age") == .null)
      #expect(try store.count(try store.query("Player")) == 3)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `an empty change set writes nothing`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      try store.add("Team")
      let before = try store.statistics()
      let receipt = try store.commit(ChangeSet())
      #expect(receipt.rows.isEmpty)
      #expect(receipt.sequence == before.lastSequence)
      #expect(try store.statistics() == before)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `values that do not fit are refused`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let team = try store.add("Team")
      let player = try store.add("Player")
      let bad: [(String, [String: Value])] = [
        ("Player", ["age": .integer(40_000)]), ("Player", ["age": .string("x")]),
        ("Player", ["friends": .list([])]), ("Player", ["nickname": .string("x")]),
        ("Player", ["team": .objectID(player)]), ("Player", ["team": .integer(1)]), ("Base", [:]),
        ("Team", ["name": .list([])]), ("Team", ["name": .objectID(team)]),
      ]
      for (entity, values) in bad {
        var changes = ChangeSet()
        changes.inserts = [try store.insert(entity, values)]
        let error = #expect(throws: StoreError.self) { try store.commit(changes) }
        #expect(error?.code == .invalidValue, "\(entity) \(values.keys)")
        #expect(error?.objectIDs == [changes.inserts[0].objectID])
      }
      #expect(try store.statistics().rowCounts == ["Team": 1, "Player": 1])
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `objects that the store cannot know are refused`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let player = try store.add("Player")
      let other = try EngineStore.inMemory(model: League.model)
      let foreign = try other.add("Team")
      let unreserved = ManagedObjectID(
        store: store.identifier, entityName: player.entityName, number: 1 << 40)
      let empty = store.entity("Player").properties.map { _ in Value.null }
      var sets = [ChangeSet](repeating: ChangeSet(), count: 5)
      sets[0].inserts = [.init(objectID: foreign, values: [.null, .null, .null, .null])]
      sets[1].inserts = [.init(objectID: unreserved, values: empty)]
      sets[2].inserts = [.init(objectID: unreserved, values: [])]
      sets[3].updates = [try store.update(player, ["team": .objectID(foreign)])]
      sets[4].updates = [try store.update(player, [:]), try store.update(player, [:])]
      for changes in sets {
        let error = #expect(throws: StoreError.self) { try store.commit(changes) }
        #expect(error?.code == .invalidValue)
      }
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `counters follow inserts, updates and deletes`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let ids = try (0..<3).map { _ in try store.add("Goalkeeper", ["name": .string("Lev")]) }
      try store.add("Player")
      var changes = ChangeSet()
      changes.deletes = [.init(objectID: ids[0], baseVersion: 1)]
      changes.updates = [try store.update(ids[1], ["name": .string("Yashin")])]
      _ = try store.commit(changes)
      let statistics = try store.statistics()
      #expect(statistics.rowCounts == ["Goalkeeper": 2, "Player": 1])
      let byteCount = try store.rows(try store.query("Player")).reduce(0) { sum, row in
        sum + row.record.withView { $0.bytes.count }
      }
      #expect(statistics.storedByteCount == UInt64(byteCount))
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `numbers are given out once, in blocks of any size`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      var seen: Set<UInt64> = []
      for count in [1, 0, 5_000, 1, 70_000, 3] {
        let numbers = try store.reserveObjectNumbers(count: count)
        #expect(numbers.count == count)
        #expect(seen.isDisjoint(with: numbers))
        seen.formUnion(numbers)
      }
      #expect(!seen.contains(0))
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a value of several megabytes is kept whole, also when the row changes`(
    kind: EngineStoreKind
  ) throws {
    try withSeed { random in
      try kind.withStore(League.model) { store in
        let noise = (0..<1_500_000).map { _ in
          Unicode.Scalar(UInt8.random(in: 32...126, using: &random))
        }
        let text = String(String.UnicodeScalarView(noise)) + "\u{1F44B}"
        for biography in [text, String(repeating: "long ", count: 1_200_000)] {
          let player = try store.add("Player", ["biography": .string(biography)])
          var changes = ChangeSet()
          changes.updates = [try store.update(player, ["name": .string("Ada")])]
          _ = try store.commit(changes)
          #expect(try store.value(player, "biography") == .string(biography))
        }
      }
    }
  }
}

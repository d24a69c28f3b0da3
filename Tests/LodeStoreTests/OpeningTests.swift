import Foundation
import LodeKV
import LodeModel
import Testing

@testable import LodeStore

@Suite struct OpeningTests {
  private static func league(_ change: (inout [EntityDescription]) -> Void) throws
    -> ManagedObjectModel
  {
    var entities = League.entities
    change(&entities)
    return try ManagedObjectModel(entities: entities)
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a reopened store has its identity, its rows and its links`(kind: EngineStoreKind) throws {
    try kind.withHome { home in
      let store = try home.open(League.model)
      let team = try store.add("Team", ["name": .string("Red")])
      let player = try store.add("Player", ["team": .objectID(team)])
      try home.leave(store)
      let again = try home.open(League.model)
      #expect(again.identifier == store.identifier)
      #expect(try again.value(team, "name") == .string("Red"))
      #expect(try again.members(team, "players") == [player])
      #expect(try again.add("Player").number > player.number)
      try home.leave(again)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `opening with the same model writes nothing`(kind: EngineStoreKind) throws {
    try kind.withHome { home in
      try home.leave(try home.open(League.model))
      let before = try home.pairs(in: 1)
      let store = try home.open(League.model)
      let sequence = try store.statistics().lastSequence
      try home.leave(store)
      #expect(sequence == 1)
      #expect(try home.pairs(in: 1) == before)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `another model is refused with every difference named`(kind: EngineStoreKind) throws {
    try kind.withHome { home in
      let store = try home.open(League.model)
      let team = try store.add("Team", ["name": .string("Red")])
      try home.leave(store)
      let before = try home.pairs(in: 1)
      let other = try Self.league { entities in
        entities.removeAll { $0.name == "ChildTwo" }
        entities.append(EntityDescription("Coach"))
        let index = entities.firstIndex { $0.name == "Team" } ?? 0
        entities[index].attributes.append(AttributeDescription("city", .string))
      }
      let error = #expect(throws: StoreError.self) { try home.open(other) }
      #expect(error?.code == .incompatibleModel)
      for part in ["“ChildTwo” is only in the store", "“Coach” is only in", "“Team” differs"] {
        #expect(error?.message.contains(part) == true)
      }
      #expect(try home.pairs(in: 1) == before)
      let again = try home.open(League.model)
      #expect(try again.value(team, "name") == .string("Red"))
      try home.leave(again)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `indexes that a model gains are built and those it loses are dropped`(
    kind: EngineStoreKind
  ) throws {
    try kind.withHome { home in
      let indexed = try Self.league { entities in
        let index = entities.firstIndex { $0.name == "Player" } ?? 0
        entities[index].indexes = [FetchIndexDescription(on: "name")]
        entities[index].uniquenessConstraints = [["age"]]
      }
      let first = try home.open(League.model)
      let ids = try (0..<20).map { index in
        try first.add(
          index % 2 == 0 ? "Player" : "Goalkeeper",
          ["name": .string("n\(index % 3)"), "age": .integer(Int64(index))])
      }
      try home.leave(first)
      let second = try home.open(indexed)
      let query = try second.query("Player", compare("name", .equal, .string("n1")))
      #expect(try second.explain(query) == "index Player.name: name ==")
      let expected = ids.enumerated().filter { $0.offset % 3 == 1 }.map(\.element)
      #expect(try second.objectIDs(query) == expected)
      let trees = second.schema.entities.flatMap(\.indexes).map(\.tree.number)
      try home.leave(second)
      let third = try home.open(League.model)
      #expect(try third.objectIDs(query) == expected)
      #expect(try third.explain(query).hasPrefix("scan"))
      try home.leave(third)
      for tree in Set(trees) { #expect(try home.pairs(in: tree).isEmpty) }
      // Dropped numbers don't come back: the trees are new ones.
      let fourth = try home.open(indexed)
      let newTrees = fourth.schema.entities.flatMap(\.indexes).map(\.tree.number)
      #expect(Set(newTrees).isDisjoint(with: trees))
      #expect(try fourth.objectIDs(query) == expected)
      try home.leave(fourth)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a constraint that stored rows break is refused and changes nothing`(
    kind: EngineStoreKind
  ) throws {
    try kind.withHome { home in
      let store = try home.open(League.model)
      let ids = try ["a", "b", "a"].map { try store.add("Player", ["name": .string($0)]) }
      try home.leave(store)
      let before = try home.pairs(in: 1)
      let unique = try Self.league { entities in
        let index = entities.firstIndex { $0.name == "Player" } ?? 0
        entities[index].uniquenessConstraints = [["name"]]
      }
      let error = #expect(throws: StoreError.self) { try home.open(unique) }
      #expect(error?.code == .constraint)
      #expect(error?.constraintViolations.first?.objectID == ids[2])
      #expect(error?.constraintViolations.first?.conflictingID == ids[0])
      #expect(try home.pairs(in: 1) == before)
      try home.leave(try home.open(League.model))
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `what is not part of the hash is kept up to date in the catalogue`(kind: EngineStoreKind)
    throws
  {
    try kind.withHome { home in
      try home.leave(try home.open(League.model))
      let changed = try Self.league { entities in
        let index = entities.firstIndex { $0.name == "Team" } ?? 0
        entities[index].userInfo = ["note": "new"]
        entities[index].attributes[0].defaultValue = .string("none")
      }
      try home.leave(try home.open(changed))
      let entry = try home.pairs(in: 1).values
        .compactMap { try? JSONDecoder().decode(EntityEntry.self, from: Data($0.dropLast(4))) }
        .first { $0.description.name == "Team" }
      let description = try #require(entry.flatMap { EntityDescription($0.description) })
      #expect(description == changed.entitiesByName["Team"]?.description)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a catalogue that makes no sense is refused`(kind: EngineStoreKind) throws {
    let damages: [(StoreError.Code, String, (inout WriteList, [[UInt8]: [UInt8]]) -> Void)] = [
      (.notAStore, "no store entry", { list, _ in list.delete("s") }),
      (.corrupt, "no JSON", { list, _ in list.put("s", "{") }),
      (
        .newerFormat, "newer",
        { list, pairs in
          list.put(
            "s",
            String(decoding: pairs[Array("s".utf8)] ?? [], as: UTF8.self)
              .replacingOccurrences(of: "\"format\":2", with: "\"format\":9"))
        }
      ),
      (
        .olderFormat, "older",
        { list, pairs in
          list.put(
            "s",
            String(decoding: pairs[Array("s".utf8)]?.dropLast(4) ?? [], as: UTF8.self)
              .replacingOccurrences(of: "\"format\":2", with: "\"format\":1"))
        }
      ),
      (
        .corrupt, "a flipped digit",
        { list, pairs in
          var value = pairs[Array("s".utf8)] ?? []
          for index in value.indices where value[index] == UInt8(ascii: "2") {
            value[index] ^= 2
            break
          }
          Array("s".utf8).withUnsafeBytes { key in
            value.withUnsafeBytes { list.put(key, $0, in: TreeID(1)) }
          }
        }
      ),
      (.corrupt, "entity", { list, _ in list.put("e\0\u{1}", "[]") }),
      (
        .corrupt, "two entities of one number",
        { list, pairs in
          list.put("e\0\u{1}", String(decoding: pairs[Array("e\0\u{2}".utf8)] ?? [], as: UTF8.self))
        }
      ),
      (
        .corrupt, "no tree",
        { list, _ in for n in 2..<9 { list.delete("t\0\0\0\(Character(Unicode.Scalar(n) ?? "x"))") }
        }
      ),
    ]
    for (code, name, damage) in damages {
      try kind.withHome { home in
        try home.leave(try home.open(League.model))
        let pairs = try home.pairs(in: 1)
        try home.write { damage(&$0, pairs) }
        let before = try home.pairs(in: 1)
        let error = #expect(throws: StoreError.self, "\(name)") { try home.open(League.model) }
        #expect(error?.code == code, "\(name): \(error?.message ?? "")")
        #expect(try home.pairs(in: 1) == before)
      }
    }
  }

  @Test func `places that are no store are refused`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("lode-places-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let file = folder.appendingPathComponent("file")
    try Data("text".utf8).write(to: file)
    #expect(throws: StoreError.self) { try EngineStore.lmdb(at: file, model: League.model) }
    let text = folder.appendingPathComponent("text")
    try FileManager.default.createDirectory(at: text, withIntermediateDirectories: true)
    try Data(repeating: 65, count: 9_000).write(to: text.appendingPathComponent("data.mdb"))
    let error = #expect(throws: StoreError.self) {
      try EngineStore.lmdb(at: text, model: League.model)
    }
    #expect(error?.code == .notAStore)
    #expect(error?.path?.isEmpty == false)
    let remote = try #require(URL(string: "x://host/store"))
    #expect(throws: StoreError.self) { try EngineStore.lmdb(at: remote, model: League.model) }
    #expect(try Data(contentsOf: file) == Data("text".utf8))
  }

  @Test func `a folder has one store open at a time and a closed one says so`() throws {
    try EngineStoreKind.lmdb.withHome { home in
      let store = try home.open(League.model)
      let error = #expect(throws: StoreError.self) { try home.open(League.model) }
      #expect(error?.code == .locked)
      try store.close()
      try store.close()
      let closed = #expect(throws: StoreError.self) { try store.count(try store.query("Team")) }
      #expect(closed?.code == .closed)
      #expect(throws: StoreError.self) { try store.reserveObjectNumbers(count: 10_000) }
    }
  }
}

extension WriteList {
  fileprivate mutating func put(_ key: String, _ value: String) {
    Array(key.utf8).withUnsafeBytes { key in
      Array(value.utf8).withUnsafeBytes { put(key, $0, in: TreeID(1)) }
    }
  }

  fileprivate mutating func delete(_ key: String) {
    Array(key.utf8).withUnsafeBytes { delete($0, in: TreeID(1)) }
  }
}

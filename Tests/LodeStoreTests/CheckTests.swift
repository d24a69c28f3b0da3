import Foundation
import LodeKV
import LodeModel
import Testing

@testable import LodeStore

/// Every kind of damage is made on purpose, and the check has to find it and name its object.
@Suite struct CheckTests {
  static let model: ManagedObjectModel = {
    var entities = League.entities
    let player = entities.firstIndex { $0.name == "Player" } ?? 0
    entities[player].indexes = [FetchIndexDescription(on: "age")]
    entities[player].uniquenessConstraints = [["name"]]
    let team = entities.firstIndex { $0.name == "Team" } ?? 0
    entities[team].relationships.append(
      RelationshipDescription("ground", to: "Ground", inverse: "team"))
    entities.append(
      EntityDescription(
        "Ground", relationships: [RelationshipDescription("team", to: "Team", inverse: "ground")]))
    do {
      return try ManagedObjectModel(entities: entities)
    } catch {
      fatalError("the test's model is wrong: \(error)")
    }
  }()

  /// A sound store: objects 1 and 2 are teams, 3 to 12 players, 13 a ground, 14 a tag.
  static func fill(_ store: EngineStore, playerCount: Int = 10) throws {
    let teams = try (1...2).map { try store.add("Team", ["name": .string("team \($0)")]) }
    var changes = ChangeSet()
    for index in 0..<playerCount {
      changes.inserts.append(
        try store.insert(
          index % 10 == 9 ? "Goalkeeper" : "Player",
          [
            "name": .string("player \(index)"), "age": .integer(Int64(20 + index % 30)),
            "team": .objectID(teams[index % 2]),
            "biography": .string(String(repeating: "long \(index) ", count: 30)),
          ]))
    }
    let ground = try store.insert("Ground", ["team": .objectID(teams[0])])
    let tag = try store.insert("Tag", ["label": .string("tag")])
    changes.inserts += [ground, tag]
    let players = changes.inserts.prefix(playerCount).map(\.objectID)
    changes.updates = [try store.update(teams[0], ["ground": .objectID(ground.objectID)])]
    changes.links = [
      .init(
        owner: players[0], slot: store.property("Player", "friends").slot,
        added: Array(players[1..<4]), removed: [])
    ]
    changes.orderedLinks = [
      .init(
        owner: teams[0], slot: store.property("Team", "lineUp").slot,
        members: Array(players[2..<6])),
      .init(
        owner: tag.objectID, slot: store.property("Tag", "players").slot,
        members: Array(players[0..<3])),
    ]
    _ = try store.commit(changes)
  }

  /// Fills a store, changes its trees below it, and returns what the check finds.
  private static func faults(
    _ kind: EngineStoreKind, _ damage: (EngineStore, inout WriteList) throws -> Void
  ) throws -> [StoreFault] {
    try kind.withHome { home in
      let store = try home.open(model)
      try fill(store)
      #expect(try store.check().faults == [])
      var list = WriteList()
      try damage(store, &list)
      try home.leave(store)
      try home.write { $0 = list }
      let damaged = try home.open(model)
      defer { try? home.leave(damaged) }
      let report = try damaged.check()
      #expect(report.faultCount == report.faults.count)
      return report.faults
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a sound store has no faults, and the report counts`(kind: EngineStoreKind) throws {
    try kind.withStore(Self.model) { store in
      #expect(try store.check().isSound)
      try Self.fill(store)
      let report = try store.check()
      #expect(report.faults == [])
      #expect(report.rowCount == 14)
      #expect(report.indexEntryCount == 20)
      // Players 10, friends 2 · 3, line-up 4, tags 2 · 3.
      #expect(report.linkCount == 10 + 6 + 4 + 6)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a flipped bit in a row is found`(kind: EngineStoreKind) throws {
    let faults = try Self.faults(kind) { store, list in
      let tree = store.tree(ofRows: "Player")
      var record = try store.engine.value(ObjectKey(5).array, in: tree)
      record[record.count - 9] ^= 4
      list.put(ObjectKey(5).array, record, in: tree)
    }
    #expect(faults.map(\.kind) == [.record])
    #expect(faults.first?.objectID?.number == 5)
    #expect(faults.first?.objectID?.entityName.string == "Player")
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a row whose key is damaged is damaged, not gone`(kind: EngineStoreKind) throws {
    // One flipped bit each, after which the keys are still in order.
    let keys: [(UInt64, [UInt8])] = [(12, [3, 12]), (3, [0, 3]), (12, [1, 13])]
    for (number, damagedKey) in keys {
      try kind.withHome { home in
        let store = try home.open(Self.model)
        try Self.fill(store)
        let tree = store.tree(ofRows: "Player")
        let ids = try store.objectIDs(try store.query("Player"))
        let id = try #require(ids.first { $0.number == number })
        var list = WriteList()
        list.delete(ObjectKey(number).array, in: tree)
        list.put(damagedKey, try store.engine.value(ObjectKey(number).array, in: tree), in: tree)
        try home.leave(store)
        try home.write { $0 = list }
        let damaged = try home.open(Self.model)
        defer { try? home.leave(damaged) }
        let error = #expect(throws: StoreError.self) { try damaged.row(id) }
        #expect(error?.code == .corrupt)
        #expect(error?.objectIDs.count == 1)
        #expect(try damaged.check().faults.contains { $0.kind == .record })
      }
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a row that is gone is missed by all that lead to it`(kind: EngineStoreKind) throws {
    let faults = try Self.faults(kind) { store, list in
      list.delete(ObjectKey(5).array, in: store.tree(ofRows: "Player"))
    }
    let kinds = Dictionary(grouping: faults, by: \.kind).mapValues(\.count)
    #expect(kinds[.index] == 2)
    #expect(kinds[.catalogue] == 1)
    #expect((kinds[.link] ?? 0) >= 2)
    #expect(kinds[.record] == nil)
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `an index entry that is missing, wrong or left over is found`(
    kind: EngineStoreKind
  ) throws {
    for name in ["age", "name"] {
      let missing = try Self.faults(kind) { store, list in
        let (tree, pairs) = try store.entries("Player", name)
        list.delete(pairs[3].key, in: tree)
      }
      #expect(missing.map(\.kind) == [.index], "\(name)")
      #expect(missing.first?.objectID?.number == 6, "\(name)")
      let left = try Self.faults(kind) { store, list in
        let (tree, pairs) = try store.entries("Player", name)
        var key = pairs[3].key
        key[2] ^= 1
        list.put(key, pairs[3].value, in: tree)
      }
      #expect(left.map(\.kind) == [.index], "\(name)")
      #expect(left.first?.objectID?.number == 6, "\(name)")
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `an entry that says another entity than its row is found`(kind: EngineStoreKind) throws {
    let faults = try Self.faults(kind) { store, list in
      let (tree, pairs) = try store.entries("Player", "age")
      let keeper = try #require(store.schema.entity(store.entity("Goalkeeper")))
      list.put(pairs[0].key, [UInt8(keeper.number), 0], in: tree)
    }
    #expect(faults.allSatisfy { $0.kind == .index })
    #expect(!faults.isEmpty)
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `damaged counters, dictionaries and trees of nobody are found`(
    kind: EngineStoreKind
  ) throws {
    let faults = try Self.faults(kind) { store, list in
      let player = try #require(store.schema.entity(store.entity("Player")))
      list.put(
        CatalogueKey.counters(ofEntity: player.number), [UInt8](repeating: 7, count: 28),
        in: CatalogueKey.tree)
      list.put(
        CatalogueKey.dictionary(ofEntity: player.number, 9), [1, 2, 3, 4, 5, 6],
        in: CatalogueKey.tree)
    }
    #expect(faults.map(\.kind) == [.catalogue, .catalogue])
    #expect(faults.allSatisfy { $0.place == "Player" })
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a link that is damaged or one-sided is found`(kind: EngineStoreKind) throws {
    for (name, entity, owner) in [("friends", "Player", 3), ("players", "Tag", 14)] {
      let damaged = try Self.faults(kind) { store, list in
        let (tree, pairs) = try store.links(entity, name, of: UInt64(owner))
        var value = pairs[0].value
        value[value.count - 1] ^= 1
        list.put(pairs[0].key, value, in: tree)
      }
      #expect(damaged.map(\.kind).contains(.link), "\(name)")
      #expect(damaged.first { $0.kind == .link }?.objectID?.number == UInt64(owner), "\(name)")
      let oneSided = try Self.faults(kind) { store, list in
        let (tree, pairs) = try store.links(entity, name, of: UInt64(owner))
        list.delete(pairs[0].key, in: tree)
      }
      #expect(oneSided.map(\.kind) == [.inverse], "\(name)")
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a member that is listed twice is found`(kind: EngineStoreKind) throws {
    let faults = try Self.faults(kind) { store, list in
      let (tree, pairs) = try store.links("Team", "lineUp", of: 1)
      var key = pairs[0].key
      key[key.count - 1] ^= 1
      let bits = pairs[0].value.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let value = key.withUnsafeBytes {
        LinkValue.bytes(of: $0, member: ObjectReference(bits: bits))
      }
      list.put(key, value, in: tree)
    }
    #expect(faults.map(\.kind) == [.link])
    #expect(faults.first?.objectID?.number == 1)
    #expect(faults.first?.place == "Team.lineUp")
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a derived link that is missing or left over is found`(kind: EngineStoreKind) throws {
    let missing = try Self.faults(kind) { store, list in
      let (tree, pairs) = try store.links("Team", "players", of: 1)
      list.delete(pairs[0].key, in: tree)
    }
    #expect(missing.map(\.kind) == [.inverse])
    #expect(missing.first?.objectID?.number == 1)
    let left = try Self.faults(kind) { store, list in
      let (tree, pairs) = try store.links("Team", "players", of: 1)
      var key = pairs[0].key
      key[5] ^= 3  // Owner 1 becomes owner 2.
      list.put(key, [], in: tree)
    }
    #expect(left.map(\.kind) == [.inverse])
    #expect(left.first?.objectID?.number == 2)
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `equal values that must be unique, and a one-sided one-to-one, are found`(
    kind: EngineStoreKind
  ) throws {
    let equal = try Self.faults(kind) { store, list in
      try store.rewrite(6, "Player", ["name": .string("player 0")], &list)
      let (tree, pairs) = try store.entries("Player", "name")
      list.delete(pairs[3].key, in: tree)
      let view = try store.encoded(6, "Player", ["name": .string("player 0")])
      list.put(try store.key(view, "Player", "name"), pairs[3].value, in: tree)
    }
    #expect(equal.map(\.kind).contains(.constraint))
    #expect(equal.first { $0.kind == .constraint }?.objectID?.number == 6)
    let oneSided = try Self.faults(kind) { store, list in
      try store.rewrite(13, "Ground", ["team": .null], &list)
    }
    #expect(oneSided.map(\.kind) == [.inverse])
    #expect(oneSided.first?.objectID?.number == 1)
    #expect(oneSided.first?.place == "Team.ground")
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a reference to what isn't there or isn't allowed is found`(
    kind: EngineStoreKind
  ) throws {
    let gone = try Self.faults(kind) { store, list in
      let nobody = ManagedObjectID(
        store: store.identifier, entityName: store.entity("Team").entityName, number: 99)
      try store.rewrite(13, "Ground", ["team": .objectID(nobody)], &list)
    }
    #expect(gone.map(\.kind).contains(.reference))
    #expect(gone.first { $0.kind == .reference }?.objectID?.number == 13)
    let other = try Self.faults(kind) { store, list in
      let tag = ManagedObjectID(
        store: store.identifier, entityName: store.entity("Tag").entityName, number: 14)
      try store.rewrite(13, "Ground", ["team": .objectID(tag)], &list)
    }
    #expect(other.map(\.kind).contains(.reference))
  }

  @Test func `faults beyond the limit are counted`() throws {
    try EngineStoreKind.memory.withHome { home in
      let store = try home.open(Self.model)
      try Self.fill(store)
      var list = WriteList()
      for (key, _) in try store.entries("Player", "age").pairs {
        list.delete(key, in: try store.entries("Player", "age").tree)
      }
      try home.write { $0 = list }
      let report = try store.check(faultCountMax: 3)
      #expect(report.faults.count == 3)
      #expect(report.faultCount == 10)
      #expect(!report.isSound)
    }
  }
}

extension ObjectKey {
  fileprivate var array: [UInt8] { withBytes { Array($0) } }
}

extension WriteList {
  fileprivate mutating func delete(_ key: [UInt8], in tree: TreeID) {
    key.withUnsafeBytes { delete($0, in: tree) }
  }
}

extension KeyValueEngine {
  fileprivate func value(_ key: [UInt8], in tree: TreeID) throws -> [UInt8] {
    try read { try $0.value(ofKey: key, in: tree).map { Array($0) } ?? [] }
  }
}

extension EngineStore {
  fileprivate typealias Pairs = [(key: [UInt8], value: [UInt8])]

  fileprivate func tree(ofRows name: String) -> TreeID {
    schema.entity(entity(name))?.recordTree ?? TreeID(0)
  }

  fileprivate func entries(
    _ name: String, _ property: String
  ) throws -> (tree: TreeID, pairs: Pairs) {
    let index = try #require(
      schema.entity(entity(name))?.indexes.first { $0.propertyNames == [property] })
    let pairs = try engine.pairs(in: index.tree.number).sorted {
      $0.key.lexicographicallyPrecedes($1.key)
    }
    return (index.tree, pairs.map { ($0.key, $0.value) })
  }

  fileprivate func links(
    _ name: String, _ property: String, of number: UInt64
  ) throws -> (tree: TreeID, pairs: Pairs) {
    let links = try #require(
      schema.entity(entity(name))?.links[self.property(name, property).slot])
    let pairs = try engine.pairs(in: links.tree.number).sorted {
      $0.key.lexicographicallyPrecedes($1.key)
    }
    return (
      links.tree,
      pairs.filter { $0.key.prefix(6).reduce(0) { $0 << 8 | UInt64($1) } == number }
        .map { ($0.key, $0.value) }
    )
  }

  /// A row's record with some values changed, sealed as if it had been written so.
  fileprivate func encoded(
    _ number: UInt64, _ name: String, _ values: [String: Value]
  ) throws -> Record {
    let stored = try #require(schema.entity(entity(name)))
    return try engine.read { snapshot in
      let old = try #require(try snapshot.record(of: number, stored, schema))
      var encoder = RecordEncoder()
      return try encoder.record(
        values.map { (property(name, $0.key).slot, $0.value) }, to: old, version: old.version)
    }
  }

  fileprivate func rewrite(
    _ number: UInt64, _ name: String, _ values: [String: Value], _ list: inout WriteList
  ) throws {
    let record = try encoded(number, name, values)
    list.put(ObjectKey(number).array, record.withView { Array($0.bytes) }, in: tree(ofRows: name))
  }

  fileprivate func key(_ record: Record, _ name: String, _ property: String) throws -> [UInt8] {
    let index = try #require(
      schema.entity(entity(name))?.indexes.first { $0.propertyNames == [property] })
    var key = OrderedKey()
    try record.withView {
      try index.key.make($0, number: $0.number, tails: TailScratch(), into: &key)
    }
    return key.bytes
  }
}

import LodeRandom
import Foundation
import LodeKV
import LodeModel
import Testing

@testable import LodeStore

@Suite struct DamageTests {
  private static let model: ManagedObjectModel = {
    var entities = League.entities
    let player = entities.firstIndex { $0.name == "Player" } ?? 0
    entities[player].indexes = [
      FetchIndexDescription(
        "ageName", elements: [.init("age"), .init("name", isAscending: false)]),
      FetchIndexDescription(on: "team"),
    ]
    entities[player].uniquenessConstraints = [["name", "height"]]
    do {
      return try ManagedObjectModel(entities: entities)
    } catch {
      fatalError("the test's model is wrong: \(error)")
    }
  }()

  @Test func `damaged trees give errors and never a trap`() throws {
    try withSeed { random in
      let engine = MemoryEngine()
      try Self.fill(try Self.open(engine))
      for _ in 0..<150 {
        let damaged = try Self.copy(of: engine, damagedBy: &random)
        if let store = try? Self.open(damaged) { Self.exercise(store) }
      }
    }
  }

  private static func open(_ engine: MemoryEngine) throws -> EngineStore {
    try EngineStore(engine: engine, type: .inMemory, url: nil, model: model)
  }

  private static func fill(_ store: EngineStore) throws {
    let teams = try (0..<3).map { try store.add("Team", ["name": .string("team \($0)")]) }
    var changes = ChangeSet()
    for index in 0..<40 {
      changes.inserts.append(
        try store.insert(
          index % 5 == 0 ? "Goalkeeper" : "Player",
          [
            "name": .string("name \(index % 7)"), "age": .integer(Int64(index % 9)),
            "height": .double(Double(index)), "team": .objectID(teams[index % 3]),
            "biography": .string(String(repeating: "word \(index) ", count: 20 + index * 3)),
          ]))
    }
    let players = changes.inserts.map(\.objectID)
    changes.links = [
      .init(
        owner: players[0], slot: store.property("Player", "friends").slot,
        added: Array(players[1..<9]), removed: [])
    ]
    changes.orderedLinks = [
      .init(
        owner: teams[0], slot: store.property("Team", "lineUp").slot,
        members: Array(players[3..<12]))
    ]
    _ = try store.commit(changes)
  }

  /// Copies an engine's trees, with some bytes of some pairs changed and some pairs gone.
  private static func copy(
    of engine: MemoryEngine, damagedBy random: inout SeededGenerator
  ) throws -> MemoryEngine {
    var list = WriteList()
    for tree in UInt32(1)..<30 {
      for (key, value) in try engine.pairs(in: tree) {
        var (key, value) = (key, value)
        let isTarget = random.chance(tree == 1 ? 1 : 5)
        if isTarget, random.chance(20) { continue }
        if isTarget, random.chance(40) { damage(&key, &random) }
        if isTarget, random.chance(70) { damage(&value, &random) }
        guard !key.isEmpty else { continue }
        key.withUnsafeBytes { key in
          value.withUnsafeBytes { list.put(key, $0, in: TreeID(tree)) }
        }
      }
    }
    let copy = MemoryEngine()
    try copy.commit { [list] _ in list }
    return copy
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    guard !bytes.isEmpty else { return bytes.append(7) }
    switch random.pick([0, 0, 1, 2]) {
    case 0: bytes[random.pick(Array(bytes.indices))] = UInt8.random(in: 0...255, using: &random)
    case 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
    default: bytes.append(UInt8.random(in: 0...255, using: &random))
    }
  }

  /// Does a bit of everything; every call may fail.
  private static func exercise(_ store: EngineStore) {
    let predicates: [ObjectPredicate?] = [
      nil, compare("age", .equal, .integer(3)), compare("name", .beginsWith, .string("name")),
      compare("team.name", .equal, .string("team 1")),
      compare("biography", .contains, .string("word")),
      compare("age", .in, .list([.integer(1), .integer(2)])),
    ]
    for predicate in predicates {
      for sort in [[], [SortTerm("age")], [SortTerm("team.name")], [SortTerm("name")]] {
        guard let query = try? store.query("Player", predicate, sort: sort, limit: 30) else {
          return
        }
        for row in (try? store.rows(query)) ?? [] {
          for slot in store.entity("Player").properties.indices { _ = try? row.value(at: slot) }
        }
        _ = try? store.count(query)
        _ = try? store.objectIDs(query)
      }
    }
    for owner in (try? store.objectIDs(try store.query("Team"))) ?? [] {
      _ = try? store.members(owner, "players")
      _ = try? store.members(owner, "lineUp")
    }
    _ = try? store.statistics()
    change(store)
  }

  private static func change(_ store: EngineStore) {
    for row in (try? store.rows(try store.query("Player"))) ?? [] {
      var changes = ChangeSet()
      if row.objectID.number % 2 == 0 {
        changes.deletes = [.init(objectID: row.objectID, baseVersion: row.version)]
      } else if let update = try? store.update(
        row.objectID, ["age": .integer(1), "name": .string("new"), "team": .null])
      {
        changes.updates = [update]
      }
      _ = try? store.commit(changes)
    }
    _ = try? store.add("Player", ["name": .string("last")])
  }
}

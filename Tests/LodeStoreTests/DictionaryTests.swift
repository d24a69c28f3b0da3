import Foundation
import LodeKV
import LodeModel
import Testing

@testable import LodeStore

@Suite struct DictionaryTests {
  private static func text(_ index: Int) -> Value {
    let words = ["goal", "match", "season", "player", "team", "league", "coach", "final"]
    let parts = (0..<25).map { words[(index &* 31 &+ $0 &* ($0 &+ index)) % words.count] }
    return .string(parts.joined(separator: " ") + " \(index)")
  }

  private static func insert(_ store: EngineStore, _ range: Range<Int>) throws -> [ManagedObjectID]
  {
    var changes = ChangeSet()
    changes.inserts = try range.map { try store.insert("Player", ["biography": text($0)]) }
    _ = try store.commit(changes)
    return changes.inserts.map(\.objectID)
  }

  private static func usedDictionaries(_ store: EngineStore) throws -> Set<UInt16> {
    Set(
      try store.rows(try store.query("Player")).map { row in
        row.record.withView { $0.dictionaryNumber }
      })
  }

  private static func expectTexts(_ store: EngineStore, _ ids: [ManagedObjectID]) throws {
    let slot = store.property("Player", "biography").slot
    for (index, row) in try store.rows(for: ids).enumerated() {
      #expect(try row?.value(at: slot) == text(index))
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a bulk save learns a dictionary from itself and stores it with its rows`(
    kind: EngineStoreKind
  ) throws {
    try kind.withHome { home in
      let store = try home.open(League.model)
      let ids = try Self.insert(store, 0..<2_500)
      #expect(try Self.usedDictionaries(store) == [1])
      let statistics = try store.statistics()
      #expect(statistics.storedByteCount * 10 < statistics.rawByteCount * 8)
      try Self.expectTexts(store, ids)
      try home.leave(store)
      let again = try home.open(League.model)
      try Self.expectTexts(again, ids)
      _ = try Self.insert(again, 0..<10)
      #expect(try Self.usedDictionaries(again) == [1])
      try home.leave(again)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a store that has grown learns in the background and keeps its old rows`(
    kind: EngineStoreKind
  ) throws {
    try kind.withHome { home in
      let store = try home.open(League.model)
      var ids = try Self.insert(store, 0..<1_500)
      store.trainer.finish()
      #expect(try Self.usedDictionaries(store) == [0])
      ids += try Self.insert(store, 1_500..<2_200)
      store.trainer.finish()
      ids += try Self.insert(store, 2_200..<2_300)
      #expect(try Self.usedDictionaries(store) == [0, 1])
      try Self.expectTexts(store, ids)
      try home.leave(store)
      let again = try home.open(League.model)
      try Self.expectTexts(again, ids)
      try home.leave(again)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a refused save leaves no dictionary behind`(kind: EngineStoreKind) throws {
    try kind.withHome { home in
      let store = try home.open(League.model)
      var changes = ChangeSet()
      changes.inserts = try (0..<2_500).map {
        try store.insert("Player", ["biography": Self.text($0)])
      }
      let gone = ManagedObjectID(
        store: store.identifier, entityName: EntityName("Team"), number: 1)
      changes.deletes = [.init(objectID: gone, baseVersion: 1)]
      #expect(throws: StoreError.self) { try store.commit(changes) }
      #expect(try !store.engine.pairs(in: 1).keys.contains { $0.first == UInt8(ascii: "d") })
      let ids = try Self.insert(store, 0..<2_500)
      try Self.expectTexts(store, ids)
      try home.leave(store)
      let again = try home.open(League.model)
      try Self.expectTexts(again, ids)
      try home.leave(again)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a missing dictionary is an error that names it`(kind: EngineStoreKind) throws {
    try kind.withHome { home in
      let store = try home.open(League.model)
      let ids = try Self.insert(store, 0..<2_500)
      try home.leave(store)
      let key = try #require(
        try home.pairs(in: 1).keys.first { $0.first == UInt8(ascii: "d") })
      try home.write { list in key.withUnsafeBytes { list.delete($0, in: TreeID(1)) } }
      let again = try home.open(League.model)
      let row = try #require(try again.row(ids[0]))
      let error = #expect(throws: StoreError.self) {
        try row.value(at: again.property("Player", "biography").slot)
      }
      #expect(error?.code == .corrupt)
      #expect(error?.message.contains("dictionary 1") == true)
      #expect(try row.value(at: again.property("Player", "name").slot) == .null)
      try home.leave(again)
    }
  }

  @Test func `options switch compression off and old rows stay readable`() throws {
    try EngineStoreKind.lmdb.withHome { home in
      let store = try home.open(League.model)
      let ids = try Self.insert(store, 0..<2_500)
      try home.leave(store)
      var options = StoreOptions()
      options.compressesLongValues = false
      let plain = try home.open(League.model, options: options)
      try Self.expectTexts(plain, ids)
      let more = try Self.insert(plain, 0..<1)
      #expect(try plain.row(more[0])?.record.withView { $0.hasCompressedTail } == false)
      try home.leave(plain)
    }
  }
}

import Foundation
import LodeKV
import LodeModel
import Synchronization
import Testing

@testable import LodeStore

@Suite struct BackupTests {
  /// Runs a body with a store, and the path of a folder that isn't there yet and is removed afterwards.
  private static func withStore(
    _ kind: EngineStoreKind, _ body: (EngineStore, URL) throws -> Void
  ) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("lode-backup-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try kind.withStore(League.model) { try body($0, folder.appendingPathComponent("copy")) }
  }

  private static func fill(_ store: EngineStore, count: Int) throws {
    var changes = ChangeSet()
    for index in 0..<count {
      changes.inserts.append(
        try store.insert(
          "Player",
          [
            "name": .string("player \(index)"), "age": .integer(Int64(index % 90)),
            "biography": .string(String(repeating: "text \(index) ", count: 12)),
          ]))
    }
    _ = try store.commit(changes)
  }

  /// What a store holds, as text.
  static func contents(_ store: EngineStore) throws -> [String] {
    try store.model.entities.flatMap { entity in
      try store.rows(try store.query(entity.name)).map { row in
        let values = try entity.properties.map { "\(try row.value(at: $0.slot))" }
        return "\(row.objectID) \(row.version) \(values)"
      }
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a copy holds what the store holds and opens as a store`(kind: EngineStoreKind) throws {
    try Self.withStore(kind) { store, place in
      try Self.fill(store, count: 3_000)
      let sequence = try store.backup(to: place)
      #expect(sequence == (try store.statistics().lastSequence))
      let expected = try Self.contents(store)
      try Self.fill(store, count: 1)
      for _ in 0..<2 {
        let copy = try EngineStore.lmdb(at: place, model: League.model)
        #expect(copy.identifier == store.identifier)
        #expect(try Self.contents(copy) == expected)
        #expect(try copy.check().faults == [])
        _ = try copy.reserveObjectNumbers(count: 1)
        try copy.close()
      }
      let names = try FileManager.default.contentsOfDirectory(
        atPath: place.deletingLastPathComponent().path)
      #expect(names == ["copy"])
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a copy can be written, and the store doesn't notice`(kind: EngineStoreKind) throws {
    try Self.withStore(kind) { store, place in
      try Self.fill(store, count: 10)
      try store.backup(to: place)
      let expected = try Self.contents(store)
      let copy = try EngineStore.lmdb(at: place, model: League.model)
      try Self.fill(copy, count: 500)
      try copy.close()
      #expect(try Self.contents(store) == expected)
      let again = try EngineStore.lmdb(existingAt: place)
      #expect(try again.count(try again.query("Player")) == 510)
      try again.close()
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `what has the name already stays as it is`(kind: EngineStoreKind) throws {
    try Self.withStore(kind) { store, place in
      try Self.fill(store, count: 3)
      try store.backup(to: place)
      try Self.fill(store, count: 3)
      let error = #expect(throws: StoreError.self) { try store.backup(to: place) }
      #expect(error?.code == .file)
      #expect(error?.path == place.path)
      let copy = try EngineStore.lmdb(existingAt: place)
      #expect(try copy.count(try copy.query("Player")) == 3)
      try copy.close()
      let file = place.deletingLastPathComponent().appendingPathComponent("file")
      try Data("text".utf8).write(to: file)
      #expect(throws: StoreError.self) { try store.backup(to: file) }
      #expect(throws: StoreError.self) { try store.backup(to: file.appendingPathComponent("x")) }
      #expect(try Data(contentsOf: file) == Data("text".utf8))
    }
  }

  @Test func `a copy taken while others save equals one moment of the store`() throws {
    try Self.withStore(.lmdb) { store, place in
      try Self.fill(store, count: 2_000)
      let isDone = Atomic(false)
      let writer = Thread {
        // Each commit adds two rows: a copy never has an odd count.
        while !isDone.load(ordering: .relaxed) { try? Self.fill(store, count: 2) }
        isDone.store(false, ordering: .relaxed)
      }
      writer.start()
      for index in 0..<3 {
        let copyPlace = place.appendingPathExtension("\(index)")
        let before = try store.count(try store.query("Player"))
        try store.backup(to: copyPlace)
        let copy = try EngineStore.lmdb(at: copyPlace, model: League.model)
        let count = try copy.count(try copy.query("Player"))
        #expect(count % 2 == 0)
        #expect(count >= before)
        #expect(try copy.check().faults == [])
        try copy.close()
      }
      isDone.store(true, ordering: .relaxed)
      while isDone.load(ordering: .relaxed) { sched_yield() }
      #expect(try store.check().faults == [])
    }
  }

  @Test func `a store opens with its own model, and only where there is one`() throws {
    try EngineStoreKind.lmdb.withHome { home in
      guard case .folder(let folder) = home.kind else { return }
      let error = #expect(throws: StoreError.self) { try EngineStore.lmdb(existingAt: folder) }
      #expect(error?.code == .notAStore)
      #expect(!FileManager.default.fileExists(atPath: folder.path))
      let store = try home.open(League.model)
      try Self.fill(store, count: 5)
      let contents = try Self.contents(store)
      try home.leave(store)
      let before = try home.pairs(in: 1)
      let again = try EngineStore.lmdb(existingAt: folder)
      #expect(try Self.contents(again) == contents)
      #expect(again.model.entities.map(\.versionHash) == League.model.entities.map(\.versionHash))
      try again.close()
      #expect(try home.pairs(in: 1) == before)
    }
  }

  @Test func `figures tell rows, pages and trees`() throws {
    try EngineStoreKind.lmdb.withStore(League.model) { store in
      try Self.fill(store, count: 3_000)
      let figures = try store.figures()
      let player = try #require(figures.entities.first { $0.name == "Player" })
      #expect(player.rowCount == 3_000)
      #expect(player.dictionaryCount == 1)
      #expect(figures.trees.first { $0.name == "records of Player" }?.entryCount == 3_000)
      #expect(figures.trees.contains { $0.name == "catalogue" })
      #expect(figures.livePageCount + figures.freePageCount == figures.pageCount)
      #expect(figures.readers.count { $0.processID == Int(getpid()) } >= 1)
      #expect(figures.lastSequence == (try store.statistics().lastSequence))
    }
    try EngineStoreKind.memory.withStore(League.model) { store in
      try Self.fill(store, count: 3)
      let figures = try store.figures()
      #expect(figures.entities.first { $0.name == "Player" }?.rowCount == 3)
      #expect(figures.pageCount == 0)
    }
  }
}

import Foundation
import LodeKV
import LodeModel
import Testing

@testable import LodeStore

/// The engines that every test of stores runs on; `StoreKind` of LodeTesting is for containers.
enum EngineStoreKind: String, CaseIterable, CustomTestStringConvertible {
  case memory
  case lmdb

  var testDescription: String { rawValue }

  /// Opens an empty store of a model for the length of a closure.
  func withStore<Result>(
    _ model: ManagedObjectModel, _ body: (EngineStore) throws -> Result
  ) throws -> Result {
    try withHome { home in
      let store = try home.open(model)
      defer { try? home.leave(store) }
      return try body(store)
    }
  }

  /// Makes a place in which a store can be opened again and again.
  func withHome<Result>(_ body: (StoreHome) throws -> Result) throws -> Result {
    switch self {
    case .memory: return try body(StoreHome(kind: .memory(MemoryEngine())))
    case .lmdb:
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("lode-store-\(UUID().uuidString)")
      defer { try? FileManager.default.removeItem(at: folder) }
      return try body(StoreHome(kind: .folder(folder)))
    }
  }
}

/// Where a store lives between two openings.
struct StoreHome {
  enum Kind {
    case memory(MemoryEngine)
    case folder(URL)
  }

  let kind: Kind

  func open(
    _ model: ManagedObjectModel, options: StoreOptions = StoreOptions()
  ) throws -> EngineStore {
    switch kind {
    case .memory(let engine):
      return try EngineStore(
        engine: KeptEngine(engine), type: .inMemory, url: nil, model: model, options: options)
    case .folder(let folder):
      return try EngineStore.lmdb(at: folder, model: model, options: options)
    }
  }

  /// Closes a store, so that it can be opened again.
  func leave(_ store: EngineStore) throws { try store.close() }

  /// Changes the trees below a store that is closed.
  func write(_ body: (inout WriteList) -> Void) throws {
    var list = WriteList()
    body(&list)
    switch kind {
    case .memory(let engine): try engine.commit { [list] _ in list }
    case .folder(let folder):
      let engine = try LMDBEngine(open: folder)
      try engine.commit { [list] _ in list }
      try engine.close()
    }
  }

  /// All pairs of a tree below a store that is closed.
  func pairs(in tree: UInt32) throws -> [[UInt8]: [UInt8]] {
    switch kind {
    case .memory(let engine): return try engine.pairs(in: tree)
    case .folder(let folder):
      let engine = try LMDBEngine(open: folder)
      defer { try? engine.close() }
      return try engine.pairs(in: tree)
    }
  }
}

extension KeyValueEngine {
  func pairs(in tree: UInt32) throws -> [[UInt8]: [UInt8]] {
    try read { snapshot in
      var pairs: [[UInt8]: [UInt8]] = [:]
      let cursor = try snapshot.cursor(in: TreeID(tree))
      var isPresent = try cursor.first()
      while isPresent {
        pairs[Array(cursor.key)] = Array(cursor.value)
        isPresent = try cursor.next()
      }
      return pairs
    }
  }
}

/// An engine in memory that outlives its store: closing it does nothing.
private final class KeptEngine: KeyValueEngine {
  private let engine: MemoryEngine

  init(_ engine: MemoryEngine) { self.engine = engine }

  func read<Result>(_ body: (any KeyValueSnapshot) throws -> Result) throws -> Result {
    try engine.read(body)
  }

  func commit(
    durability: CommitDurability?,
    _ prepare: @escaping @Sendable (any KeyValueSnapshot) throws -> WriteList
  ) throws -> UInt64 { try engine.commit(prepare) }

  func checkpoint() throws(EngineError) { try engine.checkpoint() }
  func statistics() throws(EngineError) -> EngineStatistics { try engine.statistics() }
  func close() throws(EngineError) {}
}

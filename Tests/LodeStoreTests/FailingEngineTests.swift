import LodeKV
import LodeModel
import Synchronization
import Testing

@testable import LodeStore

/// An engine whose n-th commit fails, after its closure has run, as on a full disk.
private final class FailingEngine: KeyValueEngine {
  private let engine = MemoryEngine()
  private let commitsLeft = Atomic(Int.max)

  /// Lets so many commits succeed, then one fail.
  func fail(after count: Int) { commitsLeft.store(count, ordering: .relaxed) }

  func read<Result>(_ body: (any KeyValueSnapshot) throws -> Result) throws -> Result {
    try engine.read(body)
  }

  func commit(
    durability: CommitDurability?,
    _ prepare: @escaping @Sendable (any KeyValueSnapshot) throws -> WriteList
  ) throws -> UInt64 {
    let left = commitsLeft.subtract(1, ordering: .relaxed).oldValue
    guard left != 0 else {
      _ = try engine.read { try prepare($0) }
      throw EngineError.diskFull(path: "memory")
    }
    return try engine.commit(prepare)
  }

  func checkpoint() throws(EngineError) {}
  func statistics() throws(EngineError) -> EngineStatistics { try engine.statistics() }
  func close() throws(EngineError) { try engine.close() }
}

@Suite struct FailingEngineTests {
  @Test func `a save that fails changes nothing and the next one works, whichever commit fails`()
    throws
  {
    for failing in 0..<12 {
      let engine = FailingEngine()
      let store = try EngineStore(
        engine: engine, type: .inMemory, url: nil, model: League.model)
      engine.fail(after: failing)
      var numbers: Set<UInt64> = []
      var failureCount = 0
      for round in 0..<12 {
        let before = try store.objectIDs(try store.query("Player"))
        do {
          // Blocks grow, so that reserving and saving fail in turn.
          let reserved = try store.reserveObjectNumbers(count: 5_000 << round % 5)
          #expect(numbers.isDisjoint(with: reserved))
          numbers.formUnion(reserved)
          try store.add("Player", ["name": .string("Ada")])
          #expect(try store.objectIDs(try store.query("Player")).count == before.count + 1)
        } catch let error as StoreError {
          #expect(error.code == .full)
          failureCount += 1
          #expect(try store.objectIDs(try store.query("Player")) == before)
        }
      }
      #expect(failureCount == 1)
    }
  }

  @Test func `a store that fails to be made leaves nothing behind`() throws {
    let engine = FailingEngine()
    engine.fail(after: 0)
    let error = #expect(throws: StoreError.self) {
      try EngineStore(engine: engine, type: .inMemory, url: nil, model: League.model)
    }
    #expect(error?.code == .full)
  }
}

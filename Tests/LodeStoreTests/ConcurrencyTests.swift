import Dispatch
import LodeModel
import Synchronization
import Testing

@testable import LodeStore

@Suite struct ConcurrencyTests {
  @Test(arguments: EngineStoreKind.allCases)
  func `saves from many threads each take effect once, and reads see whole saves`(
    kind: EngineStoreKind
  ) throws {
    try kind.withStore(League.model) { store in
      let counter = try store.add("Player", ["age": .integer(0)])
      let conflicts = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        for _ in 0..<10 {
          var isSaved = false
          while !isSaved {
            guard (try? Self.expectWholeSaves(store, counter)) != nil,
              let change = try? Self.increment(store, counter)
            else { return }
            isSaved = (try? store.commit(change)) != nil
            if !isSaved { conflicts.add(1, ordering: .relaxed) }
          }
        }
      }
      #expect(try store.value(counter, "age") == .integer(80))
      #expect(try store.count(try store.query("Tag")) == 80)
      #expect(try store.row(counter)?.version == 81)
    }
  }

  /// One more on the counter and one more tag, in one change set.
  private static func increment(
    _ store: EngineStore, _ counter: ManagedObjectID
  ) throws -> ChangeSet {
    let row = try #require(try store.row(counter))
    let slot = store.property("Player", "age").slot
    guard case .integer(let age) = try row.value(at: slot) else { return ChangeSet() }
    var changes = ChangeSet()
    changes.updates = [
      .init(objectID: counter, baseVersion: row.version, values: [(slot, .integer(age + 1))])
    ]
    changes.inserts = [try store.insert("Tag")]
    return changes
  }

  private static func expectWholeSaves(
    _ store: EngineStore, _ counter: ManagedObjectID
  ) throws {
    // Two reads see two states, of which the later has as many tags as the first at least.
    let row = try #require(try store.row(counter))
    let tags = try store.count(try store.query("Tag"))
    guard case .integer(let age) = try row.value(at: store.property("Player", "age").slot) else {
      return
    }
    #expect(tags >= Int(age))
  }
}

// Commits of several threads that end up in one group.

import Foundation
import LodeKV
import LodeKVTesting
import Synchronization
import Testing

@Suite struct GroupCommitTests {
  private struct Refusal: Error {}

  /// Runs closures on threads of their own, all of them in one group: the closure of a commit
  /// before them waits until they have queued up.
  private func commitTogether(
    _ engine: LMDBEngine, _ bodies: [@Sendable () throws -> Void]
  ) throws {
    let ready = DispatchGroup()
    try engine.commit { _ in
      for body in bodies {
        let waitingBefore = engine.waitingCommitCount
        ready.enter()
        Thread.detachNewThread {
          try? body()
          ready.leave()
        }
        while engine.waitingCommitCount == waitingBefore { sched_yield() }
      }
      return WriteList()
    }
    ready.wait()
  }

  @Test func `a group shares one sync`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      try commitTogether(
        engine, (0..<8).map { number in { try engine.put("key \(number)", "value") } })
      let statistics = try engine.statistics()
      #expect(statistics.lastSequence == 8)
      #expect(statistics.journalFrameCount == 8)
      #expect(statistics.journalSyncCount == 1)
      try engine.abandon()
      let reopened = try LMDBEngine(open: folder, options: .small)
      try #expect(reopened.pairs().count == 8)
      try reopened.close()
    }
  }

  @Test func `members of a group see those before them and number on`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      let sequences = Mutex<[UInt64]>([])
      try commitTogether(
        engine,
        (0..<5).map { _ in
          {
            let sequence = try engine.commit { snapshot in
              var list = WriteList()
              list.put([1], [(try snapshot.bytes([1])?.first ?? 0) + 1])
              return list
            }
            sequences.withLock { $0.append(sequence) }
          }
        })
      try #expect(engine.read { try $0.bytes([1]) } == [5])
      #expect(sequences.withLock { $0.sorted() } == [1, 2, 3, 4, 5])
      try engine.close()
    }
  }

  @Test func `a member that throws leaves the others unharmed`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      let refusals = Mutex(0)
      try commitTogether(
        engine,
        [
          { try engine.put("a", "1") },
          {
            do {
              try engine.commit { _ in throw Refusal() }
            } catch is Refusal {
              refusals.withLock { $0 += 1 }
            }
          },
          { try engine.commit(WriteList()) },
          { try engine.put("b", "2") },
        ])
      #expect(refusals.withLock { $0 } == 1)
      try #expect(engine.pairs().count == 2)
      try #expect(engine.statistics().lastSequence == 2)
      try engine.close()
    }
  }

  @Test func `a sync that fails fails the whole group and all that follow`() throws {
    try withFolder { folder in
      let fileSystem = FaultyFileSystem()
      let engine = try LMDBEngine(
        open: folder.path, options: .small, fileSystem: fileSystem)
      fileSystem.arm(.init(index: 0, isLasting: true, operation: "sync"))
      let failures = Mutex(0)
      try commitTogether(
        engine,
        (0..<3).map { number in
          {
            do {
              try engine.put("key \(number)", "value")
            } catch is EngineError {
              failures.withLock { $0 += 1 }
            }
          }
        })
      #expect(fileSystem.failures.first == "sync j-00000001")
      #expect(failures.withLock { $0 } == 3)
      try #expect(engine.pairs().isEmpty)
      #expect(throws: EngineError.self) { try engine.put("later", "value") }
      #expect(throws: EngineError.self) { try engine.close() }
    }
  }

  @Test func `commits of many threads all arrive`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      DispatchQueue.concurrentPerform(iterations: 8) { thread in
        for number in 0..<50 { _ = try? engine.put("key \(thread) \(number)", "value") }
      }
      try #expect(engine.pairs().count == 400)
      try #expect(engine.statistics().lastSequence == 400)
      try engine.close()
    }
  }
}

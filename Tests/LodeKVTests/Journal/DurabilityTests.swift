// What a commit promises when it returns, and what happens when background work can't be done.

import Foundation
import LodeKV
import LodeKVTesting
import Synchronization
import Testing

@Suite struct DurabilityTests {
  /// Without background work within the time of a test.
  private var still: LMDBEngine.Options {
    var options = LMDBEngine.Options.small
    options.syncDelay = .seconds(600)
    options.checkpointDelay = .seconds(600)
    return options
  }

  private func list(_ number: Int, byteCount: Int = 100) -> WriteList {
    var list = WriteList()
    list.put([UInt8](number: number), [UInt8](repeating: 1, count: byteCount))
    return list
  }

  @Test func `weaker commits share the sync of the next full one`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: still)
      for number in 0..<4 {
        let durability: CommitDurability = number < 2 ? .eventual : .unsynced
        try engine.commit(durability: durability) { _ in list(number) }
      }
      try #expect(engine.pairs().count == 4)
      try #expect(engine.statistics().journalSyncCount == 0)
      try #expect(engine.statistics().durableSequence == 0)
      try engine.commit(list(4))
      try #expect(engine.statistics().journalSyncCount == 1)
      try #expect(engine.statistics().durableSequence == 5)
      try engine.close()
    }
  }

  @Test(arguments: [CommitDurability.eventual, .unsynced])
  func `weaker commits survive the end of the process`(durability: CommitDurability) throws {
    try withFolder { folder in
      var options = still
      options.durability = durability
      let engine = try LMDBEngine(open: folder, options: options)
      for number in 0..<6 { try engine.commit(list(number)) }
      try #expect(engine.statistics().durableSequence == 0)
      try engine.abandon()
      let reopened = try LMDBEngine(open: folder, options: still)
      try #expect(reopened.pairs().count == 6)
      try #expect(reopened.statistics().durableSequence == 6)
      try reopened.close()
    }
  }

  @Test func `an empty full commit makes those before it durable`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: still)
      try engine.commit(durability: .unsynced) { _ in list(1) }
      try engine.commit(durability: .unsynced) { _ in WriteList() }
      try #expect(engine.statistics().durableSequence == 0)
      try #expect(engine.commit(WriteList()) == 1)
      try #expect(engine.statistics().durableSequence == 1)
      try engine.close()
    }
  }

  @Test func `an eventual commit is synced by itself`() throws {
    try withFolder { folder in
      var options = still
      options.syncDelay = .zero
      let engine = try LMDBEngine(open: folder, options: options)
      try engine.commit(durability: .eventual) { _ in list(1) }
      while try engine.statistics().durableSequence == 0 { sched_yield() }
      try #expect(engine.statistics().journalSyncCount == 1)
      try engine.close()
    }
  }

  @Test func `a background sync that fails lets no later commit pass`() throws {
    try withFolder { folder in
      var options = still
      options.syncDelay = .zero
      let fileSystem = FaultyFileSystem()
      let engine = try LMDBEngine(open: folder.path, options: options, fileSystem: fileSystem)
      fileSystem.arm(.init(index: 0, operation: "sync"))
      try engine.commit(durability: .eventual) { _ in list(1) }
      while fileSystem.failures.isEmpty { sched_yield() }
      let error = #expect(throws: EngineError.self) { try engine.commit(list(2)) }
      guard case .poisoned = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      try #expect(engine.pairs().count == 1)
      #expect(throws: EngineError.self) { try engine.close() }
    }
  }

  @Test func `time alone brings a checkpoint`() throws {
    try withFolder { folder in
      var options = still
      options.checkpointDelay = .zero
      let engine = try LMDBEngine(open: folder, options: options)
      for round in 1...3 {
        try engine.commit(durability: .unsynced) { _ in list(round) }
        while try engine.statistics().durableSequence < round { sched_yield() }
      }
      try #expect(engine.statistics().journalSyncCount == 0)
      try #expect(engine.statistics().checkpointCount == 3)
      try engine.close()
    }
  }

  // MARK: Bounds

  @Test func `the journal stops at its bound while checkpoints fail and goes on later`() throws {
    try withFolder { folder in
      var options = still
      options.journalByteCountMax = 160 << 10
      let fileSystem = FaultyFileSystem()
      let engine = try LMDBEngine(open: folder.path, options: options, fileSystem: fileSystem)
      // No successor can be made.
      fileSystem.arm(.init(index: 0, errno: ENOSPC, isLasting: true, operation: "open"))
      var count = 0
      let error = #expect(throws: EngineError.self) {
        while count < 1000 {
          try engine.commit(list(count))
          count += 1
        }
      }
      guard case .diskFull = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      fileSystem.arm(nil)
      let statistics = try engine.statistics()
      #expect(statistics.journalByteCountMax == 160 << 10)
      #expect(statistics.journalUsedByteCount <= 160 << 10)
      try #expect(engine.pairs().count == count)
      try engine.commit(list(count))
      try #expect(engine.statistics().checkpointCount > 0)
      try engine.close()
    }
  }

  @Test func `the data file stops growing at its bound while checkpoints fail`() throws {
    try withFolder { folder in
      var options = still
      options.journalSegmentByteCount = 64 << 20
      options.checkpointByteCount = 512 << 10
      options.growthByteCountMax = 1 << 20
      let fileSystem = FaultyFileSystem()
      let engine = try LMDBEngine(open: folder.path, options: options, fileSystem: fileSystem)
      fileSystem.arm(.init(index: 0, errno: ENOSPC, isLasting: true, operation: "open"))
      var count = 0
      #expect(throws: EngineError.self) {
        while count < 1000 {
          let list = list(count, byteCount: 30_000)
          try engine.commit(durability: .unsynced) { _ in list }
          count += 1
        }
      }
      fileSystem.arm(nil)
      let statistics = try engine.statistics()
      #expect(statistics.growthByteCountMax == 1 << 20)
      #expect(statistics.growthByteCount < 2 << 20)
      #expect((20...40).contains(count), "\(count)")
      try engine.commit(list(count))
      try #expect(engine.statistics().growthByteCount < 1 << 20)
      try engine.close()
    }
  }

  @Test func `commits of many threads wait at the bound and all arrive`() throws {
    try withFolder { folder in
      var options = LMDBEngine.Options.small
      options.journalByteCountMax = 0
      let engine = try LMDBEngine(open: folder, options: options)
      DispatchQueue.concurrentPerform(iterations: 6) { thread in
        for number in 0..<60 {
          let durability = CommitDurability.allCases[number % 3]
          _ = try? engine.commit(durability: durability) { _ in
            list(thread * 100 + number, byteCount: 900)
          }
        }
      }
      try #expect(engine.pairs().count == 360)
      // The bound is one segment; a group of six may end beyond it.
      try #expect(engine.statistics().journalUsedByteCount <= (64 + 12) << 10)
      try engine.close()
    }
  }

  // MARK: A full disk under LMDB

  @Test func `a data file that can't grow fails the save and no other`() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      try withFolder { folder in
        var options = LMDBEngine.Options.small
        options.journalSegmentByteCount = 1 << 20
        let engine = try LMDBEngine(open: folder, options: options)
        // Small saves change more of the data file than they put into the journal.
        setFileByteCountMax(512 << 10)
        var count = 0
        #expect(throws: EngineError.self) {
          while count < 100 {
            try engine.put("key \(count)", "value")
            count += 1
          }
        }
        try #expect(engine.pairs().count == count)
        #expect(throws: EngineError.self) { try engine.put("key \(count)", "value") }
        setFileByteCountMax(.max)
        try engine.put("later", "value")
        try engine.abandon()
        let reopened = try LMDBEngine(open: folder, options: options)
        try #expect(reopened.pairs().count == count + 1)
        try #expect(reopened.text("key \(count)") == nil)
        try reopened.close()
      }
    }
  }
}

/// Limits what this process may write at, as a full disk would.
private func setFileByteCountMax(_ byteCount: rlim_t) {
  var limit = rlimit(rlim_cur: byteCount, rlim_max: .max)
  setrlimit(__rlimit_resource_t(1), &limit)
}

// Several processes on one store: readers that never see half a save, writers in turn, and take-over
// from processes that died at every point. LODE_KILLS sets how many are killed at random.

import LodeRandom
import Foundation
import LodeKV
import LodeKVTesting
import Synchronization
import Testing

@Suite(.serialized) struct SeveralProcessesTests {
  private static let killCount =
    ProcessInfo.processInfo.environment["LODE_KILLS"].flatMap { Int($0) } ?? 5

  private var shared: LMDBEngine.Options {
    var options = LMDBEngine.Options.small
    options.allowsOtherProcesses = true
    options.lockWait = .seconds(60)
    return options
  }

  /// Checks that a snapshot has whole saves only, and returns how many.
  private func countSaves(_ engine: any KeyValueEngine, trees: [UInt32]) throws -> [Int] {
    try engine.read { snapshot in
      let counts = try trees.map { try snapshot.count(of: TreeID($0)) }
      let counter = try snapshot.bytes([0], in: TreeID(98)) ?? [UInt8](repeating: 0, count: 8)
      let total = counter.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
      #expect(Int(total) == counts.reduce(0, +))
      return counts
    }
  }

  @Test func `a process that opens for itself excludes others, and others it`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: shared)
      let other = try Probe("count", folder.path, "1")
      try #expect(other.readToEnd().isEmpty)
      #expect(!other.wasKilled)
      try engine.close()
      let holder = try Probe("hold", folder.path)
      holder.waitForLines(1)
      #expect(throws: EngineError.locked(path: folder.path, holder: .anotherProcess)) {
        _ = try LMDBEngine(open: folder, options: .small)
      }
      let second = try LMDBEngine(open: folder, options: shared)
      try second.put("a", "1")
      try second.close()
      try holder.finish()
      let third = try LMDBEngine(open: folder, options: .small)
      try #expect(third.text("a") == "1")
      try third.close()
    }
  }

  @Test func `processes write in turn and see each other's saves`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: shared)
      let other = try Probe("share", folder.path, "2", "10")
      other.waitForLines(20)
      // It is in the middle of writing; this one gets its turns all the same.
      for number in 0..<5 {
        try engine.commit { snapshot in
          let counter = try snapshot.bytes([0], in: TreeID(98)) ?? []
          #expect(!counter.isEmpty)
          var list = WriteList()
          list.put([UInt8](number: number), [1], in: TreeID(1))
          return list
        }
      }
      other.waitForLines(200)
      let acknowledged = try other.killAndRead()
      let counts = try countSaves(engine, trees: [10, 11])
      for thread in 0..<2 {
        let own = acknowledged.filter { $0.thread == thread }.count
        #expect((own...own + 1).contains(counts[thread]))
      }
      try engine.put("more", "value", in: 2)
      try #expect(engine.committedSequence() == engine.statistics().lastSequence)
      try engine.close()
      let reopened = try LMDBEngine(open: folder, options: .small)
      try #expect(countSaves(reopened, trees: [10, 11]) == counts)
      try #expect(reopened.pairs().count == 5)
      try reopened.close()
    }
  }

  @Test func `a reader sees whole saves while another process writes, and is told of them`() throws
  {
    try withFolder { folder in
      let writer = try Probe("share", folder.path, "2", "10")
      writer.waitForLines(10)
      // With a map that the file outgrows at once.
      var options = LMDBEngine.Options.small
      options.mapByteCount = 128 << 10
      let reader = try ReadOnlyEngine(open: folder, options: options)
      var last = 0
      for _ in 0..<2000 {
        let count = try countSaves(reader, trees: [10, 11]).reduce(0, +)
        #expect(count >= last)
        last = count
      }
      try reader.close()
      let engine = try LMDBEngine(open: folder, options: shared)
      let wakeUp = DispatchSemaphore(value: 0)
      let watch = try engine.watchCommits { wakeUp.signal() }
      let before = try engine.committedSequence()
      wakeUp.wait()
      while try engine.committedSequence() == before { sched_yield() }
      withExtendedLifetime(watch) {}
      _ = try writer.killAndRead()
      try engine.close()
    }
  }

  @Test func `of several that open a crashed store one recovers it and the others wait`() throws {
    try withFolder { folder in
      let crashed = try Probe("count", folder.path, "1")
      crashed.waitForLines(50)
      let count = try crashed.killAndRead().count
      let first: [UInt32] = [10, 20, 30, 40]
      let probes = try first.map { try Probe("share", folder.path, "1", "\($0)") }
      for probe in probes { probe.waitForLines(5) }
      let acknowledged = try probes.map { try $0.killAndRead().count }
      let engine = try LMDBEngine(open: folder, options: .small)
      let counts = try countSaves(engine, trees: [1] + first)
      #expect((count...count + 1).contains(counts[0]))
      for (acknowledged, count) in zip(acknowledged, counts.dropFirst()) {
        #expect(acknowledged >= 5 && (acknowledged...acknowledged + 1).contains(count))
      }
      try engine.close()
    }
  }

  @Test func `after a failed sync nobody writes until all have let go`() throws {
    try withFolder { folder in
      let fileSystem = FaultyFileSystem()
      let engine = try LMDBEngine(open: folder.path, options: shared, fileSystem: fileSystem)
      try engine.put("a", "1", in: 2)
      let other = try Probe("hold", folder.path)
      other.waitForLines(1)
      fileSystem.arm(.init(index: 0, operation: "sync"))
      #expect(throws: EngineError.self) { try engine.put("b", "2", in: 2) }
      fileSystem.arm(nil)
      let third = try Probe("share", folder.path, "1", "10")
      try #expect(third.readToEnd().isEmpty)
      #expect(!third.wasKilled)
      try #expect(engine.pairs(in: TreeID(2)).count == 1)
      #expect(throws: EngineError.self) { try engine.close() }
      try other.finish()
      let reopened = try LMDBEngine(open: folder, options: shared)
      try reopened.put("c", "3", in: 2)
      try #expect(reopened.pairs(in: TreeID(2)).count >= 2)
      try reopened.close()
    }
  }

  @Test func `a writer that doesn't let go makes others give up, not break in`() throws {
    try withFolder { folder in
      let writer = try Probe("share", folder.path, "1", "10")
      writer.waitForLines(10)
      var options = shared
      options.lockWait = .milliseconds(50)
      let engine = try LMDBEngine(open: folder, options: options)
      writer.pause()
      let error = #expect(throws: EngineError.self) {
        // It may be between two turns at first.
        for _ in 0..<3 { try engine.put("a", "1") }
      }
      #expect(error == .busy(path: folder.path))
      _ = try countSaves(engine, trees: [10])
      writer.resume()
      _ = try writer.killAndRead()
      try engine.put("a", "2")
      try engine.close()
    }
  }

  @Test func `processes killed at random lose nothing while others go on`() throws {
    var random = SeededGenerator()
    let trees: [UInt32] = [10, 11, 20, 21, 30, 31]
    try withFolder { folder in
      let reader = try LMDBEngine(open: folder, options: shared)
      var acknowledged = [UInt32: Int]()
      let first: [UInt32] = [10, 20, 30]
      var probes = try first.map { try Probe("share", folder.path, "2", "\($0)") }
      for kill in 0..<Self.killCount * 2 {
        let victim = kill < Self.killCount ? Int.random(in: 0..<3, using: &random) : kill % 3
        probes[victim].waitForLines(Int.random(in: 1...60, using: &random))
        _ = try countSaves(reader, trees: trees)
        for (thread, number) in try probes[victim].killAndRead() {
          acknowledged[first[victim] + UInt32(thread)] = number + 1
        }
        let counts = try countSaves(reader, trees: trees)
        for (tree, count) in zip(trees, counts) where acknowledged[tree, default: 0] > count {
          Issue.record("tree \(tree) has \(count) saves, LODE_SEED=\(random.seed)")
        }
        probes[victim] = try Probe("share", folder.path, "2", "\(first[victim])")
      }
      for probe in probes { _ = try probe.killAndRead() }
      try reader.commit { _ in WriteList() }
      let counts = try countSaves(reader, trees: trees)
      try reader.abandon()
      let reopened = try LMDBEngine(open: folder, options: .small)
      try #expect(countSaves(reopened, trees: trees) == counts)
      try reopened.close()
    }
  }

  @Test func `a process that dies at any point is taken over from, and nothing is lost`() throws {
    var deathCount = 0
    for operation in 1..<400 {
      let isKilled = try withFolder { folder in
        try survive(deathAt: operation, in: folder)
      }
      guard isKilled else { break }
      deathCount += 1
    }
    #expect((50..<399).contains(deathCount))
  }

  /// Lets a process die before its n-th operation while this one is attached, writes on, reopens.
  private func survive(deathAt operation: Int, in folder: URL) throws -> Bool {
    let engine = try LMDBEngine(open: folder, options: shared)
    try engine.put("first", "value", in: 2)
    let probe = try Probe("die", folder.path, String(operation))
    let acknowledged = try probe.readToEnd().count
    let saves = { (engine: LMDBEngine) in
      let count = try countSaves(engine, trees: [1])[0]
      #expect((acknowledged...acknowledged + 1).contains(count), "operation \(operation)")
      return count
    }
    let before = try saves(engine)
    for number in 0..<3 { try engine.put("key \(number)", "value", in: 2) }
    // What only the journal had is there now.
    let after = try saves(engine)
    #expect(after >= before)
    try engine.abandon()
    let reopened = try LMDBEngine(open: folder, options: .small)
    try #expect(saves(reopened) == after)
    try #expect(reopened.pairs(in: TreeID(2)).count == 4)
    try reopened.put("later", "value", in: 2)
    try reopened.close()
    return probe.wasKilled
  }
}

extension KeyValueEngine {
  fileprivate func put(_ key: String, _ value: String, in tree: UInt32) throws {
    try commit { _ in
      var list = WriteList()
      list.put([UInt8](key), [UInt8](value), in: TreeID(tree))
      return list
    }
  }
}

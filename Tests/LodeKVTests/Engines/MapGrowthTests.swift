// The map grows under commits and readers, and ends in an error that leaves everything usable.

import Foundation
import LodeKV
import LodeKVTesting
import Synchronization
import Testing

@Suite struct MapGrowthTests {
  private func options(_ start: UInt64, max: UInt64) -> LMDBEngine.Options {
    var options = LMDBEngine.Options.small
    options.mapByteCount = start
    options.mapByteCountMax = max
    return options
  }

  private func list(_ number: Int, byteCount: Int) -> WriteList {
    var list = WriteList()
    list.put([UInt8](number: number), [UInt8](repeating: UInt8(number % 256), count: byteCount))
    return list
  }

  @Test func `a full map grows and nothing is lost`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: options(256 << 10, max: 1 << 30))
      for number in 0..<60 { try engine.commit(list(number, byteCount: 30_000)) }
      try engine.commit(list(60, byteCount: 20_000_000))
      try #expect(engine.pairs().count == 61)
      try #expect(engine.statistics().lastSequence == 61)
      try engine.abandon()
      let reopened = try LMDBEngine(open: folder, options: options(256 << 10, max: 1 << 30))
      try #expect(reopened.pairs().last?.value.count == 20_000_000)
      try reopened.close()
    }
  }

  @Test func `growth waits for readers, whose pointers stay good`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: options(1 << 20, max: 1 << 30))
      try engine.commit(list(0, byteCount: 5000))
      let isDone = Atomic(false)
      let group = DispatchGroup()
      for _ in 0..<3 {
        group.enter()
        Thread.detachNewThread {
          while !isDone.load(ordering: .relaxed) {
            let pairs = (try? engine.pairs()) ?? []
            let isWhole = pairs.enumerated().allSatisfy { number, pair in
              pair.value.allSatisfy { $0 == UInt8(number % 256) }
            }
            #expect(isWhole && !pairs.isEmpty)
          }
          group.leave()
        }
      }
      for number in 1..<40 { try engine.commit(list(number, byteCount: 200_000)) }
      isDone.store(true, ordering: .relaxed)
      group.wait()
      try #expect(engine.pairs().count == 40)
      try engine.close()
    }
  }

  @Test func `a map at its largest refuses the save and goes on`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: options(512 << 10, max: 1 << 20))
      try engine.commit(list(1, byteCount: 1000))
      let expected = EngineError.mapFull(
        path: folder.path + "/data.mdb", byteCountMax: 1 << 20)
      #expect(throws: expected) { try engine.commit(list(2, byteCount: 2_000_000)) }
      try engine.commit(list(3, byteCount: 1000))
      try #expect(engine.pairs().map(\.value.count) == [1000, 1000])
      try #expect(engine.statistics().lastSequence == 2)
      try engine.abandon()
      let reopened = try LMDBEngine(open: folder, options: options(512 << 10, max: 1 << 20))
      try #expect(reopened.pairs().count == 2)
      try reopened.close()
    }
  }

  @Test func `saves near the largest map are there or refused, for good`() throws {
    try withFolder { folder in
      let options = options(128 << 10, max: 128 << 10)
      var accepted: Set<Int> = []
      for round in 0..<4 {
        let engine = try LMDBEngine(open: folder, options: options)
        try #expect(Set(engine.pairs().map { Int($0.key[7]) }) == accepted)
        for number in round * 30..<round * 30 + 30 {
          let list = list(number, byteCount: 900 + number * 7)
          if (try? engine.commit(list)) != nil { accepted.insert(number) }
        }
        try #expect(Set(engine.pairs().map { Int($0.key[7]) }) == accepted)
        if round % 2 == 0 { try engine.abandon() } else { try? engine.close() }
      }
      #expect(accepted.count < 120)
    }
  }

  @Test func `a tree made by a refused save can be made again`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: options(512 << 10, max: 1 << 20))
      var tooLarge = WriteList()
      tooLarge.put([1], [1], in: TreeID(7))
      tooLarge.put([2], [UInt8](repeating: 0, count: 2_000_000), in: TreeID(8))
      #expect(throws: EngineError.self) { try engine.commit(tooLarge) }
      try #expect(engine.read { try $0.count(of: TreeID(7)) } == 0)
      var list = WriteList()
      list.put([3], [3], in: TreeID(8))
      list.put([4], [4], in: TreeID(7))
      try engine.commit(list)
      try #expect(engine.pairs(in: TreeID(7)) == [Pair(key: [4], value: [4])])
      try #expect(engine.pairs(in: TreeID(8)) == [Pair(key: [3], value: [3])])
      try engine.close()
    }
  }

  @Test func `too many trees are an error and the others stay usable`() throws {
    try withFolder { folder in
      var options = LMDBEngine.Options.small
      options.treeCountMax = 3
      let engine = try LMDBEngine(open: folder, options: options)
      for number: UInt32 in 1...3 {
        var list = WriteList()
        list.put([1], [1], in: TreeID(number))
        try engine.commit(list)
      }
      var list = WriteList()
      list.put([1], [1], in: TreeID(4))
      #expect(throws: EngineError.self) { try engine.commit(list) }
      try engine.put("a", "1")
      try #expect(engine.text("a") == "1")
      try engine.close()
    }
  }

  @Test func `more readers than the limit are an error, until some have left`() throws {
    try withFolder { folder in
      var options = LMDBEngine.Options.small
      options.readerCountMax = 20
      let engine = try LMDBEngine(open: folder, options: options)
      try engine.put("a", "1")
      func nest(_ depth: Int) throws {
        try engine.read { _ in try nest(depth + 1) }
      }
      #expect(throws: EngineError.self) { try nest(0) }
      try #expect(engine.text("a") == "1")
      try engine.close()
    }
  }

  @Test func `ascending keys fill the pages`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      var list = WriteList()
      for number in 0..<5000 { list.put([UInt8](number: number), [UInt8](repeating: 1, count: 84)) }
      try engine.commit(list)
      // 100 bytes a pair with LMDB's own 10: 4080 bytes of a page hold 40 of them.
      try #expect(engine.statistics().dataFileByteCount < 5000 / 39 * 4096 + 20 * 4096)
      try engine.close()
    }
  }
}

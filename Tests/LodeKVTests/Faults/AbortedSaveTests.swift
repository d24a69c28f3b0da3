// A save that LMDB can't commit though its frame is durable is taken back by an abort frame. Its number stays
// taken, so that the data file is behind the journal.

import Foundation
import LodeKV
import LodeKVTesting
import LodeRandom
import Testing

@Suite struct AbortedSaveTests {
  private static var options: LMDBEngine.Options {
    var options = LMDBEngine.Options.small
    options.mapByteCount = 256 << 10
    options.mapByteCountMax = 640 << 10
    options.allowsOtherProcesses = true
    options.lockWait = .seconds(60)
    return options
  }

  /// Saves with the map nearly full, until a save fails at LMDB's commit, which shows in the number of the last
  /// save.
  private func abortSave(_ engine: LMDBEngine) throws {
    var random = SeededGenerator(seed: 20_240_601)
    for _ in 1...20_000 {
      let sequence = try engine.statistics().lastSequence
      var list = WriteList()
      for _ in 1...Int.random(in: 1...8, using: &random) {
        let key = [UInt8](number: Int.random(in: 0..<200, using: &random))
        let byteCounts = random.chance(5) ? 0...40_000 : 0...700
        list.put(
          key, random.bytes(byteCounts), in: TreeID(UInt32.random(in: 1...3, using: &random)))
      }
      do {
        try engine.commit(durability: .unsynced) { [list] _ in list }
      } catch EngineError.mapFull {
        if try engine.statistics().lastSequence > sequence { return }
        try engine.checkpoint()
        try makeRoom(engine)
      }
    }
    Issue.record("no save failed at LMDB's commit")
  }

  /// Deletes the long values.
  private func makeRoom(_ engine: LMDBEngine) throws {
    for tree in [1, 2, 3].map({ TreeID($0) }) {
      var list = WriteList()
      for pair in try engine.pairs(in: tree) where pair.value.count > 700 {
        list.delete(pair.key, in: tree)
      }
      _ = try? engine.commit(list)
    }
  }

  // A checkpoint that followed at once was refused by the next process that wanted to write, as the data file
  // seemed to be older. Random programs found it.
  @Test func `a process takes over from one whose last save was taken back`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: Self.options)
      let neighbour = try Probe("hold", folder.path)
      neighbour.waitForLines(1)
      try abortSave(engine)
      let pairs = try engine.pairs()
      try engine.checkpoint()
      try engine.abandon()
      let successor = try LMDBEngine(open: folder, options: Self.options)
      try successor.checkpoint()
      var list = WriteList()
      for pair in pairs.dropFirst(2) { list.delete(pair.key) }
      try successor.commit(list)
      #expect(try successor.pairs() == Array(pairs.prefix(2)))
      try successor.close()
      try neighbour.finish()
    }
  }
}

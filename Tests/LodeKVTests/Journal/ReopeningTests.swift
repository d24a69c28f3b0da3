// What a store holds after it was closed, or abandoned as by a crash of the process.

import Foundation
import LodeKV
import LodeKVTesting
import Testing

@Suite struct ReopeningTests {
  @Test func `a closed store holds everything in its data file`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      for number in 1...20 { try engine.put("key \(number)", "value") }
      try engine.close()
      let reopened = try LMDBEngine(open: folder, options: .small)
      try #expect(reopened.statistics().lastSequence == 20)
      try #expect(reopened.statistics().checkpointCount == 0)
      try #expect(reopened.pairs().count == 20)
      try #expect(reopened.put("more", "value") == 21)
      try reopened.close()
    }
  }

  @Test func `an abandoned store is replayed from its journal`() throws {
    try withFolder { folder in
      for round in 0..<5 {
        let engine = try LMDBEngine(open: folder, options: .small)
        try #expect(engine.pairs().count == round * 30)
        for number in 0..<30 { try engine.put("key \(round) \(number)", "value") }
        try #expect(engine.statistics().lastSequence == UInt64(round * 30 + 30))
        try engine.abandon()
      }
    }
  }

  @Test func `a second opener is refused until the first has closed`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      #expect(throws: EngineError.locked(path: folder.path, holder: .thisProcess)) {
        _ = try LMDBEngine(open: folder, options: .small)
      }
      try engine.put("a", "1")
      try engine.close()
      let second = try LMDBEngine(open: folder, options: .small)
      try #expect(second.text("a") == "1")
      try second.close()
    }
  }

  @Test func `a checkpoint empties the journal and loses nothing`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      try engine.put("a", "1")
      try engine.checkpoint()
      try engine.checkpoint()
      try #expect(engine.statistics().checkpointCount == 1)
      try engine.put("b", "2")
      try engine.checkpoint()
      try engine.put("c", "3")
      try #expect(engine.statistics().checkpointCount == 2)
    }
  }

  @Test func `segments are recycled and files do not pile up`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      for number in 0..<200 { try engine.put("key \(number % 7)", "value \(number)") }
      try engine.checkpoint()
      try #expect(engine.statistics().checkpointCount > 5)
      try #expect(engine.statistics().journalFileByteCount <= 4 * 64 << 10)
      try engine.close()
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(names.filter { $0.hasPrefix("j-") }.count == 1)
      #expect(Set(names).isSuperset(of: ["data.mdb", "store.lock"]))
    }
  }

  @Test func `a save larger than a segment is journaled`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      var list = WriteList()
      list.put([1], [UInt8](repeating: 7, count: 1_000_000))
      try engine.commit(list)
      try engine.abandon()
      let reopened = try LMDBEngine(open: folder, options: .small)
      try #expect(reopened.pairs().first?.value.count == 1_000_000)
      try reopened.close()
    }
  }
}

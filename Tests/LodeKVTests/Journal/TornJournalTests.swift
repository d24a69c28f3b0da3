// A journal that was cut, flipped or overwritten: an end that a crash can leave is accepted and
// loses nothing that was acknowledged; anything else is refused, and changes no file.

import Foundation
import LodeKV
import LodeKVTesting
import Testing

@Suite struct TornJournalTests {
  private static let framesPosition = 8192

  /// Leaves a store with saves 1 to `count` in its journal only, each in a group of its own.
  private func abandonedStore(_ folder: URL, count: Int) throws {
    let engine = try LMDBEngine(open: folder, options: .small)
    for number in 1...count { try engine.put("key \(number)", "value \(number)") }
    try engine.abandon()
  }

  private func segment(_ folder: URL) -> URL { folder.appendingPathComponent("j-00000001") }

  private func keyCount(_ folder: URL) throws -> Int {
    let engine = try LMDBEngine(open: folder, options: .small)
    defer { try? engine.abandon() }
    return try engine.pairs().count
  }

  /// Copies a folder, changes the copy's journal, and hands it on.
  private func withChangedJournal(
    of folder: URL, _ change: (inout Data) -> Void, _ body: (URL) throws -> Void
  ) throws {
    try withFolder { parent in
      let copy = parent.appendingPathComponent("copy")
      try FileManager.default.copyItem(at: folder, to: copy)
      var bytes = try Data(contentsOf: segment(copy))
      change(&bytes)
      try bytes.write(to: segment(copy))
      try body(copy)
    }
  }

  @Test func `a last group cut at any byte is no save, and the saves before it are there`() throws {
    try withFolder { folder in
      try abandonedStore(folder, count: 3)
      let lastGroup = Self.framesPosition + 2 * 4096
      for cut in 0..<120 {
        try withChangedJournal(of: folder) { bytes in
          bytes.resetBytes(in: lastGroup + cut..<bytes.count)
        } _: { copy in
          let isWhole = cut >= 56 + 11 + 5 + 7
          try #expect(keyCount(copy) == (isWhole ? 3 : 2), "cut after \(cut) bytes")
          try #expect(keyCount(copy) == (isWhole ? 3 : 2), "cut after \(cut) bytes, again")
        }
      }
    }
  }

  @Test func `a file that ends within the last group is a torn end too`() throws {
    try withFolder { folder in
      try abandonedStore(folder, count: 3)
      for count in [0, 1, 55, 56, 70] {
        try withChangedJournal(of: folder) { bytes in
          bytes.removeSubrange((Self.framesPosition + 2 * 4096 + count)...)
        } _: { copy in
          try #expect(keyCount(copy) == 2)
        }
      }
    }
  }

  @Test func `a flipped bit in the last group makes it a torn end`() throws {
    try withFolder { folder in
      try abandonedStore(folder, count: 3)
      for bit in stride(from: 0, to: 79 * 8, by: 5) {
        try withChangedJournal(of: folder) { bytes in
          bytes[Self.framesPosition + 2 * 4096 + bit / 8] ^= 1 << (bit % 8)
        } _: { copy in
          try #expect(keyCount(copy) == 2, "bit \(bit)")
        }
      }
    }
  }

  @Test func `a flipped bit before durable saves is damage, and is refused`() throws {
    try withFolder { folder in
      try abandonedStore(folder, count: 4)
      for bit in stride(from: 0, to: 79 * 8, by: 11) {
        try withChangedJournal(of: folder) { bytes in
          bytes[Self.framesPosition + 4096 + bit / 8] ^= 1 << (bit % 8)
        } _: { copy in
          try expectRefusal(copy) { error in
            guard case .corrupt(_, let position, let reason) = error else { return false }
            return position == UInt64(Self.framesPosition + 4096) && reason.contains("save 1")
          }
        }
      }
    }
  }

  @Test func `frames of an earlier life of a segment don't count`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      for number in 1...10 { try engine.put("key \(number)", "old") }
      try engine.checkpoint()
      for number in 1...3 { try engine.put("key \(number)", "new") }
      try engine.checkpoint()
      try engine.put("key 1", "newest")
      try engine.abandon()
      let reopened = try LMDBEngine(open: folder, options: .small)
      try #expect(reopened.text("key 1") == "newest")
      try #expect(reopened.text("key 3") == "new")
      try #expect(reopened.text("key 4") == "old")
      try #expect(reopened.statistics().lastSequence == 14)
      try reopened.close()
    }
  }

  @Test func `a segment of absurd length is read in parts`() throws {
    try withFolder { folder in
      try abandonedStore(folder, count: 3)
      let handle = try FileHandle(forWritingTo: segment(folder))
      try handle.truncate(atOffset: 1 << 25)
      try handle.close()
      try #expect(keyCount(folder) == 3)
    }
  }

  @Test func `saves after a torn end are kept beside it`() throws {
    try withFolder { folder in
      try abandonedStore(folder, count: 3)
      try withChangedJournal(of: folder) { bytes in
        bytes[Self.framesPosition + 2 * 4096 + 60] ^= 1
      } _: { copy in
        for round in 0..<3 {
          let engine = try LMDBEngine(open: copy, options: .small)
          try engine.put("round \(round)", "value")
          try engine.abandon()
        }
        try #expect(keyCount(copy) == 5)
      }
    }
  }
}

/// Expects that opening a folder fails in a certain way and changes none of its files.
func expectRefusal(
  _ folder: URL, sourceLocation: SourceLocation = #_sourceLocation,
  _ isExpected: (EngineError) -> Bool
) throws {
  let before = try contents(of: folder)
  do throws(EngineError) {
    _ = try LMDBEngine(open: folder, options: .small)
    Issue.record("the folder was opened", sourceLocation: sourceLocation)
  } catch {
    #expect(isExpected(error), "\(error)", sourceLocation: sourceLocation)
  }
  let after = try contents(of: folder)
  #expect(before.allSatisfy { after[$0.key] == $0.value }, sourceLocation: sourceLocation)
}

/// Reads all files of a folder but those that only hold locks.
func contents(of folder: URL) throws -> [String: Data] {
  let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    .filter { $0 != "store.lock" && !$0.hasSuffix("-lock") }
  return try Dictionary(
    uniqueKeysWithValues: names.map { name in
      (name, try Data(contentsOf: folder.appendingPathComponent(name)))
    })
}

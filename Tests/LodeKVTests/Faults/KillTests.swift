// A process that saves is killed at random moments. Afterwards exactly the acknowledged saves are
// there, and at most one more for each thread, which was in flight. LODE_KILLS sets how often.

import LodeRandom
import Foundation
import LodeKV
import LodeKVTesting
import Testing

@Suite struct KillTests {
  private static let killCount =
    ProcessInfo.processInfo.environment["LODE_KILLS"].flatMap { Int($0) } ?? 5

  @Test(arguments: [1, 3])
  func `a killed process loses no acknowledged save`(threadCount: Int) throws {
    var random = SeededGenerator()
    try withFolder { folder in
      var counts = [Int](repeating: 0, count: threadCount)
      for kill in 0..<Self.killCount {
        let lineCount = kill == 1 ? 0 : Int.random(in: 1...600, using: &random)
        let acknowledged = try runAndKill(folder, threadCount, afterLines: lineCount)
        for (thread, number) in acknowledged {
          // Numbers come one after the other, from what was there.
          #expect(number == counts[thread], "LODE_SEED=\(random.seed)")
          counts[thread] = number + 1
        }
        counts = try check(folder, counts, "kill \(kill), LODE_SEED=\(random.seed)")
      }
    }
  }

  /// Runs the probe, kills it after some lines of output, and returns all acknowledged numbers.
  private func runAndKill(
    _ folder: URL, _ threadCount: Int, afterLines lineCount: Int
  ) throws -> [(thread: Int, number: Int)] {
    let probe = try Probe("count", folder.path, String(threadCount))
    probe.waitForLines(lineCount)
    let acknowledged = try probe.killAndRead()
    #expect(probe.wasKilled)
    return acknowledged
  }

  /// Checks each thread's numbers and returns how many there are.
  private func check(
    _ folder: URL, _ acknowledgedCounts: [Int], _ comment: Comment
  ) throws -> [Int] {
    let engine = try LMDBEngine(open: folder, options: .small)
    defer { try? engine.close() }
    return try acknowledgedCounts.enumerated().map { thread, acknowledged in
      let pairs = try engine.pairs(in: TreeID(UInt32(thread + 1)))
      let expected = (0..<pairs.count).map { [UInt8](number: $0) }
      #expect(pairs.map(\.key) == expected && pairs.map(\.value) == expected, comment)
      #expect((acknowledged...acknowledged + 1).contains(pairs.count), comment)
      return pairs.count
    }
  }
}

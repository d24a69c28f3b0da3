// A checkpoint whose last sync fails, or never comes, leaves the header of its segment where the next
// opening reads it though a power failure may still take it. The opening went on from there: it wrote over pages
// of the checkpoint before, which was the durable one, and took saves for durable that only a journal
// held which nobody had synced. Random programs found it.

import LodeRandom
import Foundation
import LodeKV
import LodeKVTesting
import Testing

@Suite struct UnsyncedHeaderTests {
  /// Saves, makes a checkpoint fail at one of its syncs, and opens the store again.
  private func reopenAfterFailure(
    ofSync index: Int, _ disk: PowerLossFileSystem, _ folder: URL, _ log: SaveLog
  ) throws -> LMDBEngine {
    let faults = FaultyFileSystem(over: disk)
    let engine = try LMDBEngine(open: folder.path, options: .small, fileSystem: faults)
    for number in 1...3 { try NumberedSaves.save(number, to: engine, durability: .unsynced, log) }
    faults.arm(.init(index: index, operation: "sync"))
    try? engine.checkpoint()
    try engine.abandon()
    return try LMDBEngine(open: folder.path, options: .small, fileSystem: disk)
  }

  @Test(arguments: 0..<8)
  func `a checkpoint that failed is made durable before the store is used again`(
    index: Int
  ) throws {
    var random = SeededGenerator()
    try withFolder { folder in
      let disk = try PowerLossFileSystem(folder: folder.path)
      let log = SaveLog()
      let engine = try reopenAfterFailure(ofSync: index, disk, folder, log)
      try engine.checkpoint()
      log.acknowledged.formUnion(log.started)
      for number in 4...9 {
        try NumberedSaves.save(number, to: engine, durability: .unsynced, log)
      }
      for _ in 1...20 {
        let problem = try withFolder { image in
          try disk.leave(in: image.path, &random)
          return NumberedSaves.problem(in: image.path, log)
        }
        #expect(problem == nil, "LODE_SEED=\(random.seed)")
      }
      try engine.abandon()
    }
  }
}

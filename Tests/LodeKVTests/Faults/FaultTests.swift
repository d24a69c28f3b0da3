// Every file operation fails once, or from then on, during creation, commits, checkpoints,
// recovery and closing. Whatever was acknowledged must be there after reopening.

import Foundation
import LodeKV
import LodeKVTesting
import Testing

@Suite struct FaultTests {
  static let faults: [FaultyFileSystem.Fault] = [
    .init(index: 0, errno: EIO),
    .init(index: 0, errno: EIO, tearsWrites: true),
    .init(index: 0, errno: ENOSPC, tearsWrites: true, operation: "write"),
    .init(index: 0, errno: EIO, isLasting: true),
  ]

  @Test(arguments: faults)
  func `a failing operation never loses a save`(fault: FaultyFileSystem.Fault) throws {
    try forEachIndex(of: fault) { folder, fileSystem, _ in
      let log = SaveLog()
      work(in: folder, fileSystem, log)
      return log
    }
  }

  @Test(arguments: faults)
  func `a failing operation during recovery never loses a save`(
    fault: FaultyFileSystem.Fault
  ) throws {
    try forEachIndex(of: fault) { folder, fileSystem, _ in
      let log = SaveLog()
      let engine = try LMDBEngine(
        open: folder, options: .small, fileSystem: POSIXFileSystem())
      for number in 1...4 { try NumberedSaves.save(number, to: engine, log) }
      try engine.checkpoint()
      for number in 5...8 { try NumberedSaves.save(number, to: engine, log) }
      try engine.abandon()
      _ = try? LMDBEngine(open: folder, options: .small, fileSystem: fileSystem)
      return log
    }
  }

  /// Runs a scenario with the first operation failing, then with the second, until none is left.
  private func forEachIndex(
    of fault: FaultyFileSystem.Fault,
    _ scenario: (String, FaultyFileSystem, Int) throws -> SaveLog
  ) throws {
    for index in 0..<2000 {
      var fault = fault
      fault.index = index
      let fileSystem = FaultyFileSystem(fault)
      try withFolder { folder in
        let log = try scenario(folder.path, fileSystem, index)
        let comment = "operation \(index) failed: \(fileSystem.failures.prefix(3))"
        let problem = NumberedSaves.problem(in: folder.path, log)
        #expect(problem == nil, "\(comment)")
      }
      if fileSystem.failures.isEmpty { return }
    }
    Issue.record("the scenario never ran to its end")
  }

  /// Opens, saves, checkpoints and closes, going on after errors as an application might.
  private func work(in folder: String, _ fileSystem: FaultyFileSystem, _ log: SaveLog) {
    guard
      let engine = try? LMDBEngine(open: folder, options: .small, fileSystem: fileSystem)
    else { return }
    for number in 1...3 { try? NumberedSaves.save(number, to: engine, log) }
    try? engine.checkpoint()
    for number in 4...6 { try? NumberedSaves.save(number, to: engine, log) }
    try? engine.checkpoint()
    for number in 7...8 { try? NumberedSaves.save(number, to: engine, log) }
    try? engine.close()
  }
}

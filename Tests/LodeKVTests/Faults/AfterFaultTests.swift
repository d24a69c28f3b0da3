// What an engine does after an operation has failed: it goes on being read, and it goes on saving as
// soon as the cause is gone, or says that it must be opened again.

import Foundation
import LodeKV
import LodeKVTesting
import Testing

@Suite struct AfterFaultTests {
  private enum Outcome: Hashable {
    case saves
    case mustReopen
  }

  /// Makes the n-th operation of saves and checkpoints fail, for every n, and returns what became of
  /// the engines.
  private func forEachOperation(
    isShared: Bool, errno: Int32, operation: String?
  ) throws -> [Outcome: Int] {
    var outcomes: [Outcome: Int] = [:]
    for index in 0..<400 {
      let fileSystem = FaultyFileSystem()
      var fault = FaultyFileSystem.Fault(index: index, errno: errno)
      fault.tearsWrites = true
      fault.operation = operation
      let outcome: Outcome? = try withFolder { folder in
        try self.outcome(of: fault, fileSystem, folder, isShared: isShared)
      }
      guard let outcome else { return outcomes }
      outcomes[outcome, default: 0] += 1
    }
    Issue.record("the scenario never ran to its end")
    return outcomes
  }

  /// Returns what became of the engine, or nil when the fault was never met.
  private func outcome(
    of fault: FaultyFileSystem.Fault, _ fileSystem: FaultyFileSystem, _ folder: URL, isShared: Bool
  ) throws -> Outcome? {
    let holder = isShared ? try Probe("hold", folder.path) : nil
    holder?.waitForLines(1)
    var options = LMDBEngine.Options.small
    options.allowsOtherProcesses = isShared
    options.lockWait = .seconds(60)
    let log = SaveLog()
    let engine = try LMDBEngine(open: folder.path, options: options, fileSystem: fileSystem)
    if !isShared { try NumberedSaves.save(1, to: engine, log) }
    fileSystem.arm(fault)
    for number in 2...5 {
      try? NumberedSaves.save(number, to: engine, log)
      try? engine.checkpoint()
    }
    let failures = fileSystem.failures
    fileSystem.arm(nil)
    // Readable, with everything acknowledged, whatever happened.
    try #expect(NumberedSaves.present(in: engine).isSuperset(of: log.acknowledged), "\(failures)")
    var outcome = Outcome.saves
    do {
      try NumberedSaves.save(6, to: engine, log)
    } catch EngineError.poisoned {
      outcome = .mustReopen
    }
    try engine.abandon()
    try holder?.finish()
    let problem = NumberedSaves.problem(in: folder.path, log)
    #expect(problem == nil, "\(failures)")
    return failures.isEmpty ? nil : outcome
  }

  @Test(arguments: [false, true])
  func `after an error the store is read and saves go on or say to reopen`(
    isShared: Bool
  ) throws {
    let outcomes = try forEachOperation(isShared: isShared, errno: EIO, operation: nil)
    #expect(outcomes[.saves, default: 0] > 5 && outcomes[.mustReopen, default: 0] > 5)
  }

  @Test(arguments: [false, true])
  func `after a write for which there was no space saves go on`(isShared: Bool) throws {
    let outcomes = try forEachOperation(isShared: isShared, errno: ENOSPC, operation: "write")
    #expect(outcomes[.saves, default: 0] > 5)
    // Only the write of a new header leaves it in doubt which segment counts.
    #expect(outcomes[.mustReopen, default: 0] <= 10, "\(outcomes)")
  }

  @Test func `after a failed sync the store must be opened again`() throws {
    let outcomes = try forEachOperation(isShared: false, errno: EIO, operation: "sync")
    #expect(outcomes[.mustReopen, default: 0] > 5, "\(outcomes)")
  }
}

// Random programs against the engine and a plain dictionary at once. LODE_SIMULATION_SECONDS sets how long
// they run, LODE_SEED begins with the program that a failure names.

import LodeRandom
import Foundation
import LodeKV
import LodeKVTesting
import Testing

@Suite struct SimulationTests {
  private static let seconds =
    ProcessInfo.processInfo.environment["LODE_SIMULATION_SECONDS"].flatMap { Double($0) } ?? 2.5

  @Test(arguments: 0..<UInt64(2))
  func `a store is what a dictionary is, whatever fails`(lane: UInt64) throws {
    let first = SeededGenerator().seed &+ lane << 32
    let end = ContinuousClock.now + .seconds(Self.seconds)
    var total = SimulationCounts()
    var seed = first
    repeat {
      let isSound = try simulate(seed, &total) { program, error in
        let steps = program.steps.joined(separator: "\n")
        Issue.record("LODE_SEED=\(seed): \(error); the last steps were\n\(steps)")
      }
      guard isSound else { break }
      seed &+= 1
    } while ContinuousClock.now < end
    print("simulation from LODE_SEED=\(first): \(total.text)")
  }

  // Negative controls: with one step of the engine's protocol left out, or a promise taken for granted that
  // it doesn't make, the same programs must find something. They run in processes of their own, since LMDB
  // may crash on such files.

  @Test func `a journal that isn't synced is noticed`() async {
    await #expect(processExitsWith: .failure) { exitAfterPrograms(with: .journalSync) }
  }

  @Test func `a data file that isn't synced is noticed`() async {
    await #expect(processExitsWith: .failure) { exitAfterPrograms(with: .dataSync) }
  }

  @Test func `a folder that isn't synced is noticed`() async {
    await #expect(processExitsWith: .failure) { exitAfterPrograms(with: .folderSync) }
  }

  @Test func `a meta page that isn't restored is noticed`() async {
    await #expect(processExitsWith: .failure) { exitAfterPrograms(with: .metaRestoration) }
  }

  @Test func `a loss of saves that need not be durable is noticed`() async {
    await #expect(processExitsWith: .failure) {
      exitAfterPrograms(trusting: [.full, .eventual, .unsynced])
    }
  }
}

/// Runs one program in a folder of its own and returns whether it came to its end.
private func simulate(
  _ seed: UInt64, flaw: PowerLossFileSystem.Flaw? = nil,
  trusting trusted: Set<CommitDurability> = [.full], _ total: inout SimulationCounts,
  onFailure: (SimulationProgram, any Error) -> Void
) throws -> Bool {
  try withFolder { folder in
    let program = try SimulationProgram(seed: seed, in: folder, flaw: flaw, trusting: trusted)
    defer { total.add(program.counts) }
    do {
      try program.run(stepCount: 200)
      return true
    } catch {
      onFailure(program, error)
      return false
    }
  }
}

/// Ends the process, as a failure when the programs found one or the engine itself did.
private func exitAfterPrograms(
  with flaw: PowerLossFileSystem.Flaw? = nil, trusting trusted: Set<CommitDurability> = [.full]
) {
  var total = SimulationCounts()
  for seed in UInt64(1)...20 {
    _ = try? simulate(seed, flaw: flaw, trusting: trusted, &total) { _, error in
      exit(error is EngineError || error is SimulationProgram.Finding ? 1 : 0)
    }
  }
  exit(0)
}

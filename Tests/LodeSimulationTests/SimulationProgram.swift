// A random program against one store: the steps, and what each of them must show. How the store is lost and
// opened again is in SimulationCrashes.swift.

import LodeRandom
import Foundation
import LodeKV
import LodeKVTesting

/// One random program against a store and its successors: each crash inside an operation leaves a folder on
/// which the program goes on.
final class SimulationProgram {
  /// What a program found wrong.
  struct Finding: Error, CustomStringConvertible {
    let description: String
  }

  /// What a crash inside the operation under way left, and what the store must be then.
  struct Image {
    let folder: URL
    let model: SimulationModel
  }

  var random: SeededGenerator
  /// For crashes inside operations, so that their number doesn't change the program.
  var crashRandom: SeededGenerator
  let options: LMDBEngine.Options
  let flaw: PowerLossFileSystem.Flaw?
  /// What is taken for durable as soon as it is acknowledged; more than `full` is a negative control.
  let trusted: Set<CommitDurability>
  let folders: URL

  var model = SimulationModel()
  var folder: URL
  var disk: PowerLossFileSystem
  var faults: FaultyFileSystem
  var engine: LMDBEngine?
  /// Another process that has the store open.
  var neighbour: Probe?
  var image: Image?
  /// What went wrong while an image was taken.
  var imageError: (any Error)?
  /// Whether the engine has said that it must be opened again.
  var mustReopen = false
  var counts = SimulationCounts()
  /// The last steps, for a failure's message.
  private(set) var steps: [String] = []
  private var nextNumber = 1

  init(
    seed: UInt64, in folders: URL, flaw: PowerLossFileSystem.Flaw? = nil,
    trusting trusted: Set<CommitDurability> = [.full]
  ) throws {
    var random = SeededGenerator(seed: seed)
    options = LMDBEngine.Options.simulated(&random)
    crashRandom = SeededGenerator(seed: random.next())
    self.random = random
    self.flaw = flaw
    self.trusted = trusted
    self.folders = folders
    folder = try Self.emptyFolder(in: folders)
    disk = try PowerLossFileSystem(folder: folder.path, flaw: flaw)
    faults = FaultyFileSystem(over: disk)
    counts.count(.programs)
  }

  /// Runs the program's steps and a last comparison.
  func run(stepCount: Int) throws {
    defer { disk.beforeChange = nil }
    try open()
    for _ in 0..<stepCount {
      try step()
      try recoverIfNeeded()
    }
    try compare()
    faults.arm(nil)
    disk.beforeChange = nil
    try engine?.close()
    engine = nil
    try neighbour?.finish()
  }

  func note(_ step: String) {
    steps = steps.suffix(29) + [step]
  }

  private func step() throws {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<55: try save()
    case 55..<58: try saveNothing()
    case 58..<64: try compare()
    case 64..<71: try checkpoint()
    case 71..<75: try burst()
    case 75..<80: try saveBesideSnapshot()
    case 80..<86: armFault()
    case 86..<88: faults.arm(nil)
    case 88..<92: try crashProcess()
    case 92..<95: try close()
    default: try takeImage(.powerFailure)
    }
  }
}

// MARK: Saves

extension SimulationProgram {
  func newSave() -> SimulationModel.Save {
    defer { nextNumber += 1 }
    let number = [UInt8](number: nextNumber)
    var changes: [SimulationModel.Address: [UInt8]?] = [SimulationModel.counter: number]
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      let tree = TreeID(UInt32.random(in: 1...3, using: &random))
      let key = [UInt8](number: Int.random(in: 0..<120, using: &random))
      let isLarge = Int.random(in: 0..<40, using: &random) == 0
      let value = random.bytes(isLarge ? 0...60_000 : 0...700)
      let isDelete = Int.random(in: 0..<3, using: &random) == 0
      changes[.init(tree: tree, key: key)] = isDelete ? .some(nil) : value
    }
    return SimulationModel.Save(number: nextNumber, changes: changes)
  }

  private func save() throws {
    guard let engine else { return }
    let save = newSave()
    let durability = CommitDurability.allCases.randomElement(using: &random) ?? .full
    let list = save.list
    let numberBefore = model.lastNumber
    model.begin(save)
    note("save \(save.number) \(durability)")
    do {
      let sequence = try engine.commit(durability: durability) { snapshot in
        try Self.check(snapshot, isAt: numberBefore)
        return list
      }
      model.acknowledge(save, sequence: sequence)
      counts.count(.saves)
      if trusted.contains(durability) { model.settle(throughSequence: sequence) }
      try settle()
    } catch let error as EngineError {
      counts.count(.refusedSaves)
      try follow(error)
    }
  }

  static func check(_ snapshot: any KeyValueSnapshot, isAt number: Int) throws {
    let found = try snapshot.lastSaveNumber()
    guard found == number else {
      throw Finding(description: "a save saw save \(found) as the last one, not \(number)")
    }
  }

  /// A save without changes makes everything before it durable.
  private func saveNothing() throws {
    guard let engine else { return }
    do {
      try engine.commit(durability: .full) { _ in WriteList() }
      model.settle(throughSequence: .max)
    } catch let error as EngineError {
      try follow(error)
    }
  }

  /// Takes the engine at its word about what is durable.
  func settle() throws {
    guard let engine else { return }
    model.settle(throughSequence: try faults.pausing { try engine.statistics().durableSequence })
  }

  private func checkpoint() throws {
    guard let engine else { return }
    do throws(EngineError) {
      try engine.checkpoint()
      counts.count(.checkpoints)
      note("checkpoint")
      model.settle(throughSequence: .max)
    } catch {
      try follow(error)
    }
  }

  /// Sees that a snapshot stays what it is while saves go on.
  private func saveBesideSnapshot() throws {
    // A map that grows waits for the snapshots.
    guard let engine, !options.growsMap else { return try compare() }
    counts.count(.snapshots)
    let before = model
    let wrong = try engine.read { snapshot in
      for _ in 0..<3 where !mustReopen && image == nil { try save() }
      return try before.difference(from: snapshot)
    }
    if let wrong { throw Finding(description: "a snapshot changed: \(wrong)") }
  }

  func compare() throws {
    guard let engine else { return }
    counts.count(.comparisons)
    if let wrong = try engine.read(model.difference) { throw Finding(description: wrong) }
  }
}

// MARK: Faults

extension SimulationProgram {
  private func armFault() {
    let operations = ["write", "write", "sync", "rename", "open", "remove", nil]
    let fault = FaultyFileSystem.Fault(
      index: Int.random(in: 0..<10, using: &random),
      errno: Bool.random(using: &random) ? ENOSPC : EIO,
      isLasting: Int.random(in: 0..<3, using: &random) == 0,
      tearsWrites: Bool.random(using: &random),
      operation: operations.randomElement(using: &random) ?? nil)
    note("\(fault)")
    faults.arm(fault)
  }

  /// Sees that an operation had a reason to fail and that everything is readable, and asks the engine whether
  /// it goes on saving. If it does, what it refused must never appear.
  func follow(_ error: EngineError) throws {
    note("failed: \(error)")
    try checkIsExpected(error)
    if try isPoisoned() {
      counts.count(.poisonings)
      mustReopen = true
    } else {
      model.refuse()
    }
    do { try compare() } catch { throw Finding(description: "after \(error): \(error)") }
  }

  func checkIsExpected(_ error: EngineError) throws {
    switch error {
    case .file where !faults.failures.isEmpty, .diskFull where !faults.failures.isEmpty:
      counts.count(.faults)
    case .mapFull where options.growsMap: counts.count(.mapsFull)
    case .poisoned where mustReopen: break
    default: throw Finding(description: "an operation failed with \(error)")
    }
  }

  private func isPoisoned() throws -> Bool {
    guard let engine else { return false }
    return try faults.pausing {
      do {
        try engine.commit(durability: .unsynced) { _ in WriteList() }
        return false
      } catch EngineError.poisoned {
        return true
      }
    }
  }
}

extension LMDBEngine.Options {
  /// Random sizes. Nothing is done in the background, so that a seed replays.
  fileprivate static func simulated(_ random: inout SeededGenerator) -> LMDBEngine.Options {
    var options = LMDBEngine.Options()
    let growsMap = Bool.random(using: &random)
    let mapByteCountMax: [UInt64] = [640 << 10, 1 << 20, 16 << 20]
    options.mapByteCount = growsMap ? 256 << 10 : 1 << 30
    options.mapByteCountMax =
      growsMap ? mapByteCountMax.randomElement(using: &random) ?? 0 : 1 << 30
    options.journalSegmentByteCount = UInt64(64 << 10) << UInt64.random(in: 0...4, using: &random)
    options.journalByteCountMax =
      options.journalSegmentByteCount << UInt64.random(in: 0...2, using: &random)
    options.checkpointByteCount = UInt64(1 << 20) << UInt64.random(in: 0...4, using: &random)
    options.growthByteCountMax = options.checkpointByteCount
    options.worksInBackground = false
    options.allowsOtherProcesses = Int.random(in: 0..<5, using: &random) == 0
    options.lockWait = .seconds(60)
    return options
  }

  fileprivate var growsMap: Bool { mapByteCount < mapByteCountMax }
}

// Saves on several threads at once, which share groups and syncs. Afterwards the sequences tell in which order
// they were made, and each must have seen the one before it.

import Dispatch
import LodeKV
import LodeKVTesting
import Synchronization

extension SimulationProgram {
  /// What a save's closure throws that thinks better of it.
  private struct Withdrawal: Error {}

  func burst() throws {
    guard let engine else { return }
    // Threads take turns as they like: a crash or a fault among them could not be repeated.
    let hook = disk.beforeChange
    disk.beforeChange = nil
    defer { disk.beforeChange = hook }
    let saves = (0..<6).map { _ in newSave() }
    let durabilities = saves.map { _ in
      CommitDurability.allCases.randomElement(using: &random) ?? .full
    }
    let withdrawn = Int.random(in: 0..<20, using: &random)
    let results = BurstResults()
    faults.pausing {
      DispatchQueue.concurrentPerform(iterations: saves.count) { index in
        let list = saves[index].list
        let result = Result {
          try engine.commit(durability: durabilities[index]) { snapshot in
            if index == withdrawn { throw Withdrawal() }
            results.add(seen: try snapshot.lastSaveNumber(), by: index)
            return list
          }
        }
        results.add(result, of: index)
      }
    }
    for (index, sequence) in try results.order(isExpected: checkIsRefusal) {
      note("save \(saves[index].number) \(durabilities[index]) in a burst")
      try check(results.seen[index] == model.lastNumber, "a save did not see the one before it")
      model.acknowledge(saves[index], sequence: sequence)
      if trusted.contains(durabilities[index]) { model.settle(throughSequence: sequence) }
      counts.count(.saves)
    }
    counts.count(.bursts)
    try settle()
    try compare()
  }

  private func checkIsRefusal(_ error: any Error) throws {
    if error is Withdrawal { return }
    guard let error = error as? EngineError else { throw error }
    counts.count(.refusedSaves)
    try checkIsExpected(error)
  }

  private func check(_ isTrue: Bool, _ description: String) throws {
    if !isTrue { throw Finding(description: description) }
  }
}

/// What the saves of a burst saw and got, by their index.
private final class BurstResults: Sendable {
  private struct State {
    var seen: [Int: Int] = [:]
    var results: [Int: Result<UInt64, any Error>] = [:]
  }

  private let state = Mutex(State())

  /// The number of the last save before each of them.
  var seen: [Int: Int] { state.withLock { $0.seen } }

  func add(seen number: Int, by index: Int) { state.withLock { $0.seen[index] = number } }

  func add(_ result: Result<UInt64, any Error>, of index: Int) {
    state.withLock { $0.results[index] = result }
  }

  /// Returns the acknowledged saves in the order in which they were made.
  ///
  /// - Parameter isExpected: throws when a save should not have been refused for a reason.
  func order(
    isExpected: (any Error) throws -> Void
  ) throws -> [(index: Int, sequence: UInt64)] {
    var order: [(index: Int, sequence: UInt64)] = []
    for (index, result) in state.withLock({ $0.results }).sorted(by: { $0.key < $1.key }) {
      switch result {
      case .success(let sequence): order.append((index, sequence))
      case .failure(let error): try isExpected(error)
      }
    }
    return order.sorted { $0.sequence < $1.sequence }
  }
}

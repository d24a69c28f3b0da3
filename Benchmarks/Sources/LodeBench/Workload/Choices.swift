/// What each operation asks for: which players, names, teams and bounds.
struct Choices {
  let workload: Workload

  /// 100,000 players by number, scattered.
  var playersToGet: [Int64] {
    var random = SplitMix64(seed: 101)
    return (0..<100_000).map { _ in Int64(1 + random.next(below: workload.objectCount)) }
  }

  /// 10,000 last names.
  var lastNamesToFind: [String] {
    var random = SplitMix64(seed: 102)
    return (0..<10_000).map { _ in workload.lastName(random.next(below: workload.lastNameCount)) }
  }

  /// 1,000 teams by number.
  var teamsToLoad: [Int64] {
    (0..<1_000).map { Int64(1 + ($0 * 48_271) % workload.teamCount) }
  }

  /// Twenty ranges of birth dates, each about a tenth of the players.
  var birthDateRanges: [ClosedRange<Double>] {
    (0..<20).map { -500_000_000 ... -358_090_000 + Double($0) }
  }

  /// The positions whose active players are counted.
  var positionsToCount: [String] { Array(Workload.positions.prefix(3)) }

  /// Players whose height changes; 10,000, or all of a smaller store.
  var playersToChange: [Int64] { scattered(from: 7) }

  /// Players to delete.
  var playersToDelete: [Int64] { scattered(from: 20_011) }

  static let scannedWord = "lund"
  static let scannedHeight = 1.8
  static let changedHeight = 1.7777
  static let pageLength = 100

  private func scattered(from start: Int) -> [Int64] {
    (0..<min(10_000, workload.objectCount)).map { index in
      Int64(1 + ((index + start) * 48_271) % workload.objectCount)
    }
  }
}

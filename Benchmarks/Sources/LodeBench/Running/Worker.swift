import Foundation

/// Runs one phase for one peer and measures its operations: the inside of a process of its own.
struct Worker {
  let kind: PeerKind
  let phase: Phase
  let folder: String
  let workload: Workload
  let operations: Set<Operation>
  let repetitions: Int

  func run() throws -> [Sample] {
    switch phase {
    case .load: try load()
    case .read: try read()
    case .commit: try commit()
    case .change: try change()
    case .batches: try insertInBatches()
    }
  }

  private func openPeer(isFast: Bool) throws -> any Peer {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    return try kind.open(folder: folder, isFast: isFast)
  }

  private func load() throws -> [Sample] {
    let teams = workload.teams
    let players = PreparedPlayers(workload.players())
    var peer = try openPeer(isFast: true)
    let time = try MeasuredTime.processor {
      try peer.insert(teams: teams)
      try peer.insert(players: players)
    }
    try peer.close()
    let byteCount = try MeasuredSpace.allocatedByteCount(of: folder)
    return [
      sample(.insert, time / Double(workload.objectCount)),
      sample(.size, Double(byteCount) / 1e6),
    ]
  }

  private func insertInBatches() throws -> [Sample] {
    let players = workload.players()
    let batches = stride(from: 0, to: players.count, by: 1_000).map { start in
      PreparedPlayers(Array(players[start..<min(start + 1_000, players.count)]))
    }
    let teams = workload.teams
    var peer = try openPeer(isFast: false)
    let time = try MeasuredTime.processor {
      try peer.insert(teams: teams)
      for batch in batches { try peer.insert(players: batch) }
    }
    try peer.close()
    return [sample(.insertInBatches, time / Double(workload.objectCount))]
  }

  private func commit() throws -> [Sample] {
    let count = 800
    let first = workload.objectCount
    let players = (first..<first + count).map { PreparedPlayers([workload.player(at: $0)]) }
    var peer = try openPeer(isFast: false)
    let time = try MeasuredTime.wall {
      for player in players { try peer.insert(players: player) }
    }
    try peer.close()
    return [sample(.commitOne, time / Double(count))]
  }

  private func change() throws -> [Sample] {
    let choices = Choices(workload: workload)
    let changed = choices.playersToChange
    let deleted = choices.playersToDelete
    var peer = try openPeer(isFast: true)
    var samples: [Sample] = []
    if operations.contains(.change) {
      let time = try MeasuredTime.processor {
        try peer.setHeight(Choices.changedHeight, of: changed)
      }
      samples.append(sample(.change, time / Double(changed.count)))
    }
    peer.forget()
    if operations.contains(.delete) {
      let time = try MeasuredTime.processor { try peer.delete(deleted) }
      samples.append(sample(.delete, time / Double(deleted.count)))
    }
    try peer.close()
    return samples
  }

  private func read() throws -> [Sample] {
    let readings = Readings(workload: workload)
    var peer = try openPeer(isFast: true)
    var samples: [Sample] = []
    for _ in 0..<repetitions {
      for operation in Operation.allCases
      where operation.phase == .read && operation != .memory && operations.contains(operation) {
        peer.forget()
        var result = Readings.Result()
        let time = try MeasuredTime.processor { result = try readings.run(operation, on: &peer) }
        try check(result.check, of: operation)
        samples.append(sample(operation, time / Double(result.unitCount), check: result.check))
      }
    }
    try peer.close()
    samples.append(sample(.memory, Double(MeasuredSpace.peakByteCount) / 1e6))
    return samples
  }

  private func check(_ found: UInt64, of operation: Operation) throws {
    let expected = CheckValues.readSum(of: operation, objectCount: workload.objectCount)
    guard let expected, expected != found else { return }
    throw PeerError(
      description: "\(kind) \(operation.rawValue): read sum \(found), expected \(expected)")
  }

  private func sample(_ operation: Operation, _ value: Double, check: UInt64? = nil) -> Sample {
    Sample(operation: operation.rawValue, value: value, check: check)
  }
}

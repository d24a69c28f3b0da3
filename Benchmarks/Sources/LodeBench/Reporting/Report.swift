import Foundation

/// The results for machines.
struct Report: Codable {
  struct Machine: Codable {
    var cores: Int
    var memoryBytes: UInt64
    var system: String
    /// Median time of a durable append of 4 KiB in microseconds.
    var appendSyncMicroseconds: Double
  }

  struct Figure: Codable {
    var op: String
    var peer: String
    var objects: Int
    var unit: String
    var median: Double
    var min: Double
    var max: Double
  }

  var machine: Machine
  var results: [Figure]

  init(_ results: Results, peers: [PeerKind]) {
    let process = ProcessInfo.processInfo
    machine = Machine(
      cores: process.activeProcessorCount, memoryBytes: process.physicalMemory,
      system: process.operatingSystemVersionString,
      appendSyncMicroseconds: results.probeMicroseconds)
    self.results = results.operations.flatMap { operation in
      peers.compactMap { peer in
        results.spread(operation, peer).map { spread in
          Figure(
            op: operation.rawValue, peer: peer.rawValue, objects: results.objectCount,
            unit: operation.unit, median: spread.median, min: spread.minimum, max: spread.maximum)
        }
      }
    }
  }

  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    try encoder.encode(self).write(to: URL(filePath: path))
  }

  /// One line on where the figures come from.
  var machineLine: String {
    let append = String(format: "%.0f", machine.appendSyncMicroseconds)
    return "\(machine.cores) cores, \(machine.memoryBytes >> 30) GiB, \(machine.system); "
      + "durable 4 KiB append \(append) us"
  }
}

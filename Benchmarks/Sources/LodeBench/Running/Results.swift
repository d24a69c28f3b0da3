/// All figures of a comparison, by operation and peer.
struct Results {
  let objectCount: Int
  /// The disk's own time for a durable append of 4 KiB, before the first round.
  let probeMicroseconds: Double
  private var values: [Operation: [PeerKind: [Double]]] = [:]
  private var checks: [Operation: (value: UInt64, peer: PeerKind)] = [:]

  init(objectCount: Int, probeMicroseconds: Double) {
    self.objectCount = objectCount
    self.probeMicroseconds = probeMicroseconds
  }

  /// Adds a figure.
  ///
  /// - Throws: `PeerError` when it proves another work than an earlier figure of the operation.
  mutating func add(_ sample: Sample, peer: PeerKind) throws {
    guard let operation = Operation(rawValue: sample.operation) else { return }
    values[operation, default: [:]][peer, default: []].append(sample.value)
    guard let check = sample.check else { return }
    if let known = checks[operation], known.value != check {
      throw PeerError(
        description: "\(sample.operation): \(peer) read \(check), \(known.peer) read \(known.value)"
      )
    }
    checks[operation] = (check, peer)
  }

  var operations: [Operation] { Operation.allCases.filter { values[$0] != nil } }

  func spread(_ operation: Operation, _ peer: PeerKind) -> Spread? {
    values[operation]?[peer].map(Spread.init)
  }
}

import Foundation

/// What the command line asks for.
struct Options {
  var objectCount = 100_000
  var rounds = 5
  var repetitions = 3
  var operations = Set(Operation.allCases)
  var peers = PeerKind.allCases
  var folder = NSTemporaryDirectory() + "lode-bench-\(ProcessInfo.processInfo.processIdentifier)"
  var jsonPath: String?
  /// Set in the processes that do the work.
  var worker: (peer: PeerKind, phase: Phase)?

  static let usage = """
    usage: lode-bench [--objects N] [--only a,d,…] [--peers lode,lmdb,sqlite] [--rounds N] [--json FILE]
                      [--folder DIR]

    Runs the workload for each peer in turn and prints medians, ranges and ratios. N is a multiple of 50,
    100,000 unless said; read sums are known for 100,000 and 1,000,000. Operations:
    \(Operation.allCases.map { "  \($0.rawValue)\t\($0.title)" }.joined(separator: "\n"))
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    var workerPeer: PeerKind?
    var workerPhase: Phase?
    while let name = rest.popFirst() {
      if name == "--help" { throw PeerError(description: Self.usage) }
      guard let value = rest.popFirst() else { throw Self.wrong("\(name) needs a value") }
      switch name {
      case "--objects": objectCount = try Self.number(value, multipleOf: 50)
      case "--rounds": rounds = try Self.number(value, multipleOf: 1)
      case "--repetitions": repetitions = try Self.number(value, multipleOf: 1)
      case "--only": operations = Set(try Self.list(value, of: Operation.self))
      case "--peers": peers = try Self.list(value, of: PeerKind.self)
      case "--json": jsonPath = value
      case "--folder": folder = value
      case "--worker-peer": workerPeer = PeerKind(rawValue: value)
      case "--worker-phase": workerPhase = Phase(rawValue: value)
      default: throw Self.wrong("no such option: \(name)")
      }
    }
    if let workerPeer, let workerPhase { worker = (workerPeer, workerPhase) }
  }

  /// The arguments under which this program does one phase for one peer.
  func workerArguments(peer: PeerKind, phase: Phase, folder: String) -> [String] {
    [
      "--worker-peer", peer.rawValue, "--worker-phase", phase.rawValue, "--folder", folder,
      "--objects", String(objectCount), "--repetitions", String(repetitions),
      "--only", operations.map(\.rawValue).joined(separator: ","),
    ]
  }

  private static func number(_ text: String, multipleOf step: Int) throws -> Int {
    guard let number = Int(text), number > 0, number % step == 0 else {
      throw wrong("\(text) is not a multiple of \(step)")
    }
    return number
  }

  private static func list<Element: RawRepresentable>(
    _ text: String, of type: Element.Type
  ) throws -> [Element] where Element.RawValue == String {
    try text.split(separator: ",").map { name in
      guard let element = Element(rawValue: String(name)) else {
        throw wrong("no such name: \(name)")
      }
      return element
    }
  }

  private static func wrong(_ text: String) -> PeerError {
    PeerError(description: text + "\n\n" + usage)
  }
}

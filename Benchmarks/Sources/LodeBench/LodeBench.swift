import Foundation

/// `lode-bench`: Lode beside raw LMDB and raw SQLite on one workload. See `docs/benchmarks.md`.
@main
struct LodeBench {
  static func main() {
    do {
      let options = try Options(Array(CommandLine.arguments.dropFirst()))
      try options.worker.map { try work($0.peer, $0.phase, options) } ?? compare(options)
    } catch {
      FileHandle.standardError.write(Data("lode-bench: \(error)\n".utf8))
      exit(1)
    }
  }

  private static func compare(_ options: Options) throws {
    defer { try? FileManager.default.removeItem(atPath: options.folder) }
    let comparison = Comparison(options: options) { line in
      FileHandle.standardError.write(Data((line + "\n").utf8))
    }
    let results = try comparison.run()
    let report = Report(results, peers: options.peers)
    print("\(options.objectCount) objects, \(options.rounds) rounds; median (minimum…maximum)")
    print(report.machineLine)
    print(Table(results: results, peers: options.peers).text)
    try options.jsonPath.map(report.write(to:))
  }

  private static func work(_ peer: PeerKind, _ phase: Phase, _ options: Options) throws {
    let worker = Worker(
      kind: peer, phase: phase, folder: options.folder,
      workload: Workload(objectCount: options.objectCount), operations: options.operations,
      repetitions: options.repetitions)
    FileHandle.standardOutput.write(try JSONEncoder().encode(try worker.run()))
  }
}

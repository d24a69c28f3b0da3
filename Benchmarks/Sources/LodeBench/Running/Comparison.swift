import Foundation

/// Runs all peers in turn, several rounds, each phase in a process of its own.
struct Comparison {
  var options: Options
  /// Told what is being run, for a person who waits.
  var progress: (String) -> Void = { _ in }

  private let files = FileManager.default

  /// - Throws: `PeerError` when a process fails, a read sum is wrong or the peers disagree.
  func run() throws -> Results {
    let workload = Workload(objectCount: options.objectCount)
    try checkGenerator(workload)
    try files.createDirectory(atPath: options.folder, withIntermediateDirectories: true)
    let probe = try DiskProbe.appendMicroseconds(in: options.folder)
    var results = Results(objectCount: options.objectCount, probeMicroseconds: probe)
    for round in 1...options.rounds {
      for peer in options.peers {
        progress("round \(round) of \(options.rounds): \(peer)")
        for sample in try runRound(of: peer) { try results.add(sample, peer: peer) }
      }
    }
    return results
  }

  private func checkGenerator(_ workload: Workload) throws {
    let found = CheckValues.generatorHash(workload)
    if let expected = CheckValues.generatorHashes[options.objectCount], expected != found {
      throw PeerError(description: "the workload's generator is wrong: \(found), not \(expected)")
    }
  }

  private func runRound(of peer: PeerKind) throws -> [Sample] {
    let base = options.folder + "/" + peer.rawValue
    let main = base + "/main"
    let copy = base + "/copy"
    defer { try? files.removeItem(atPath: base) }
    var samples: [Sample] = []
    func run(_ phase: Phase, in folder: String) throws {
      samples += try runWorker(peer, phase, folder: folder)
    }
    try run(.load, in: main)
    if needs(.commit) { try files.copyItem(atPath: main, toPath: copy) }
    if needs(.read) { try run(.read, in: main) }
    if needs(.change) { try run(.change, in: main) }
    if needs(.commit) { try run(.commit, in: copy) }
    if needs(.batches) { try run(.batches, in: base + "/batches") }
    return samples
  }

  private func needs(_ phase: Phase) -> Bool {
    options.operations.contains { $0.phase == phase }
  }

  private func runWorker(_ peer: PeerKind, _ phase: Phase, folder: String) throws -> [Sample] {
    let worker = Process()
    let output = Pipe()
    let executable = try files.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    worker.executableURL = URL(filePath: executable)
    worker.arguments = options.workerArguments(peer: peer, phase: phase, folder: folder)
    worker.standardOutput = output
    try worker.run()
    let answer = output.fileHandleForReading.readDataToEndOfFile()
    worker.waitUntilExit()
    guard worker.terminationStatus == 0 else {
      throw PeerError(
        description: "\(peer), \(phase.rawValue): ended with \(worker.terminationStatus)")
    }
    return try JSONDecoder().decode([Sample].self, from: answer)
      .filter { sample in options.operations.contains { $0.rawValue == sample.operation } }
  }
}

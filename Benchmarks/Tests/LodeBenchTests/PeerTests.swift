import Foundation
import Testing

@testable import LodeBench

/// All peers do the same work: on a small store every operation proves the same.
struct PeerTests {
  @Test func `the peers agree on every reading operation`() throws {
    var results = Results(objectCount: 1_000, probeMicroseconds: 0)
    for peer in PeerKind.allCases {
      let samples = try readSamples(of: peer)
      #expect(samples.count == Operation.allCases.count { $0.phase == .read })
      for sample in samples { try results.add(sample, peer: peer) }
    }
  }

  @Test(arguments: PeerKind.allCases)
  func `what is deleted is not found again`(kind: PeerKind) throws {
    let folder = temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let workload = Workload(objectCount: 1_000)
    _ = try worker(kind, .load, folder, workload).run()
    let samples = try worker(kind, .change, folder, workload).run()
    #expect(samples.map(\.operation) == ["j", "k"])
    var peer = try kind.open(folder: folder, isFast: true)
    #expect(try peer.fetchAll().rowCount == 0)
    try peer.close()
  }

  private func readSamples(of kind: PeerKind) throws -> [Sample] {
    let folder = temporaryFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let workload = Workload(objectCount: 1_000)
    _ = try worker(kind, .load, folder, workload).run()
    return try worker(kind, .read, folder, workload).run()
  }

  private func worker(
    _ kind: PeerKind, _ phase: Phase, _ folder: String, _ workload: Workload
  ) -> Worker {
    Worker(
      kind: kind, phase: phase, folder: folder, workload: workload,
      operations: Set(Operation.allCases), repetitions: 1)
  }

  private func temporaryFolder() -> String {
    NSTemporaryDirectory() + "lode-bench-test-\(UUID().uuidString)"
  }
}

import LodeRandom
import Foundation
import LodeKV
import LodeModel
import Testing

@testable import LodeStore

/// Bits of a store's data file are flipped, one at a time, in a process of its own. LODE_FLIPS sets how many
/// bytes; `all` takes every byte of the file.
@Suite struct FlippedBitTests {
  private static let count = ProcessInfo.processInfo.environment["LODE_FLIPS"] ?? "120"

  @Test func `no flipped bit crashes, or changes a value in silence`() throws {
    try withSeed { random in
      try EngineStoreKind.lmdb.withHome { home in
        guard case .folder(let folder) = home.kind else { return }
        let byteCount = try Self.makeStore(home, folder)
        var positions = (0..<byteCount).map(UInt64.init)
        if Self.count != "all" {
          positions = Array(positions.shuffled(using: &random).prefix(Int(Self.count) ?? 120))
        }
        let outcomes = try Self.outcomes(folder, positions, seed: random.next())
        #expect(outcomes.values.reduce(0) { $0 + $1.count } == positions.count)
        for (outcome, positions) in outcomes where !Self.allowed.contains(outcome) {
          Issue.record("\(outcome) at bytes \(positions.prefix(5)), \(positions.count) in all")
        }
        if Self.count != "120" {
          print(
            outcomes.mapValues(\.count).sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" })
        }
      }
    }
  }

  private static let allowed: Set = ["same", "refused", "told", "found"]

  private static func makeStore(_ home: StoreHome, _ folder: URL) throws -> Int {
    let store = try home.open(CheckTests.model)
    try CheckTests.fill(store, playerCount: 25)
    try home.leave(store)
    return try Data(contentsOf: folder.appendingPathComponent("data.mdb")).count
  }

  /// Runs the probe, once more behind each byte that kills it.
  private static func outcomes(
    _ folder: URL, _ positions: [UInt64], seed: UInt64
  ) throws -> [String: [UInt64]] {
    var outcomes: [String: [UInt64]] = [:]
    var rest = positions[...]
    while !rest.isEmpty {
      let lines = try run(folder, rest.prefix(2_000), seed: seed)
      for line in lines {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard let position = parts.first.flatMap({ UInt64($0) }) else { continue }
        let outcome = parts.count > 1 ? String(parts[1]) : "CRASH"
        outcomes[outcome, default: []].append(position)
        rest = rest.dropFirst()
      }
      guard !lines.isEmpty else {
        Issue.record("the probe said nothing")
        break
      }
    }
    return outcomes
  }

  private static func run(
    _ folder: URL, _ positions: ArraySlice<UInt64>, seed: UInt64
  ) throws -> [Substring] {
    // A probe that was killed has left its byte damaged.
    let pristine = folder.appendingPathComponent("pristine")
    let data = folder.appendingPathComponent("data.mdb")
    let kept = folder.deletingLastPathComponent()
      .appendingPathComponent("\(folder.lastPathComponent)-\(pristine.lastPathComponent)")
    defer { try? FileManager.default.removeItem(at: kept) }
    try Data(contentsOf: data).write(to: kept)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appendingPathComponent("LodeFlipProbe")
    process.arguments = [folder.path, String(seed)] + positions.map(String.init)
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try Data(contentsOf: kept).write(to: data)
    return String(decoding: text, as: UTF8.self).split(separator: "\n")
  }
}

import LodeRandom
import Foundation
import Lode
import LodeTesting
import Testing

@Suite struct KillTests {
  /// A process is killed with SIGKILL in the middle of 200 saves; `LODE_KILLS` sets how often.
  @Test func `a killed process leaves the acknowledged saves and no half of another`() throws {
    let killCount = ProcessInfo.processInfo.environment["LODE_KILLS"].flatMap(Int.init) ?? 50
    let seed = UInt64.random(in: 0...UInt64.max)
    print("kill seed \(seed), \(killCount) kills")
    var random = SeededGenerator(seed: seed)
    for kill in 0..<killCount {
      try withTemporaryFolder { folder in
        let acknowledged = try write(into: folder, killAfter: .random(in: 0..<200, using: &random))
        let present = try saveCount(in: folder, kill: kill)
        #expect(
          present == acknowledged || present == acknowledged + 1,
          "kill \(kill), seed \(seed): \(acknowledged) acknowledged, \(present) present")
      }
    }
  }

  /// Runs the writer, kills it some moments after an acknowledgement, and returns how many it gave.
  private func write(into folder: URL, killAfter count: Int) throws -> Int {
    let writer = Process()
    writer.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
      .deletingLastPathComponent().appending(path: "LodeCrashWriter")
    writer.arguments = [folder.path, "0", "200"]
    let output = Pipe()
    writer.standardOutput = output
    try writer.run()
    var text = Data()
    while text.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      let more = output.fileHandleForReading.availableData
      if more.isEmpty { break }
      text += more
    }
    kill(writer.processIdentifier, SIGKILL)
    writer.waitUntilExit()
    text += output.fileHandleForReading.availableData
    return text.count { $0 == UInt8(ascii: "\n") }
  }

  /// Opens the store, checks that every save is there whole, and returns how many there are.
  private func saveCount(in folder: URL, kill: Int) throws -> Int {
    guard FileManager.default.fileExists(atPath: folder.path) else { return 0 }
    let container = try PersistentContainer(model: CrashModel.model(), at: folder)
    defer { try? container.close() }
    let context = container.viewContext
    let teams = try context.fetch("Team", sort: [SortTerm("number")])
    let numbers: [Int] = teams.compactMap { $0["number"] }
    let count = (numbers.last ?? -1) + 1
    #expect(numbers == CrashModel.numbers(after: count), "kill \(kill)")
    for (number, team) in zip(numbers, teams) {
      let players = team[toMany: "players"]
      #expect(players.count == CrashModel.playerCount(of: number), "kill \(kill)")
      #expect(players.allSatisfy { $0["number"] == number }, "kill \(kill)")
    }
    let playerCount = numbers.map(CrashModel.playerCount).reduce(0, +)
    #expect(try context.count(for: context.request("Player", "number >= 0")) == playerCount)
    return count
  }
}

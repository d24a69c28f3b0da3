import Foundation
import LodeMacros
import Testing

@testable import LodeTool

struct LeagueDemoTests {
  @Test func `the first run imports the league and the observer sees every kind of change`()
    async throws
  {
    try await withFolder { folder in
      let report = try await run(in: folder)
      #expect(report.imported)
      #expect(report.teams == 48)
      #expect(report.players == 1_248)
      #expect(report.events == eventsOfARun)
      #expect(report.journalFrames > 0 && report.journalSyncs > 0)
      #expect(report.bytesRaw > 100_000 && report.fileBytes > report.bytesStored)
    }
  }

  @Test func `folders on the way to the store are made`() async throws {
    try await withFolder { folder in
      let report = try await run(in: folder.appending(path: "state/lode/league"))
      #expect(report.imported)
    }
  }

  @Test func `later runs find the league whole and tell the same kinds of change`() async throws {
    try await withFolder { folder in
      _ = try await run(in: folder)
      for _ in 1...2 {
        let report = try await run(in: folder)
        #expect(!report.imported)
        #expect(report.teams == 48)
        #expect(report.players == 1_248)
        #expect(report.events == eventsOfARun)
      }
    }
  }

  @Test func `a renaming is kept and undone by the next run`() async throws {
    try await withFolder { folder in
      _ = try await run(in: folder)
      #expect(try teamNames(in: folder).contains("Côte d’Ivoire"))
      _ = try await run(in: folder)
      #expect(try teamNames(in: folder).contains("Ivory Coast"))
    }
  }

  @Test func `a run that was cut off is made good by the next`() async throws {
    try await withFolder { folder in
      _ = try await run(in: folder)
      try inStore(folder) { context in
        for code in ["UZB", "ENG"] {
          if let team = try League.team(code: code, in: context) { context.delete(team) }
        }
        try context.save()
      }
      let report = try await run(in: folder)
      #expect(!report.imported)
      #expect(report.teams == 48)
      #expect(report.events == eventsOfARun)
    }
  }

  @Test func `what is printed names sections, players, changes and figures`() async throws {
    try await withFolder { folder in
      let lines = Lines()
      _ = try await LeagueDemo(storeURL: folder, paint: .plain, write: lines.add).run()
      let text = lines.text
      #expect(text.contains("imported: 48 teams, 1248 players"))
      #expect(text.contains("Czech Republic  group A, UEFA, 26 players\n  1 GK Matěj Kovář, 2 DF"))
      #expect(
        text.contains(
          "\n  - section 23  Ivory Coast\n  + section 10  Côte d’Ivoire\n  > row 23/0 to 10/0"))
      #expect(
        text.contains("Uzbekistan leaves, with 26 players  47 teams, 1222 players\n  - section 47"))
      #expect(text.contains("\n  rows      1248 of Player, 48 of Team\n"))
    }
  }

  @Test func `a report is one JSON object with the promised keys`() async throws {
    try await withFolder { folder in
      let json = try await run(in: folder).json()
      let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
      let keys = [
        "bytesRaw", "bytesStored", "events", "fileBytes", "imported", "journalFrames",
        "journalSyncs", "players", "teams",
      ]
      #expect(object?.keys.sorted() == keys)
      let events = object?["events"] as? [String: Any]
      let kinds = ["delete", "insert", "move", "sectionDelete", "sectionInsert", "update"]
      #expect(events?.keys.sorted() == kinds)
      #expect(!json.contains("\n"))
    }
  }

  @Test func `a file in the store's place is an error that names it`() async throws {
    try await withFolder { folder in
      let file = folder.appending(path: "file")
      try Data("not a store".utf8).write(to: file)
      await #expect(throws: StorePlaceError.self) { try await run(in: file) }
      #expect(try Data(contentsOf: file) == Data("not a store".utf8))
    }
  }

  private func run(in folder: URL) async throws -> LeagueReport {
    try await LeagueDemo(storeURL: folder, paint: .plain, write: { _ in }).run()
  }

  private func teamNames(in folder: URL) throws -> [String] {
    try inStore(folder) { try $0.fetch(FetchRequest<Team>()).map(\.name) }
  }

  private func inStore<Result>(
    _ folder: URL, _ body: (ManagedObjectContext) throws -> Result
  ) throws -> Result {
    let container = try PersistentContainer(model: try League.model(), at: folder)
    let result = try body(container.viewContext)
    try container.close()
    return result
  }

  private func withFolder(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "league-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder)
  }
}

/// A renaming with its section and 26 rows, a club of ten players, one move, a team that goes and comes.
private let eventsOfARun = EventCounts(
  sectionInsert: 2, sectionDelete: 2, insert: 26, delete: 26, update: 10, move: 27)

private final class Lines {
  private(set) var text = ""

  func add(_ line: String) { text += line + "\n" }
}

import Foundation
import Lode
import Testing

@testable import LodeTool

/// The commands that work on a store, without its model.
struct StoreCommandTests {
  private static func withStore(_ body: (_ store: String, _ folder: URL) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "lode-commands-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let place = folder.appending(path: "league")
    let container = try PersistentContainer(model: try League.model(), at: place)
    _ = try LeagueImport(context: container.viewContext).complete(with: try SquadFile.bundled())
    try container.close()
    try body(place.path, folder)
  }

  private static func run(
    json: Bool = false, _ body: (StoreCommand) throws -> Void
  ) throws -> String {
    var lines: [String] = []
    try body(StoreCommand(paint: .plain, printsJSON: json, write: { lines.append($0) }))
    return lines.joined(separator: "\n")
  }

  @Test func `a sound store is said to be sound, in words and as JSON`() throws {
    try Self.withStore { store, _ in
      let text = try Self.run { command in
        let isSound = try command.check(store)
        #expect(isSound)
      }
      #expect(text.contains("1,296 rows"))
      #expect(text.hasSuffix("the store is sound"))
      let json = try Self.run(json: true) { command in
        let isSound = try command.check(store)
        #expect(isSound)
      }
      let output = try JSONDecoder().decode(CheckOutput.self, from: Data(json.utf8))
      #expect(output.isSound)
      #expect(output.rows == 1_296)
    }
  }

  @Test func `figures are told in words and as JSON`() throws {
    try Self.withStore { store, _ in
      let text = try Self.run { try $0.stat(store) }
      #expect(text.contains("1,248 rows"))
      #expect(text.contains("records of "))
      let json = try Self.run(json: true) { try $0.stat(store) }
      let figures = try JSONDecoder().decode(StoreFigures.self, from: Data(json.utf8))
      #expect(figures.entities.map(\.rowCount).reduce(0, +) == 1_296)
      #expect(figures.livePageCount > 20)
    }
  }

  @Test func `nothing in the store's folder is changed by looking`() throws {
    try Self.withStore { store, _ in
      func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: store)
        return try Dictionary(
          uniqueKeysWithValues: names.map {
            ($0, try Data(contentsOf: URL(filePath: store).appending(path: $0)))
          })
      }
      let before = try contents()
      _ = try Self.run { command in _ = try command.check(store) }
      _ = try Self.run { try $0.stat(store) }
      #expect(try contents() == before)
    }
  }

  @Test func `a copy is made once and checks sound`() throws {
    try Self.withStore { store, folder in
      let copy = folder.appending(path: "copy").path
      let json = try Self.run(json: true) { try $0.backup(store, to: copy) }
      let output = try JSONDecoder().decode(BackupOutput.self, from: Data(json.utf8))
      #expect(output.bytes > 100_000)
      _ = try Self.run { command in
        let isSound = try command.check(copy)
        #expect(isSound)
      }
      #expect(throws: StoreError.self) { try Self.run { try $0.backup(store, to: copy) } }
    }
  }

  @Test func `what is no store is refused and left alone`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "lode-nothing-\(UUID().uuidString)")
    let error = #expect(throws: StoreError.self) { try Self.run { try $0.stat(folder.path) } }
    #expect(error?.code == .notAStore)
    #expect(!FileManager.default.fileExists(atPath: folder.path))
  }

  @Test func `command lines are understood, and wrong ones refused`() throws {
    #expect(
      try Invocation(arguments: ["check", "a", "--json"])
        == .check(StorePathOptions(path: "a", printsJSON: true)))
    #expect(try Invocation(arguments: ["stat", "a"]) == .stat(StorePathOptions(path: "a")))
    #expect(
      try Invocation(arguments: ["backup", "a", "b"])
        == .backup(StorePathOptions(path: "a"), destination: "b"))
    #expect(try Invocation(arguments: ["backup", "--help"]) == .help(topic: ["backup"]))
    for arguments in [["check"], ["check", "a", "b"], ["backup", "a"], ["stat", "a", "--x"]] {
      #expect(throws: UsageError.self) { try Invocation(arguments: arguments) }
    }
    for topic in ["check", "stat", "backup"] {
      #expect(try Help.text(on: [topic]).contains("PATH"))
    }
  }
}

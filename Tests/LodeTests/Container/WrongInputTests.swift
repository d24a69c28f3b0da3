import Foundation
import Lode
import LodeTesting
import Testing

/// Models, folders and predicates that are wrong: each gets a typed error that names the place, and the
/// store's files stay as they were, byte for byte.
@Suite struct WrongInputTests {
  @Test func `a wrong model names every place and opens nothing`() throws {
    let team = RelationshipDescription("team", to: "Team", inverse: "players")
    let wrong: [(ModelError.Code, String, [EntityDescription])] = [
      (.unknownDestination, "Player.team", [EntityDescription("Player", relationships: [team])]),
      (
        .unknownInverse, "Player.team",
        [EntityDescription("Player", relationships: [team]), EntityDescription("Team")]
      ),
      (
        .oneSidedInverse, "Player.team",
        [
          EntityDescription("Player", relationships: [team]),
          EntityDescription(
            "Team",
            relationships: [RelationshipDescription("players", to: "Player", isToMany: true)]),
        ]
      ),
      (
        .cyclicInheritance, "A",
        [
          EntityDescription("A", superentityName: "B"),
          EntityDescription("B", superentityName: "A"),
        ]
      ),
      (.duplicateEntity, "A", [EntityDescription("A"), EntityDescription("A")]),
      (
        .duplicateProperty, "A.x",
        [
          EntityDescription(
            "A",
            attributes: [AttributeDescription("x", .string), AttributeDescription("x", .date)])
        ]
      ),
      (
        .invalidDefault, "A.x",
        [
          EntityDescription(
            "A",
            attributes: [AttributeDescription("x", .integer16, defaultValue: .integer(70_000))])
        ]
      ),
      (
        .invalidIndex, "A.y",
        [EntityDescription("A", indexes: [FetchIndexDescription(on: "y")])]
      ),
    ]
    for (code, place, entities) in wrong {
      let error = try #require(throws: ModelError.self) {
        try ManagedObjectModel(entities: entities)
      }
      #expect(error.problems.contains { $0.code == code }, "\(code)")
      #expect(error.description.contains(place), "\(code): \(error)")
    }
    let all = wrong.flatMap(\.2).filter { $0.name != "A" && $0.name != "B" }.prefix(1)
    #expect(throws: ModelError.self) { try ManagedObjectModel(entities: Array(all)) }
  }

  @Test func `a store of other entities is refused by name`() throws {
    try withStore { folder in
      let other = try TestModels.flat("Team", [AttributeDescription("name", .integer64)])
      let error = try refusal(folder, model: other)
      #expect(error.code == .incompatibleModel && error.message.contains("Team"), "\(error)")
    }
  }

  @Test func `a path that is a file is no store`() throws {
    try withTemporaryFolder { folder in
      try Data("hello".utf8).write(to: folder)
      let error = try refusal(folder, model: TestModels.league())
      #expect(error.path?.hasPrefix(folder.path) == true, "\(error)")
      #expect(try Data(contentsOf: folder) == Data("hello".utf8))
    }
  }

  @Test func `a folder in a folder that isn't there says which to make`() throws {
    try withTemporaryFolder { folder in
      let error = try #require(throws: StoreError.self) {
        _ = try PersistentContainer(
          model: TestModels.league(), at: folder.appending(path: "in/it"))
      }
      #expect(error.code == .file && error.message.contains("make it first"), "\(error)")
    }
  }

  @Test func `sizes that no store can have are refused by name`() throws {
    for (name, set) in [
      ("dataFileByteCountMax", { $0.dataFileByteCountMax = 0 }),
      ("mapByteCount", { $0.mapByteCount = 5_000 }),
      ("journalFileByteCount", { $0.journalFileByteCount = .max }),
    ] as [(String, (inout StoreOptions) -> Void)] {
      try withTemporaryFolder { folder in
        var options = StoreOptions()
        set(&options)
        let error = try #require(throws: StoreError.self) {
          _ = try PersistentContainer(model: TestModels.league(), at: folder, options: options)
        }
        #expect(error.code == .invalidOption && error.message.contains(name), "\(error)")
        #expect(!FileManager.default.fileExists(atPath: folder.path))
      }
    }
  }

  @Test func `a folder with other things in it is no store and stays as it is`() throws {
    try withTemporaryFolder { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try Data("hello".utf8).write(to: folder.appending(path: "notes.txt"))
      let error = try refusal(folder, model: TestModels.league())
      #expect(error.code == .notAStore && error.message.contains("notes.txt"), "\(error)")
      try #expect(FileManager.default.contentsOfDirectory(atPath: folder.path) == ["notes.txt"])
    }
  }

  @Test func `an empty path doesn't make the working folder a store`() throws {
    let error = try #require(throws: StoreError.self) {
      try PersistentContainer(model: TestModels.league(), at: URL(filePath: ""))
    }
    #expect(error.code == .notAStore, "\(error)")
  }

  @Test func `a save into a folder that was removed meanwhile throws and keeps the changes`() throws
  {
    try withTemporaryFolder { folder in
      let container = try PersistentContainer(model: TestModels.league(), at: folder)
      try container.viewContext.insert("Team", ["name": .string("Crew")])
      try FileManager.default.removeItem(at: folder)
      let error = try #require(throws: StoreError.self) { try container.viewContext.save() }
      #expect(error.code == .file && error.message.contains("removed"), "\(error)")
      #expect(container.viewContext.hasChanges)
      try? container.close()
    }
  }

  @Test func `damaged and missing files are refused by path`() throws {
    let damages: [(String, (URL) throws -> Void)] = [
      ("text", { try Data("not a database".utf8).write(to: $0.appending(path: "data.mdb")) }),
      ("empty", { try Data().write(to: $0.appending(path: "data.mdb")) }),
      ("short", { try truncate($0.appending(path: "data.mdb")) { $0 / 2 } }),
      ("no data", { try FileManager.default.removeItem(at: $0.appending(path: "data.mdb")) }),
      (
        "no journal",
        { folder in
          for name in try journals(in: folder) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
          }
        }
      ),
      ("short journal", { try truncate(newestJournal(in: $0)) { _ in 100 } }),
      ("flipped journal header", { try flip(newestJournal(in: $0), at: 40) }),
    ]
    for (name, damage) in damages {
      try withStore { folder in
        try damage(folder)
        let error = try refusal(folder, model: TestModels.league())
        #expect(error.path?.hasPrefix(folder.path) == true, "\(name): \(error)")
        #expect(!error.message.isEmpty, "\(name)")
      }
    }
  }

  @Test func `a store that is open elsewhere in the process is refused`() throws {
    try withTemporaryFolder { folder in
      let container = try PersistentContainer(model: TestModels.league(), at: folder)
      let error = try #require(throws: StoreError.self) {
        try PersistentContainer(model: TestModels.league(), at: folder)
      }
      #expect(error.code == .locked && error.message.contains("this process"), "\(error)")
      #expect(error.path == folder.path)
      try container.viewContext.insert("Team", ["name": .string("Crew")])
      try container.viewContext.save()
      try container.close()
    }
  }

  @Test func `a closed container throws and doesn't trap`() throws {
    try withTemporaryFolder { folder in
      let container = try PersistentContainer(model: TestModels.league(), at: folder)
      let context = container.viewContext
      let team = try context.insert("Team", ["name": .string("Crew")])
      try context.save()
      team["name"] = "Fire"
      try container.close()
      let error = try #require(throws: StoreError.self) { try context.save() }
      #expect(error.code == .closed && error.path == folder.path, "\(error)")
      let second = try #require(throws: StoreError.self) { try context.fetch("Team") }
      #expect(second.code == .closed && second.path == folder.path, "\(second)")
      #expect(context.hasChanges)
    }
  }

  @Test func `an object that the store can't number says why at the save`() throws {
    try withTemporaryFolder { folder in
      let container = try PersistentContainer(model: TestModels.league(), at: folder)
      let context = container.viewContext
      try container.close()
      let error = #expect(throws: StoreError.self) {
        try context.insertNewObject(forEntityName: "Team")
      }
      #expect(error?.code == .closed)
      let entity = try #require(container.model.entitiesByName["Team"])
      let objects = (0..<3).map { _ in ManagedObject(entity: entity, insertInto: context) }
      #expect(Set(objects.map(\.objectID)).count == 3)
      let atSave = try #require(throws: StoreError.self) { try context.save() }
      #expect(atSave.code == .closed)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a wrong predicate names its place`(_ kind: StoreKind) throws {
    let wrong: [(String, String)] = [
      ("name ==", "at byte 7"), ("name == 'x", "at byte 8"), ("(name == 'x'", "at byte"),
      ("name CONTAINS[q] 'x'", "at byte"), ("nickname == 'x'", "nickname"),
      ("name.first == 'x'", "name"), ("ANY name == 'x'", "name"), ("rank == 'two'", "rank"),
      ("name MATCHES '('", "MATCHES"), ("players.lastname == 'x'", "lastname"),
      ("name == %@", "argument"), (String(repeating: "(", count: 100_000), "levels"),
    ]
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      for (format, place) in wrong {
        let error = #expect(throws: ObjectPredicateError.self, "\(format.prefix(40))") {
          try context.fetch("Team", format)
        }
        #expect(error?.description.contains(place) == true, "\(error?.description ?? "none")")
      }
    }
  }

  // MARK: Stores to damage

  /// Runs a body with the folder of a closed store that holds a team, and expects the body to leave a
  /// refused open without a trace.
  private func withStore(_ body: (URL) throws -> Void) throws {
    try withTemporaryFolder { folder in
      let container = try PersistentContainer(model: TestModels.league(), at: folder)
      try container.viewContext.insert("Team", ["name": .string("Crew")])
      try container.viewContext.save()
      try container.close()
      try body(folder)
    }
  }

  /// Returns the error of opening a store, having checked that the attempt changed no file.
  private func refusal(_ folder: URL, model: ManagedObjectModel) throws -> StoreError {
    let before = try contents(of: folder)
    let error = try #require(throws: StoreError.self) {
      try PersistentContainer(model: model, at: folder)
    }
    #expect(try contents(of: folder) == before, "\(error)")
    return error
  }

  /// Returns every file's bytes by name, the lock file's aside.
  private func contents(of folder: URL) throws -> [String: Data] {
    var isFolder: ObjCBool = false
    _ = FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
    guard isFolder.boolValue else { return ["": try Data(contentsOf: folder)] }
    var contents: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where !name.contains("lock") {
      contents[name] = try Data(contentsOf: folder.appending(path: name))
    }
    return contents
  }
}

private func journals(in folder: URL) throws -> [String] {
  try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("j-") }
    .sorted()
}

private func newestJournal(in folder: URL) throws -> URL {
  folder.appending(path: try #require(journals(in: folder).last))
}

private func truncate(_ file: URL, to length: (Int) -> Int) throws {
  let data = try Data(contentsOf: file)
  try data.prefix(length(data.count)).write(to: file)
}

private func flip(_ file: URL, at position: Int) throws {
  var data = try Data(contentsOf: file)
  data[position] ^= 0xFF
  try data.write(to: file)
}

import Lode
import LodeTesting
import Testing

@Suite struct FetchTests {
  /// O-11: the window is cut from the merged, sorted result.
  @Test(arguments: StoreKind.allCases)
  func `limit and offset count unsaved changes`(_ kind: StoreKind) throws {
    let model = try TestModels.flat(
      "Note", [AttributeDescription("ts", .integer64), AttributeDescription("text", .string)])
    try kind.withContainer(model) { container in
      let context = container.viewContext
      for ts in 1...10 { try context.insert("Note", ["ts": .integer(Int64(ts))]) }
      try context.save()
      try #require(context.fetch("Note", "ts == 1").first)["text"] = "changed"
      try context.insert("Note", ["ts": .integer(11)])
      func numbers(limit: Int, offset: Int, pending: Bool) throws -> [Int?] {
        let request = try context.request("Note", sort: [SortTerm("ts", ascending: false)])
        request.fetchLimit = limit
        request.fetchOffset = offset
        request.includesPendingChanges = pending
        let fetched = try context.fetch(request)
        #expect(try context.count(for: request) == fetched.count)
        #expect(try context.fetchObjectIDs(request) == fetched.map(\.objectID))
        return fetched.map { $0["ts"] }
      }
      #expect(try numbers(limit: 3, offset: 0, pending: true) == [11, 10, 9])
      #expect(try numbers(limit: 0, offset: 5, pending: true) == [6, 5, 4, 3, 2, 1])
      #expect(try numbers(limit: 3, offset: 0, pending: false) == [10, 9, 8])
      #expect(try numbers(limit: 0, offset: 5, pending: false) == [5, 4, 3, 2, 1])
    }
  }

  /// O-12: an offset counts without a limit, past the end, and in a child context.
  @Test(arguments: StoreKind.allCases)
  func `an offset works alone, past the end and in a child`(_ kind: StoreKind) throws {
    let model = try TestModels.flat("Note", [AttributeDescription("ts", .integer64)])
    try kind.withContainer(model) { container in
      let root = container.viewContext
      for ts in 1...10 { try root.insert("Note", ["ts": .integer(Int64(ts))]) }
      try root.save()
      let child = ManagedObjectContext(parent: root)
      for context in [root, child] {
        try context.performAndWait { () throws in
          func numbers(offset: Int, limit: Int) throws -> [Int?] {
            let request = try context.request("Note", sort: [SortTerm("ts")])
            request.fetchOffset = offset
            request.fetchLimit = limit
            return try context.fetch(request).map { $0["ts"] }
          }
          #expect(try numbers(offset: 7, limit: 0) == [8, 9, 10])
          #expect(try numbers(offset: 10, limit: 0) == [])
          #expect(try numbers(offset: 3, limit: 4) == [4, 5, 6, 7])
          #expect(try numbers(offset: 8, limit: 5) == [9, 10])
        }
      }
    }
  }

  /// O-13: each object comes once, however many members match, and the count agrees.
  @Test(arguments: StoreKind.allCases)
  func `OR over two to-many relationships repeats nothing`(_ kind: StoreKind) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "E",
        relationships: [
          RelationshipDescription("a", to: "A", inverse: "e", isToMany: true),
          RelationshipDescription("b", to: "B", inverse: "e", isToMany: true),
        ]),
      EntityDescription(
        "A", relationships: [RelationshipDescription("e", to: "E", inverse: "a", isToMany: true)]),
      EntityDescription(
        "B", relationships: [RelationshipDescription("e", to: "E", inverse: "b", isToMany: true)]),
    ])
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let (x, y) = (try context.insert("E"), try context.insert("E"))
      let a = try (0..<2).map { _ in try context.insert("A") }
      let b = try (0..<2).map { _ in try context.insert("B") }
      x[toMany: "a"] = Set(a)
      x[toMany: "b"] = Set(b)
      y[toMany: "a"] = [a[0]]
      for _ in 0..<2 {
        let request = try context.request("E", "ANY a == %@ OR ANY b == %@", [a[0], b[0]])
        #expect(try context.fetch(request) == [x, y])
        #expect(try context.count(for: request) == 2)
        try context.save()
      }
    }
  }

  /// O-14: rows of one entity don't leak into its sibling.
  @Test(arguments: StoreKind.allCases)
  func `siblings of one inheritance tree don't leak`(_ kind: StoreKind) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Base", isAbstract: true, attributes: [AttributeDescription("id", .integer64)],
        indexes: [FetchIndexDescription(on: "id")]),
      EntityDescription("ChildOne", superentityName: "Base"),
      EntityDescription("ChildTwo", superentityName: "Base"),
    ])
    try kind.withContainer(model) { container in
      let context = container.viewContext
      try context.insert("ChildOne", ["id": .integer(5)])
      try context.insert("ChildTwo", ["id": .integer(5)])
      for _ in 0..<2 {
        #expect(try context.fetch("ChildOne", "id == 5").map(\.entity.name) == ["ChildOne"])
        #expect(try context.fetch("Base", "id == 5").count == 2)
        let alone = try context.request("Base", "id == 5")
        alone.includesSubentities = false
        #expect(try context.fetch(alone).isEmpty && context.count(for: alone) == 0)
        try context.save()
      }
      #expect(throws: ContextError.self) { try context.insert("Base") }
    }
  }

  /// O-15: an unsaved object in a predicate matches unsaved objects.
  @Test(arguments: StoreKind.allCases)
  func `unsaved objects can stand in a predicate`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let t1 = try context.insert("Team", ["name": .string("T1")])
      for _ in 0..<2 { try context.insert("Player")[toOne: "team"] = t1 }
      try context.save()
      let t2 = try context.insert("Team", ["name": .string("T2")])
      try context.insert("Player")[toOne: "team"] = t2
      #expect(try context.fetch("Player", "team == %@", [t2]).count == 1)
      #expect(try context.fetch("Player", "team IN %@", [[t1, t2]]).count == 3)
      #expect(try context.fetch("Player", "NOT team IN %@", [[t2]]).count == 2)
      #expect(try context.count(for: context.request("Player", "team == %@", [t2])) == 1)
    }
  }

  /// O-18: ANY, ALL and NONE over an empty relationship.
  @Test(arguments: StoreKind.allCases)
  func `quantifiers over nothing answer as logic does`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      try context.insert("Team", ["name": .string("T")])
      let u = try context.insert("Team", ["name": .string("U")])
      for age in [19, 25] {
        try context.insert("Player", ["age": .integer(Int64(age))])[toOne: "team"] = u
      }
      for _ in 0..<2 {
        #expect(try context.fetch("Team", "ANY players.age > 20").map(\.named) == ["U"])
        #expect(try context.fetch("Team", "ALL players.age > 20").map(\.named) == ["T"])
        #expect(try context.fetch("Team", "NONE players.age > 20").map(\.named) == ["T"])
        try context.save()
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a predicate through a relationship sees unsaved changes at its end`(
    _ kind: StoreKind
  ) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let crew = try context.insert("Team", ["name": .string("Crew")])
      let player = try context.insert("Player")
      player[toOne: "team"] = crew
      try context.save()
      crew["name"] = "Fire"
      #expect(try context.fetch("Player", "team.name == 'Fire'") == [player])
      #expect(try context.fetch("Player", "team.name == 'Crew'").isEmpty)
      let request = try context.request("Player", "team.name == 'Crew'")
      request.includesPendingChanges = false
      #expect(try context.fetch(request) == [player])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a batched fetch reads one batch at a time`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let writer = container.newBackgroundContext()
      try writer.performAndWait {
        let crew = try writer.insert("Team", ["name": .string("Crew")])
        for number in 0..<100 {
          let player = try writer.insert("Player", ["lastName": .string("P\(100 + number)")])
          player[toOne: "team"] = crew
        }
        try writer.save()
      }
      let context = container.viewContext
      let request = try context.request("Player", sort: [SortTerm("lastName")])
      request.fetchBatchSize = 20
      request.relationshipKeyPathsForPrefetching = ["team"]
      let players = try context.fetch(request)
      #expect(players.count == 100 && players.allSatisfy(\.isFault))
      #expect(players[25]["lastName"] == "P125")
      #expect(players.indices.filter { !players[$0].isFault } == Array(20..<40))
      let team = try #require(players[25][toOne: "team"])
      #expect(!team.isFault)
      let walk = try context.fetchBatched(request)
      #expect(walk.map { $0["lastName"] ?? "" } == (100..<200).map { "P\($0)" })
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a wrong request is a typed error and changes nothing`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      func error(_ entity: String, _ format: String) -> (any Error)? {
        do {
          _ = try context.fetch(entity, format)
          return nil
        } catch { return error }
      }
      #expect(error("Club", "TRUEPREDICATE") is ContextError)
      for format in [
        "nickname == 'x'", "name.first == 'x'", "ANY name == 'x'", "name ==", "name == %@",
        "rank == 'two'", "players.age > 3", "name CONTAINS[x] 'a'", "mood == 'calm'",
      ] {
        #expect(error(format.hasPrefix("mood") ? "Player" : "Team", format) != nil, "\(format)")
      }
      let request = try context.request("Player")
      request.relationshipKeyPathsForPrefetching = ["club"]
      #expect(throws: ContextError.self) { try context.fetch(request) }
      #expect(!context.hasChanges)
    }
  }
}

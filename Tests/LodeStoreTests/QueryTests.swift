import LodeModel
import Testing

@testable import LodeStore

@Suite struct QueryTests {
  @Test(arguments: EngineStoreKind.allCases)
  func `siblings do not leak`(kind: EngineStoreKind) throws {
    // O-14 of the cases that users hit.
    try kind.withStore(League.model) { store in
      let one = try store.add("ChildOne", ["id": .integer(5)])
      let two = try store.add("ChildTwo", ["id": .integer(5)])
      let isFive = compare("id", .equal, .integer(5))
      #expect(try store.objectIDs(try store.query("ChildOne", isFive)) == [one])
      #expect(try store.objectIDs(try store.query("Base", isFive)) == [one, two])
      let alone = try store.query("Base", isFive, includesSubentities: false)
      #expect(try store.objectIDs(alone) == [])
      #expect(try store.count(alone) == 0)
      #expect(try store.count(try store.query("ChildTwo")) == 1)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a window is cut from the ordered result`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let ids = try (0..<10).map { try store.add("Player", ["age": .integer(Int64(9 - $0))]) }
      let windows: [(limit: Int, offset: Int, range: Range<Int>)] = [
        (0, 7, 7..<10), (0, 10, 10..<10), (4, 3, 3..<7), (5, 8, 8..<10), (3, 0, 0..<3),
        (0, 99, 10..<10), (.max, .max, 10..<10),
      ]
      for window in windows {
        let sorted = try store.query(
          "Player", sort: [SortTerm("age", ascending: false)], limit: window.limit,
          offset: window.offset)
        let plain = try store.query("Player", limit: window.limit, offset: window.offset)
        #expect(try store.objectIDs(sorted) == Array(ids[window.range]))
        #expect(try store.objectIDs(plain) == Array(ids[window.range]))
        #expect(try store.rows(sorted).map(\.objectID) == Array(ids[window.range]))
        #expect(try store.count(sorted) == window.range.count)
      }
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `equal keys are ordered by object number and nil comes first`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let names: [String?] = ["b", nil, "a", "b", nil, "B"]
      let ids = try names.map { name in
        try store.add("Player", name.map { ["name": .string($0)] } ?? [:])
      }
      let up = try store.query("Player", sort: [SortTerm("name")])
      let down = try store.query("Player", sort: [SortTerm("name", ascending: false)])
      let folded = try store.query("Player", sort: [SortTerm("name", options: .caseInsensitive)])
      #expect(try store.objectIDs(up) == [1, 4, 5, 2, 0, 3].map { ids[$0] })
      #expect(try store.objectIDs(down) == [0, 3, 2, 5, 1, 4].map { ids[$0] })
      #expect(try store.objectIDs(folded) == [1, 4, 2, 0, 3, 5].map { ids[$0] })
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `sorts and predicates follow relationships`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let red = try store.add("Team", ["name": .string("Red")])
      let blue = try store.add("Team", ["name": .string("Blue")])
      let ada = try store.add("Player", ["team": .objectID(red), "age": .integer(20)])
      let bo = try store.add("Player", ["team": .objectID(blue), "age": .integer(30)])
      let cy = try store.add("Player")
      let byTeam = try store.query("Player", sort: [SortTerm("team.name")])
      #expect(try store.objectIDs(byTeam) == [cy, bo, ada])
      let isRed = try store.query("Player", compare("team.name", .equal, .string("Red")))
      #expect(try store.objectIDs(isRed) == [ada])
      let old = ObjectPredicate.comparison(
        ObjectComparison(
          .keyPath(ObjectKeyPath("players.age")), .greater, .constant(.integer(25)),
          quantifier: .any))
      #expect(try store.objectIDs(try store.query("Team", old)) == [blue])
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a transient attribute in a query is refused by name`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let query = try store.query("Player", compare("nickname", .equal, .string("x")))
      let error = #expect(throws: StoreError.self) { try store.rows(query) }
      #expect(error?.code == .predicate)
      #expect(error?.message.contains("nickname") == true)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `rows are found by ID, at the position of each`(kind: EngineStoreKind) throws {
    try kind.withStore(League.model) { store in
      let ada = try store.add("Player")
      let lev = try store.add("Goalkeeper")
      let missing = ManagedObjectID(
        store: store.identifier, entityName: ada.entityName, number: 12_345)
      let wrongEntity = ManagedObjectID(
        store: store.identifier, entityName: ada.entityName, number: lev.number)
      let foreign = try EngineStore.inMemory(model: League.model).add("Player")
      let rows = try store.rows(for: [missing, lev, foreign, wrongEntity, ada, lev])
      #expect(rows.map { $0?.objectID } == [nil, lev, nil, nil, ada, lev])
    }
  }
}

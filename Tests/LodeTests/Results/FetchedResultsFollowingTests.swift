import Foundation
import Lode
import LodeTesting
import Testing

/// How a list follows its context, and how delegates and sequences are told.
struct FetchedResultsFollowingTests {
  /// Runs a body with a context and a list of its items by rank, sectioned by group.
  private func withList(
    _ kind: StoreKind = .inMemory, section: String? = nil,
    _ body: (ManagedObjectContext, FetchedResultsController<ManagedObject>, ResultsRecorder) throws
      -> Void
  ) throws {
    try kind.withContainer(ResultsModels.make()) { container in
      let context = container.viewContext
      for (rank, name) in ["a", "b", "c"].enumerated() {
        try context.item(name, "g\(rank)", rank: Int64(rank))
      }
      try context.save()
      let recorder = ResultsRecorder()
      let controller = try FetchedResultsController<ManagedObject>.fetched(
        "Item", in: context, sort: [SortTerm("rank")], section: section, delegate: recorder)
      try body(context, controller, recorder)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a row that is changed and deleted in one cycle is one delete`(kind: StoreKind) throws {
    try withList(kind) { context, controller, recorder in
      let object = controller.object(at: IndexPath(row: 1, section: 0))
      object["note"] = "x"
      object["rank"] = 9
      context.delete(object)
      try context.save()
      #expect(recorder.take() == ["will", "-b (0,1)", "did"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a row that is inserted and changed in one cycle is one insert`(kind: StoreKind) throws {
    try withList(kind) { context, _, recorder in
      let object = try context.item("n", rank: 9)
      object["rank"] = 1
      object["rank"] = -1
      try context.save()
      #expect(recorder.take() == ["will", "+n (0,0)", "did"])
    }
  }

  @Test func `a row that is inserted and deleted in one cycle is nothing`() throws {
    try withList { context, _, recorder in
      context.delete(try context.item("n", rank: 9))
      context.processPendingChanges()
      #expect(recorder.take() == [])
    }
  }

  @Test func `setting a value and taking it back is nothing`() throws {
    try withList { context, controller, recorder in
      let object = controller.object(at: IndexPath(row: 0, section: 0))
      object["rank"] = 7
      object["rank"] = 0
      try context.save()
      #expect(recorder.take() == [])
    }
  }

  @Test func `a rollback takes back what was reported`() throws {
    try withList { context, controller, recorder in
      controller.object(at: IndexPath(row: 0, section: 0))["rank"] = 7
      context.delete(controller.object(at: IndexPath(row: 1, section: 0)))
      try context.item("n", rank: 9)
      context.processPendingChanges()
      #expect(recorder.takeBatch() == ["-b (0,1)", "+n (0,2)", "~a (0,0)→(0,1)"])
      context.rollback()
      #expect(controller.names == ":[a, b, c]")
    }
  }

  @Test func `the old list stands inside will-change and the new one afterwards`() throws {
    try withList(section: "group") { context, controller, recorder in
      var counts: [Int] = []
      recorder.willChange = { counts.append($0.numberOfObjects) }
      recorder.didChange = { counts.append($0.numberOfObjects) }
      try context.item("n", "g3", rank: 3)
      context.processPendingChanges()
      #expect(counts == [3, 4])
      #expect(recorder.takeBatch() == ["+section g3 at 3", "+n (3,0)"])
    }
  }

  @Test func `a change that a delegate causes waits for the end of the batch`() throws {
    try withList { context, _, recorder in
      recorder.didChange = { [unowned recorder] controller in
        recorder.didChange = { _ in }
        controller.object(at: IndexPath(row: 0, section: 0))["note"] = "seen"
        controller.context.processPendingChanges()
      }
      try context.item("n", rank: 9)
      context.processPendingChanges()
      #expect(recorder.take() == ["will", "+n (0,3)", "did", "will", "~a (0,0)", "did"])
    }
  }

  @Test func `a fetch reports nothing, not even what was pending`() throws {
    try withList { context, controller, recorder in
      try context.item("n", rank: 9)
      controller.fetchRequest.sortTerms = [SortTerm("rank", ascending: false)]
      try controller.performFetch()
      #expect(recorder.take() == [])
      #expect(controller.names == ":[n, c, b, a]")
    }
  }

  @Test func `a request that is changed takes effect with the next fetch only`() throws {
    try withList { context, controller, _ in
      controller.fetchRequest.sortTerms = [SortTerm("rank", ascending: false)]
      try context.item("n", rank: -1)
      context.processPendingChanges()
      #expect(controller.names == ":[n, a, b, c]")
    }
  }

  @Test func `a reset of the context makes every row another object`() throws {
    try withList { context, controller, recorder in
      try context.item("unsaved", rank: 9)
      context.processPendingChanges()
      _ = recorder.take()
      context.reset()
      let events = recorder.takeBatch()
      #expect(events.first?.hasSuffix(" (0,3)") == true)
      #expect(events.dropFirst() == ["~a (0,0)", "~b (0,1)", "~c (0,2)"])
      #expect(controller.names == ":[a, b, c]")
    }
  }

  @Test func `a window stays as wide as asked for`() throws {
    try withList { context, controller, recorder in
      (controller.fetchRequest.fetchLimit, controller.fetchRequest.fetchOffset) = (2, 1)
      try controller.performFetch()
      #expect(controller.names == ":[b, c]")
      try context.item("n", rank: -1)
      context.processPendingChanges()
      #expect(recorder.takeBatch() == ["-c (0,1)", "+a (0,0)"])
      context.delete(try #require(context.fetch("Item").first { $0.named == "n" }))
      context.processPendingChanges()
      #expect(recorder.takeBatch() == ["-a (0,0)", "+c (0,1)"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a window never exceeds its limit`(kind: StoreKind) throws {
    try kind.withContainer(ResultsModels.make()) { container in
      let context = container.viewContext
      let request = FetchRequest<ManagedObject>(entityName: "Item", sortTerms: [SortTerm("rank")])
      request.fetchLimit = 10
      let controller = FetchedResultsController(fetchRequest: request, context: context)
      try controller.performFetch()
      let items = try (0..<15).map { try context.item("\($0)", rank: $0) }
      context.processPendingChanges()
      #expect(controller.numberOfObjects == 10)
      for item in items.prefix(5) { context.delete(item) }
      items[9]["rank"] = 20
      try context.save()
      #expect(
        controller.names == ":[5, 6, 7, 8, 10, 11, 12, 13, 14, 9]")
    }
  }

  @Test func `a sequence opened after a failure has ended until the next fetch`() async throws {
    var ended: AsyncStream<FetchedResultsChange>?
    var living: AsyncStream<FetchedResultsChange>?
    try withList(section: "group") { context, controller, _ in
      let item = try context.item("n", "g0", rank: 9)
      context.processPendingChanges()
      ended = controller.changes
      item["group"] = "g2"
      try controller.performFetch()
      living = controller.changes
      item["rank"] = 10
      context.processPendingChanges()
    }
    for await change in try #require(ended) { Issue.record("\(change)") }
    var count = 0
    for await _ in try #require(living) { count += 1 }
    #expect(count == 1)
  }

  @Test func `an order that a change breaks stops the list where it was`() throws {
    try withList(section: "group") { context, controller, recorder in
      let item = try context.item("n", "g0", rank: 9)
      context.processPendingChanges()
      #expect(recorder.take() == ["will", "did"])
      #expect(recorder.failures.map(\.code) == [.sectionsOutOfOrder])
      #expect(controller.failure?.sectionName == "g0")
      #expect(controller.names == "g0:[a] g1:[b] g2:[c]")
      item["group"] = "g2"
      try controller.performFetch()
      #expect(controller.failure == nil)
      #expect(controller.names == "g0:[a] g1:[b] g2:[c, n]")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a row that can't be read stops the list where it was`(kind: StoreKind) async throws {
    try await kind.withContainer(ResultsModels.make()) { container in
      let context = container.viewContext
      let state = try context.insert("State", ["name": .string("a"), "rank": .integer(1)])
      try context.save()
      let recorder = ResultsRecorder()
      let controller = try FetchedResultsController<ManagedObject>.fetched(
        "State", in: context, sort: [SortTerm("rank")],
        predicate: .comparison(
          ObjectComparison(
            .count(ObjectKeyPath("cities")), .equal, .constant(.integer(0)))),
        delegate: recorder)
      let changes = controller.changes
      try container.close()
      state["rank"] = 2
      try context.insert("City", ["name": .string("c")])
      context.processPendingChanges()
      #expect(recorder.failures.map(\.code) == [.fetch])
      #expect(recorder.failures.first?.underlying != nil)
      #expect(controller.failure != nil)
      #expect(controller.numberOfObjects == 1)
      for await change in changes { Issue.record("the sequence has ended, but gave \(change)") }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `lists of a child and of its parent follow both`(kind: StoreKind) throws {
    try kind.withContainer(ResultsModels.make()) { container in
      let root = container.viewContext
      try root.item("a", "g", rank: 1)
      try root.save()
      let child = ManagedObjectContext(parent: root)
      let list = try FetchedResultsController<ManagedObject>.fetched(
        "Item", in: root, sort: [SortTerm("rank")], section: "group")
      try child.performAndWait {
        let ofChild = try FetchedResultsController<ManagedObject>.fetched(
          "Item", in: child, sort: [SortTerm("rank")], section: "group")
        #expect(ofChild.names == "g:[a]")
        try child.item("b", "g", rank: 0)
        ofChild.object(at: IndexPath(row: 0, section: 0))["group"] = "h"
        child.processPendingChanges()
        #expect(ofChild.names == "g:[b] h:[a]")
        try child.save()
        #expect(ofChild.names == "g:[b] h:[a]")
      }
      root.processPendingChanges()
      #expect(list.names == "g:[b] h:[a]")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a list on a background context follows there`(kind: StoreKind) async throws {
    try await kind.withContainer(ResultsModels.make()) { container in
      let names = try await container.performBackgroundTask { context in
        let list = try FetchedResultsController<ManagedObject>.fetched(
          "Item", in: context, sort: [SortTerm("rank")])
        for rank in [2, 1, 3] as [Int64] { try context.item("\(rank)", rank: rank) }
        try context.save()
        return list.names
      }
      #expect(names == ":[1, 2, 3]")
    }
  }

  @Test func `a fetch inside a delegate's method stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let context = try PersistentContainer(model: ResultsModels.make()).viewContext
      let recorder = ResultsRecorder()
      let controller = try FetchedResultsController<ManagedObject>.fetched(
        "Item", in: context, sort: [SortTerm("rank")], delegate: recorder)
      recorder.didChange = { try? $0.performFetch() }
      try context.item("a")
      context.processPendingChanges()
      _ = controller
    }
  }

  @Test func `several lists of one context follow independently`() throws {
    try withList { context, controller, _ in
      let other = try FetchedResultsController<ManagedObject>.fetched(
        "Item", in: context, sort: [SortTerm("name", ascending: false)], section: "name")
      try context.item("n", rank: 1)
      context.processPendingChanges()
      #expect(controller.names == ":[a, b, n, c]")
      #expect(other.names == "n:[n] c:[c] b:[b] a:[a]")
    }
  }

  @Test func `a controller goes when nobody holds it`() throws {
    try withList { context, _, recorder in
      weak var gone: FetchedResultsController<ManagedObject>?
      do {
        let controller = try FetchedResultsController<ManagedObject>.fetched(
          "Item", in: context, sort: [SortTerm("rank")], delegate: recorder)
        _ = controller.changes
        gone = controller
      }
      #expect(gone == nil)
      try context.item("n")
      context.processPendingChanges()
    }
  }

  @Test func `sequences are independent, begin at once and end with the controller`() async throws {
    let context = try PersistentContainer(model: ResultsModels.make()).viewContext
    var controller: FetchedResultsController? = try FetchedResultsController<ManagedObject>.fetched(
      "Item", in: context, sort: [SortTerm("rank")])
    let early = try #require(controller).changes
    let first = try context.item("a", rank: 1)
    context.processPendingChanges()
    let late = try #require(controller).changes
    let second = try context.item("b", rank: 0)
    context.processPendingChanges()
    controller = nil
    let paths = IndexPath(row: 0, section: 0)
    let inserts = [first, second].map {
      FetchedResultsChange.Row.insert($0.objectID, at: paths)
    }
    var received: [[FetchedResultsChange.Row]] = []
    for await change in early { received.append(change.rows) }
    #expect(received == [[inserts[0]], [inserts[1]]])
    received = []
    for await change in late { received.append(change.rows) }
    #expect(received == [[inserts[1]]])
  }
}

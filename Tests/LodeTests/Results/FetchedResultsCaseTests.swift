import Foundation
import Lode
import LodeTesting
import Testing

/// What users of such lists have run into, case by case.
struct FetchedResultsCaseTests {
  private func withContext(
    _ kind: StoreKind, _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    try kind.withContainer(ResultsModels.make()) { try body($0.viewContext) }
  }

  /// O-01. A list that was told of a move inside a section that no longer existed crashed.
  @Test(arguments: StoreKind.allCases)
  func `a row leaves its one-row section for a section that exists`(kind: StoreKind) throws {
    try withContext(kind) { context in
      let p41 = try context.item("p41", rank: 0)
      for (name, rank) in [("p39", 1), ("p3", 2), ("p40", 3)] {
        try context.item(name, rank: Int64(rank))
      }
      let recorder = ResultsRecorder()
      let controller = try FetchedResultsController<ManagedObject>.fetched(
        "Item", in: context, sort: [SortTerm("rank"), SortTerm("name")], section: "rank",
        delegate: recorder)
      p41["rank"] = 1
      context.processPendingChanges()
      #expect(controller.names == "1:[p39, p41] 2:[p3] 3:[p40]")
      #expect(recorder.take() == ["will", "-section 0 at 0", "~p41 (0,0)→(0,1)", "did"])
    }
  }

  /// O-02. A consumer that gets only the move can't move a row out of a deleted section.
  @Test(arguments: StoreKind.allCases)
  func `a one-row section vanishes while its row founds a new one`(kind: StoreKind) throws {
    try withContext(kind) { context in
      try context.item("A", rank: 3)
      let b = try context.item("B", rank: 2)
      try context.item("C", rank: 1)
      let recorder = ResultsRecorder()
      let controller = try FetchedResultsController<ManagedObject>.fetched(
        "Item", in: context, sort: [SortTerm("rank", ascending: false)], section: "rank",
        delegate: recorder)
      b["rank"] = 4
      context.processPendingChanges()
      #expect(controller.names == "4:[B] 3:[A] 1:[C]")
      #expect(
        recorder.takeBatch() == ["-section 2 at 1", "+section 4 at 0", "~B (1,0)→(0,0)"])
    }
  }

  /// O-03. Writing equal values elsewhere was reported as a move from a path to the same path.
  @Test(arguments: StoreKind.allCases)
  func `a merge of values that are there already is no change`(kind: StoreKind) throws {
    try kind.withContainer(ResultsModels.make()) { container in
      let context = container.viewContext
      let items = try [1, 2, 3].map { try context.item("\($0)", rank: $0) }
      try context.save()
      let recorder = ResultsRecorder()
      let controller = try FetchedResultsController<ManagedObject>.fetched(
        "Item", in: context, sort: [SortTerm("rank")], delegate: recorder)
      let objectIDs = items.map(\.objectID)
      let notice = try container.saveElsewhere { other in
        for (index, objectID) in objectIDs.enumerated() {
          let item = try other.existingObject(with: objectID)
          if index < 2 { item["note"] = "new" }
          item["name"] = "\(index + 1)"
          item["rank"] = index + 1
        }
      }
      try context.mergeChanges(from: notice)
      #expect(recorder.take() == ["will", "~1 (0,0)", "~2 (0,1)", "did"])
      #expect(controller.numberOfObjects == 3)
    }
  }

  /// O-04. Two events for one row made a list delete and reload the same row.
  @Test(arguments: StoreKind.allCases)
  func `a sort key that changes within its place is one update`(kind: StoreKind) throws {
    try withContext(kind) { context in
      let items = try [10, 20, 30].map { try context.item("\($0)", rank: $0) }
      let recorder = ResultsRecorder()
      let controller = try FetchedResultsController<ManagedObject>.fetched(
        "Item", in: context, sort: [SortTerm("rank")], delegate: recorder)
      items[1]["rank"] = 25
      context.processPendingChanges()
      #expect(recorder.take() == ["will", "~20 (0,1)", "did"])
      #expect(controller.object(at: IndexPath(row: 1, section: 0)) == items[1])
    }
  }

  /// O-05. One row delete at a time against a shrinking list left counts that didn't add up.
  @Test(arguments: StoreKind.allCases)
  func `a section that loses all rows is deleted once with each of them`(kind: StoreKind) throws {
    try withContext(kind) { context in
      for section in 0..<5 { try context.item("s\(section)", rank: Int64(section)) }
      let doomed = try (0..<6).map { try context.item("d\($0)", rank: 5) }
      for row in 0..<2 { try context.item("e\(row)", rank: 6) }
      try context.save()
      let recorder = ResultsRecorder()
      let controller = try FetchedResultsController<ManagedObject>.fetched(
        "Item", in: context, sort: [SortTerm("rank"), SortTerm("name")], section: "rank",
        delegate: recorder)
      for object in doomed { context.delete(object) }
      try context.save()
      #expect(recorder.events.filter { $0 == "did" }.count == 1)
      #expect(
        recorder.takeBatch() == ["-section 5 at 5"] + (0..<6).reversed().map { "-d\($0) (5,\($0))" }
      )
      #expect(controller.sections[5].name == "6")
      #expect(controller.sections.count == 6)
    }
  }

  /// O-06. A section is a run of equal names.
  @Test(arguments: StoreKind.allCases)
  func `rows that the order doesn't group are refused by row and name`(kind: StoreKind) throws {
    try withContext(kind) { context in
      try context.item("1", "Txt", rank: 1)
      try context.item("2", "General", rank: 2)
      try context.item("3", "Txt", rank: 3)
      let request = FetchRequest<ManagedObject>(entityName: "Item", sortTerms: [SortTerm("rank")])
      let controller = FetchedResultsController(
        fetchRequest: request, context: context, sectionNameKeyPath: "group")
      let error = try #require(throws: FetchedResultsError.self) { try controller.performFetch() }
      #expect(error.code == .sectionsOutOfOrder)
      #expect(error.rowIndex == 2)
      #expect(error.sectionName == "Txt")
      #expect(error.sectionNameKeyPath == "group")
      #expect(controller.fetchedObjects == nil)
      #expect(controller.sections.isEmpty)
      request.sortTerms = [SortTerm("group"), SortTerm("rank")]
      try controller.performFetch()
      #expect(controller.names == "General:[2] Txt:[1, 3]")
    }
  }

  /// O-07. A list that followed half of such a change disagreed with itself.
  @Test(arguments: StoreKind.allCases)
  func `a section follows the related object that names it`(kind: StoreKind) throws {
    try withContext(kind) { context in
      let ohio = try context.insert("State", ["name": .string("Ohio")])
      let texas = try context.insert("State", ["name": .string("Texas")])
      for (name, state) in [("Akron", ohio), ("Dayton", ohio), ("Austin", texas)] {
        try context.insert("City", ["name": .string(name)])[toOne: "state"] = state
      }
      try context.save()
      let recorder = ResultsRecorder()
      let controller = try FetchedResultsController<ManagedObject>.fetched(
        "City", in: context, sort: [SortTerm("state.name"), SortTerm("name")],
        section: "state.name", delegate: recorder)
      #expect(controller.names == "Ohio:[Akron, Dayton] Texas:[Austin]")
      ohio["name"] = "Utah"
      try context.save()
      #expect(controller.names == "Texas:[Austin] Utah:[Akron, Dayton]")
      #expect(
        recorder.takeBatch() == [
          "-section Ohio at 0", "+section Utah at 1", "Akron (0,0)→(1,0)", "Dayton (0,1)→(1,1)",
        ])
      try controller.performFetch()
      #expect(controller.names == "Texas:[Austin] Utah:[Akron, Dayton]")
    }
  }

  /// O-08. A merge that skips objects the context doesn't have loses rows that begin to match.
  @Test(arguments: StoreKind.allCases)
  func `an object that was never loaded enters and leaves by a merge`(kind: StoreKind) throws {
    try kind.withContainer(ResultsModels.make()) { container in
      let hidden = try container.saveElsewhere { other in
        for name in ["a", "c", "d"] { try other.item(name, "both") }
        try other.item("b", "none")
      }.inserted[3]
      let context = container.viewContext
      let recorder = ResultsRecorder()
      let controller = try FetchedResultsController<ManagedObject>.fetched(
        "Item", in: context, sort: [SortTerm("name")],
        predicate: .compare("group", .notEqual, .string("none")), delegate: recorder)
      #expect(controller.numberOfObjects == 3)
      for (group, events) in [("both", ["+b (0,1)"]), ("none", ["-b (0,1)"])] {
        let notice = try container.saveElsewhere { other in
          try other.existingObject(with: hidden)["group"] = group
        }
        try context.mergeChanges(from: notice)
        #expect(recorder.takeBatch() == events)
        #expect(controller.numberOfObjects == (group == "both" ? 4 : 3))
      }
    }
  }

  /// O-10. A section cache that outlived the data hid a row.
  @Test(arguments: StoreKind.allCases)
  func `a cache name never brings back what was`(kind: StoreKind) throws {
    try withContext(kind) { context in
      let child = try context.item("c", "P1")
      try context.save()
      let request = FetchRequest<ManagedObject>(
        entityName: "Item", predicate: .compare("group", .equal, .string("P2")),
        sortTerms: [SortTerm("name")])
      for expected in [[], [child]] {
        let controller = FetchedResultsController(
          fetchRequest: request, context: context, cacheName: "P2")
        try controller.performFetch()
        #expect(controller.fetchedObjects == expected)
        child["group"] = "P2"
        try context.save()
      }
    }
  }
}

extension PersistentContainer {
  /// Runs a body in another context, saves it and returns the notice of that save.
  func saveElsewhere(_ body: (ManagedObjectContext) throws -> Void) throws -> SaveNotice {
    let recorder = NoticeRecorder()
    coordinator.saveListeners.add(recorder)
    let context = newBackgroundContext()
    try context.performAndWait {
      try body(context)
      try context.save()
    }
    return try #require(recorder.notices.first)
  }
}

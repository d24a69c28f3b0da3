import Foundation
import Lode
import LodeTesting
import Testing

/// What a list is right after a fetch.
struct FetchedResultsListTests {
  private func controller(
    _ context: ManagedObjectContext, sort: [SortTerm] = [SortTerm("name")], section: String? = nil
  ) -> FetchedResultsController<ManagedObject> {
    FetchedResultsController(
      fetchRequest: FetchRequest(entityName: "Item", sortTerms: sort), context: context,
      sectionNameKeyPath: section)
  }

  private func withContext(
    _ kind: StoreKind = .inMemory, _ body: (ManagedObjectContext) throws -> Void
  ) throws {
    try kind.withContainer(ResultsModels.make()) { try body($0.viewContext) }
  }

  @Test func `there is no list before the first fetch`() throws {
    try withContext { context in
      let item = try context.item("a")
      let controller = controller(context)
      #expect(controller.fetchedObjects == nil)
      #expect(controller.numberOfObjects == 0)
      #expect(controller.sections.isEmpty)
      #expect(controller.indexPath(for: item) == nil)
    }
  }

  @Test func `an empty list has one section without a section key and none with one`() throws {
    try withContext { context in
      let plain = controller(context)
      try plain.performFetch()
      #expect(plain.sections.map(\.name) == [""])
      #expect(plain.sections[0].numberOfObjects == 0)
      #expect(plain.sections[0].objects == [])
      let sectioned = controller(context, sort: [SortTerm("group")], section: "group")
      try sectioned.performFetch()
      #expect(sectioned.sections.isEmpty)
      #expect(sectioned.fetchedObjects == [])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `paths and objects answer for each other`(kind: StoreKind) throws {
    try withContext(kind) { context in
      for (name, group) in [("a", nil), ("b", "x"), ("c", "x"), ("d", "y")] as [(String, String?)] {
        try context.item(name, group)
      }
      try context.save()
      let controller = controller(
        context, sort: [SortTerm("group"), SortTerm("name")], section: "group")
      try controller.performFetch()
      #expect(controller.names == ":[a] x:[b, c] y:[d]")
      #expect(controller.sections.map(\.indexTitle) == ["", "X", "Y"])
      #expect(controller.sections.index(named: "y") == 2)
      #expect(controller.fetchedObjects?.map(\.named) == ["a", "b", "c", "d"])
      for section in controller.sections.indices {
        for row in 0..<controller.sections[section].numberOfObjects {
          let path = IndexPath(row: row, section: section)
          #expect(controller.indexPath(for: controller.object(at: path)) == path)
          #expect(controller.indexPath(for: controller.objectID(at: path)) == path)
        }
      }
    }
  }

  @Test(arguments: StoreKind.allCases, [0, 1, 3, 100])
  func `objects come with their values whatever the batch size`(
    kind: StoreKind, batchSize: Int
  ) throws {
    try withContext(kind) { context in
      for number in 0..<10 { try context.item("\(number)", "\(number / 4)") }
      try context.save()
      context.reset()
      let request = FetchRequest<ManagedObject>(
        entityName: "Item", sortTerms: [SortTerm("group"), SortTerm("name")])
      request.fetchBatchSize = batchSize
      let controller = FetchedResultsController(
        fetchRequest: request, context: context, sectionNameKeyPath: "group")
      try controller.performFetch()
      #expect(context.registeredObjects.isEmpty)
      #expect(controller.object(at: IndexPath(row: 1, section: 2)).named == "9")
      #expect(controller.names == "0:[0, 1, 2, 3] 1:[4, 5, 6, 7] 2:[8, 9]")
      #expect(controller.fetchedObjects?.map(\.named) == (0..<10).map { "\($0)" })
    }
  }

  @Test func `index titles lead to the first section of their run`() throws {
    try withContext { context in
      for name in ["Akron", "austin", "Boston", "Chicago", "Cleveland"] {
        try context.item(name, name)
      }
      let controller = controller(
        context, sort: [SortTerm("group", options: .caseInsensitive)], section: "group")
      try controller.performFetch()
      #expect(controller.sectionIndexTitles == ["A", "B", "C"])
      #expect((0..<3).map { controller.section(forSectionIndexTitleAt: $0) } == [0, 2, 3])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `objects of sub-entities are listed unless the request leaves them out`(
    kind: StoreKind
  ) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription("Base", attributes: [AttributeDescription("name", .string)]),
      EntityDescription("Sub", superentityName: "Base"),
    ])
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let request = FetchRequest<ManagedObject>(entityName: "Base", sortTerms: [SortTerm("name")])
      let all = FetchedResultsController(fetchRequest: request, context: context)
      try all.performFetch()
      request.includesSubentities = false
      let some = FetchedResultsController(fetchRequest: request, context: context)
      try some.performFetch()
      try context.insert("Base", ["name": .string("b")])
      try context.insert("Sub", ["name": .string("a")])
      try context.save()
      #expect(all.names == ":[a, b]")
      #expect(some.names == ":[b]")
    }
  }

  @Test func `a request without an order is refused`() throws {
    try withContext { context in
      let controller = controller(context, sort: [])
      let error = try #require(throws: FetchedResultsError.self) { try controller.performFetch() }
      #expect(error.code == .missingSort)
    }
  }

  @Test(arguments: ["nothing", "name.more", "cities", "state", "state.name.x", ""])
  func `a section key path that leads to no text is refused`(keyPath: String) throws {
    try withContext { context in
      let controller = FetchedResultsController(
        fetchRequest: FetchRequest<ManagedObject>(
          entityName: "City", sortTerms: [SortTerm("name")]),
        context: context, sectionNameKeyPath: keyPath)
      let error = try #require(throws: FetchedResultsError.self) { try controller.performFetch() }
      #expect(error.code == .invalidSectionKeyPath)
      #expect(error.sectionNameKeyPath == keyPath)
    }
  }

  @Test func `a request that doesn't fit the model is refused with the reason`() throws {
    try withContext { context in
      for request in [
        FetchRequest<ManagedObject>(entityName: "Nobody", sortTerms: [SortTerm("name")]),
        FetchRequest(entityName: "Item", sortTerms: [SortTerm("nothing")]),
        FetchRequest(
          entityName: "Item", predicate: .compare("nothing", .equal, .null),
          sortTerms: [SortTerm("name")]),
      ] {
        let controller = FetchedResultsController(fetchRequest: request, context: context)
        let error = try #require(throws: FetchedResultsError.self) { try controller.performFetch() }
        #expect(error.code == .fetch)
        #expect(error.underlying != nil)
      }
    }
  }

  @Test func `a fetch that fails leaves no list and the next one starts anew`() throws {
    try withContext { context in
      try context.item("a", "x")
      let controller = controller(context, section: "group")
      try controller.performFetch()
      controller.fetchRequest.sortTerms = []
      #expect(throws: FetchedResultsError.self) { try controller.performFetch() }
      #expect(controller.fetchedObjects == nil)
      try context.item("b", "y")
      context.processPendingChanges()
      controller.fetchRequest.sortTerms = [SortTerm("name", ascending: false)]
      try controller.performFetch()
      #expect(controller.names == "y:[b] x:[a]")
    }
  }

  @Test func `each kind of value names a section as documented`() throws {
    let uuid = UUID()
    let texts: [(Value, String)] = [
      (.null, ""), (.string("Ä b"), "Ä b"), (.boolean(true), "1"), (.boolean(false), "0"),
      (.integer(-12), "-12"), (.double(3), "3"), (.double(-0.0), "0"), (.double(2.5), "2.5"),
      (.double(.nan), "nan"), (.double(1e300), "1e+300"), (.decimal(Decimal(25) / 10), "2.5"),
      (.date(Date(timeIntervalSince1970: 0)), "1970-01-01T00:00:00Z"),
      (.uuid(uuid), uuid.uuidString),
    ]
    for (value, text) in texts { #expect(SectionName.text(of: value) == text) }
  }

  @Test func `sections by every ordered type are grouped by an order by it`() throws {
    let values: [(AttributeType, [Value])] = [
      (.double, [.double(0.0), .double(-0.0), .double(1), .double(.nan), .null]),
      (.boolean, [.boolean(true), .boolean(false), .null]),
      (.decimal, [.decimal(1), .decimal(Decimal(10) / 10), .decimal(-3)]),
      (.date, [0, 0.4, 0.6, 1, -0.5].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }),
      (.string, [.string(""), .null, .string("e\u{301}"), .string("\u{e9}")]),
    ]
    for (type, values) in values {
      let model = try TestModels.flat("Item", [AttributeDescription("key", type)])
      let context = try PersistentContainer(model: model).viewContext
      for value in values + values.reversed() { try context.insert("Item", ["key": value]) }
      let controller = controller(context, sort: [SortTerm("key")], section: "key")
      try controller.performFetch()
      #expect(controller.numberOfObjects == values.count * 2)
    }
  }

  @Test func `a path out of range stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let context = try PersistentContainer(model: ResultsModels.make()).viewContext
      let request = FetchRequest<ManagedObject>(entityName: "Item", sortTerms: [SortTerm("name")])
      let controller = FetchedResultsController(fetchRequest: request, context: context)
      try controller.performFetch()
      _ = controller.object(at: IndexPath(row: 0, section: 0))
    }
  }
}

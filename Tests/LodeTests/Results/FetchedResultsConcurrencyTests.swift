import LodeRandom
import Foundation
import Lode
import LodeTesting
import Testing

@Suite struct FetchedResultsConcurrencyTests {
  /// Somebody renames the section's object after each read of it.
  @Test func `a row is judged by one image of each object that it reads`() throws {
    let store = RestlessStore(try EngineStore.inMemory(model: ResultsModels.make()))
    let container = PersistentContainer(store: store)
    let follower = container.viewContext
    let controller = FetchedResultsController(
      fetchRequest: try follower.request(
        "City", "state.name BEGINSWITH 't'", sort: [SortTerm("state.name"), SortTerm("name")]),
      context: follower, sectionNameKeyPath: "state.name")
    let writer = container.newBackgroundContext()
    let stateID = try writer.performAndWait {
      let state = try writer.insert("State", ["name": .string("t")])
      try writer.save()
      return state.objectID
    }
    try controller.performFetch()
    let saves = NoticeRecorder()
    container.coordinator.saveListeners.add(saves)
    try writer.performAndWait {
      for _ in 0..<5 {
        try writer.insert("City")[toOne: "state"] = writer.object(with: stateID)
      }
      try writer.save()
    }
    store.restlessEntity = "State"
    for notice in saves.notices { try follower.mergeChanges(from: notice) }
    #expect(controller.failure == nil && controller.numberOfObjects == 5)
    #expect(controller.sections.map(\.numberOfObjects) == [5])
  }

  /// Sections are named by a related object that writers rename while rows come, go and move.
  @Test(arguments: StoreKind.allCases)
  func `a list that merges by itself follows four writers`(_ kind: StoreKind) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("concurrency seed \(seed)")
    try kind.withContainer(ResultsModels.make()) { container in
      let follower = container.newBackgroundContext(name: "follower")
      follower.automaticallyMergesChangesFromParent = true
      let stateIDs = try follower.performAndWait {
        for number in 0..<6 { try follower.insert("State", ["name": .string("t\(number)")]) }
        try follower.save()
        return try follower.fetch("State").map(\.objectID)
      }
      let list = try Followed(follower)
      DispatchQueue.concurrentPerform(iterations: 4) { writer in
        var random = SeededGenerator(seed: seed &+ UInt64(writer))
        let context = container.newBackgroundContext(name: "writer \(writer)")
        for _ in 0..<60 { write(in: context, stateIDs, &random) }
      }
      #expect(follower.performAndWait { list.finding } == nil, "seed \(seed)")
    }
  }

  private func write(
    in context: ManagedObjectContext, _ stateIDs: [ManagedObjectID],
    _ random: inout SeededGenerator
  ) {
    context.performAndWait {
      do {
        let state = stateIDs.randomElement(using: &random).map(context.object(with:))
        let city = try context.fetch("City").randomElement(using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1:
          let name = "\(Int.random(in: 0..<99, using: &random))"
          try context.insert("City", ["name": .string(name)])[toOne: "state"] = state
        case 2: city?[toOne: "state"] = state
        case 3: if let city { context.delete(city) }
        default: state?["name"] = "t\(Int.random(in: 0..<9, using: &random))"
        }
        try context.save()
      } catch {
        // Another writer was first.
        context.reset()
      }
    }
  }
}

/// A list and its context, on whose executor alone both are used.
private final class Followed: @unchecked Sendable {
  // Sendable is true because the list is used inside the context's `performAndWait` alone.
  private let context: ManagedObjectContext
  private let controller: FetchedResultsController<ManagedObject>

  init(_ context: ManagedObjectContext) throws {
    self.context = context
    let request = FetchRequest<ManagedObject>(
      entityName: "City", predicate: try ObjectPredicate("state != nil"),
      sortTerms: [SortTerm("state.name"), SortTerm("name")])
    controller = FetchedResultsController(
      fetchRequest: request, context: context, sectionNameKeyPath: "state.name")
    try context.performAndWait { try controller.performFetch() }
  }

  /// What is wrong with the list.
  var finding: String? {
    if let failure = controller.failure { return "\(failure)" }
    let listed = controller.fetchedObjects?.map(\.objectID)
    do {
      let fetched = try context.fetchObjectIDs(controller.fetchRequest)
      return listed == fetched ? nil : "\(listed?.count ?? 0) rows, not \(fetched.count)"
    } catch {
      return "\(error)"
    }
  }
}

/// A store in which the attribute `name` of one entity changes after each read of a row by its ID.
private final class RestlessStore: PersistentStore, @unchecked Sendable {
  // Sendable is true because one test uses it, on one thread at a time.
  var restlessEntity: String?
  private let store: EngineStore
  private var changeCount = 0

  init(_ store: EngineStore) { self.store = store }

  var identifier: StoreIdentifier { store.identifier }
  var type: StoreType { store.type }
  var url: URL? { store.url }
  var model: ManagedObjectModel { store.model }

  func rows(for objectIDs: [ManagedObjectID]) throws(StoreError) -> [ObjectRow?] {
    let rows = try store.rows(for: objectIDs)
    for case let row? in rows where row.objectID.entityName.string == restlessEntity {
      guard let slot = model.entitiesByName["State"]?.property(named: "name")?.slot else {
        continue
      }
      changeCount += 1
      var changes = ChangeSet()
      changes.updates = [
        .init(
          objectID: row.objectID, baseVersion: row.version,
          values: [(slot, .string("t\(changeCount)"))])
      ]
      _ = try store.commit(changes)
    }
    return rows
  }

  func rows(_ query: StoreQuery) throws(StoreError) -> [ObjectRow] { try store.rows(query) }
  func count(_ query: StoreQuery) throws(StoreError) -> Int { try store.count(query) }
  func explain(_ query: StoreQuery) throws(StoreError) -> String { try store.explain(query) }
  func statistics() throws(StoreError) -> StoreStatistics { try store.statistics() }
  func close() throws(StoreError) { try store.close() }

  func objectIDs(_ query: StoreQuery) throws(StoreError) -> [ManagedObjectID] {
    try store.objectIDs(query)
  }

  func members(
    of relationship: Property, owner: ManagedObjectID
  ) throws(StoreError) -> [ManagedObjectID] {
    try store.members(of: relationship, owner: owner)
  }

  func reserveObjectNumbers(count: Int) throws(StoreError) -> Range<UInt64> {
    try store.reserveObjectNumbers(count: count)
  }

  func commit(_ changes: ChangeSet) throws(StoreError) -> CommitReceipt {
    try store.commit(changes)
  }
}

import LodeRandom
import Foundation
import Lode
import LodeTesting
import Testing

/// Random work in two contexts on lists of every kind: after each step the list is what a fresh fetch
/// gives, and replaying the changes that a sequence gave leads there too.
struct FetchedResultsOracleTests {
  /// What is listed in a random run.
  enum Listing: String, CaseIterable {
    case plain, predicate, sections, sectionsByRank, sectionsBehindTwo
    case predicateBehindRelationship, anyOfMany, anyBehindTwo, countOfMany, anyOfSelf
    case behindNoInverse, window

    var entityName: String {
      switch self {
      case .anyOfMany, .countOfMany, .anyOfSelf: "State"
      case .anyBehindTwo: "Nation"
      default: "City"
      }
    }
    var section: String? {
      switch self {
      case .sections, .sectionsByRank: "state.name"
      case .sectionsBehindTwo: "state.nation.name"
      default: nil
      }
    }
    var predicate: ObjectPredicate? {
      switch self {
      case .predicate: .compare("size", .greaterOrEqual, .integer(4))
      case .predicateBehindRelationship: .compare("state.rank", .less, .integer(3))
      case .anyOfMany: .any("cities.size", greaterThan: 7)
      case .anyOfSelf: .any("roadsTo.rank", greaterThan: 5)
      case .behindNoInverse: .compare("home.rank", .less, .integer(5))
      case .anyBehindTwo: .any("states.cities.size", greaterThan: 9)
      case .countOfMany:
        .comparison(
          ObjectComparison(
            .count(ObjectKeyPath("cities")), .greater, .constant(.integer(2))))
      default: nil
      }
    }
    var sortTerms: [SortTerm] {
      switch self {
      case .sections: [SortTerm("state.name"), SortTerm("size", ascending: false)]
      case .sectionsByRank: [SortTerm("state.rank"), SortTerm("state.name"), SortTerm("size")]
      case .sectionsBehindTwo: [SortTerm("state.nation.name"), SortTerm("size")]
      case .anyBehindTwo: [SortTerm("name")]
      case .anyOfMany, .countOfMany, .anyOfSelf:
        [SortTerm("rank"), SortTerm("name", ascending: false)]
      default: [SortTerm("size"), SortTerm("name", ascending: false)]
      }
    }
    var request: FetchRequest<ManagedObject> {
      let request = FetchRequest<ManagedObject>(
        entityName: entityName, predicate: predicate, sortTerms: sortTerms)
      if self == .window { (request.fetchOffset, request.fetchLimit) = (2, 6) }
      return request
    }
  }

  @Test(arguments: StoreKind.allCases, Listing.allCases)
  func `replaying the changes of random work gives a fresh fetch`(
    kind: StoreKind, listing: Listing
  ) async throws {
    let seed = UInt64.random(in: 0 ... .max)
    try await kind.withContainer(ResultsModels.make()) { container in
      var run = RandomRun(listing, seed: seed, container)
      let changes = try run.start()
      for step in 0..<100 {
        let fault = try run.step()
        #expect(fault == nil, "\(listing), seed \(seed), step \(step)")
        if fault != nil { return }
      }
      let lists = run.end()
      var list = lists[0]
      var batch = 0
      for await change in changes {
        batch += 1
        list = try #require(change.replayed(over: list), "seed \(seed), batch \(batch)")
        try #require(list == lists[batch], "seed \(seed), batch \(batch)")
      }
      #expect(batch == lists.count - 1)
    }
  }
}

extension ObjectPredicate {
  fileprivate static func any(_ keyPath: String, greaterThan value: Int64) -> ObjectPredicate {
    .comparison(
      ObjectComparison(
        .keyPath(ObjectKeyPath(keyPath)), .greater, .constant(.integer(value)), quantifier: .any))
  }
}

/// A list, random work on its context, and the list after each batch.
private struct RandomRun {
  let listing: FetchedResultsOracleTests.Listing
  let container: PersistentContainer
  let context: ManagedObjectContext
  var random: SeededGenerator
  var controller: FetchedResultsController<ManagedObject>?
  let recorder = ResultsRecorder()
  let saves = NoticeRecorder()
  let lists = Lists()
  var nameCount = 0

  final class Lists {
    var all: [[PlainSection]] = []
  }

  init(
    _ listing: FetchedResultsOracleTests.Listing, seed: UInt64, _ container: PersistentContainer
  ) {
    self.listing = listing
    self.container = container
    context = container.viewContext
    random = SeededGenerator(seed: seed)
    container.coordinator.saveListeners.add(saves)
  }

  mutating func start() throws -> AsyncStream<FetchedResultsChange> {
    for _ in 0..<2 { try context.insert("Nation", ["name": .string(newName())]) }
    for _ in 0..<5 { try insertState() }
    for _ in 0..<12 { try insertCity() }
    try context.save()
    let controller = try fresh()
    controller.delegate = recorder
    lists.all = [controller.plainSections]
    recorder.didChange = { [lists] in lists.all.append($0.plainSections) }
    self.controller = controller
    return controller.changes
  }

  /// Lets the controller go, which ends its sequences, and returns the list after each batch.
  mutating func end() -> [[PlainSection]] {
    controller = nil
    return lists.all
  }

  private func fresh() throws -> FetchedResultsController<ManagedObject> {
    let controller = FetchedResultsController(
      fetchRequest: listing.request, context: context, sectionNameKeyPath: listing.section)
    try controller.performFetch()
    return controller
  }

  /// Does random work, ends the cycle and returns what is wrong with the list.
  mutating func step() throws -> String? {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: context.rollback()
    case 1...3: try context.save()
    case 4...6: try mergeWorkElsewhere()
    case 7 where context.hasChanges == false: context.reset()
    default:
      for _ in 0..<Int.random(in: 1...4, using: &random) { try work() }
      context.processPendingChanges()
    }
    guard let controller else { return "no controller" }
    if let failure = controller.failure { return "\(failure)" }
    let expected = try fresh().plainSections
    return controller.plainSections == expected
      ? nil : "\(controller.plainSections), expected \(expected)"
  }

  // MARK: Work

  private mutating func work() throws {
    switch Int.random(in: 0..<17, using: &random) {
    case 14: try any("City")?[toOne: "home"] = any("State")
    case 15: if let far = try any("State") { try any("State")?[toMany: "roadsTo"].insert(far) }
    case 16: try any("State")?[toMany: "roadsFrom"] = []
    case 12: try any("Nation")?["name"] = newName()
    case 13: try any("State")?[toOne: "nation"] = any("Nation")
    case 0...2: try insertCity()
    case 3: try any("City").map(context.delete)
    case 4...6: try any("City")?["size"] = Int64.random(in: 0..<12, using: &random)
    case 7: try any("City")?[toOne: "state"] = any("State")
    case 8: try any("City")?["name"] = newName()
    case 9: try any("State")?["name"] = newName()
    case 10: try exchangeRanks()
    default: try any("State").map { try chance() ? context.delete($0) : insertState() }
    }
  }

  private mutating func insertCity() throws {
    let city = try context.insert(
      "City",
      [
        "name": .string(newName()), "size": .integer(.random(in: 0..<12, using: &random)),
      ])
    if chance() || chance() { city[toOne: "state"] = try any("State") }
  }

  private mutating func insertState() throws {
    let state = try context.insert(
      "State",
      [
        "name": .string(newName()), "rank": .integer(.random(in: 0..<9, using: &random)),
      ])
    if chance() { state[toOne: "nation"] = try any("Nation") }
  }

  private mutating func exchangeRanks() throws {
    guard let left = try any("State"), let right = try any("State") else { return }
    let ranks: (Int64?, Int64?) = (left["rank"], right["rank"])
    (left["rank"], right["rank"]) = (ranks.1, ranks.0)
  }

  /// Changes stored objects in another context and merges that; the view context is saved before, so
  /// that the two don't conflict.
  private mutating func mergeWorkElsewhere() throws {
    try context.save()
    let names = (newName(), newName())
    let size = Int64.random(in: 0..<12, using: &random)
    let picks = (0..<4).map { _ in Int.random(in: 0..<1000, using: &random) }
    let before = saves.notices.count
    let other = container.newBackgroundContext()
    try other.performAndWait {
      let cities = try other.fetch("City", sort: [SortTerm("name")])
      let states = try other.fetch("State", sort: [SortTerm("name")])
      guard !cities.isEmpty, !states.isEmpty else { return }
      let city = cities[picks[0] % cities.count]
      city["size"] = size
      city[toOne: "state"] = states[picks[1] % states.count]
      if picks[2] % 3 == 0 { states[picks[2] % states.count]["name"] = names.0 }
      if picks[3] % 3 == 0 { states[picks[1] % states.count]["rank"] = size }
      if picks[3] % 2 == 0 {
        states[picks[2] % states.count][toMany: "roadsTo"].insert(states[picks[3] % states.count])
      }
      if picks[2] % 4 == 0 { other.delete(cities[picks[3] % cities.count]) }
      try other.insert("City", ["name": .string(names.1), "size": .integer(size)])
      try other.save()
    }
    for notice in saves.notices[before...] { try context.mergeChanges(from: notice) }
  }

  private mutating func any(_ entity: String) throws -> ManagedObject? {
    try context.fetch(entity, sort: [SortTerm("name")]).randomElement(using: &random)
  }

  private mutating func chance() -> Bool { Bool.random(using: &random) }

  private mutating func newName() -> String {
    nameCount += 1
    return "\(Character(UnicodeScalar(UInt8.random(in: 97...122, using: &random))))\(nameCount)"
  }
}

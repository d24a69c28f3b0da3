import LodeRandom
import Lode
import LodeTesting
import Testing

@Suite struct PendingOverlayTests {
  /// Random unsaved work, then random requests with windows, judged by Swift closures.
  @Test(arguments: StoreKind.allCases)
  func `every window over unsaved changes is cut from what the context shows`(_ kind: StoreKind)
    throws
  {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("overlay seed \(seed)")
    var random = SeededGenerator(seed: seed)
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      for number in 0..<6 { try context.insert("Team", ["name": .string("t\(number)")]) }
      for _ in 0..<60 { try insertPlayer(in: context, &random) }
      try context.save()
      for round in 0..<20 {
        for _ in 0..<Int.random(in: 0...4, using: &random) { try work(in: context, &random) }
        for question in Question.all {
          let finding = try finding(question, in: context, &random)
          #expect(finding == nil, "seed \(seed), round \(round)")
          if finding != nil { return }
        }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: try context.save()
        case 1: context.rollback()
        case 2: try context.refreshAllObjects()
        default: continue
        }
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a negative limit, offset or batch size is refused`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      for set in [
        { (request: FetchRequest<ManagedObject>) in request.fetchLimit = -1 },
        { $0.fetchOffset = -1 }, { $0.fetchBatchSize = -1 },
      ] {
        let request = FetchRequest<ManagedObject>(entityName: "Team")
        set(request)
        let error = #expect(throws: ContextError.self) { try container.viewContext.fetch(request) }
        #expect(error?.code == .invalidRequest)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `the largest numbers are a window too`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      try context.insert("Team", ["name": .string("a")])
      try context.save()
      try context.fetch("Team").first?["rank"] = 1
      try context.insert("Team", ["name": .string("b")])
      let request = try context.request("Team")
      (request.fetchLimit, request.fetchOffset) = (.max, 1)
      #expect(try context.fetch(request).count == 1)
      #expect(try context.count(for: request) == 1)
      request.fetchOffset = .max
      #expect(try context.fetch(request).isEmpty)
      #expect(try context.count(for: request) == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a request for another class than the entity's is refused`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let request = FetchRequest<Stranger>(entityName: "Team")
      let error = #expect(throws: ContextError.self) {
        try container.viewContext.count(for: request)
      }
      #expect(error?.code == .wrongClass)
    }
  }

  private func finding(
    _ question: Question, in context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws -> String? {
    let request = try context.request(question.entity, question.format, sort: question.sort)
    request.fetchOffset = [0, 0, 3, 70].randomElement(using: &random) ?? 0
    request.fetchLimit = [0, 1, 5, 20].randomElement(using: &random) ?? 0
    let all = try context.fetch(question.entity).filter(question.isMember).sorted { left, right in
      for isBefore in [question.precedes(left, right), question.precedes(right, left)]
      where isBefore {
        return question.precedes(left, right)
      }
      return left.objectID < right.objectID
    }
    let rest = all.dropFirst(request.fetchOffset)
    let expected = Array(request.fetchLimit > 0 ? rest.prefix(request.fetchLimit) : rest)
    let text =
      "\(question.format ?? "all"), \(question.sort), "
      + "offset \(request.fetchOffset), limit \(request.fetchLimit)"
    if try context.fetchObjectIDs(request) != expected.map(\.objectID) { return "IDs: \(text)" }
    if try context.fetch(request) != expected { return "objects: \(text)" }
    if try context.count(for: request) != expected.count { return "count: \(text)" }
    request.fetchBatchSize = 7
    if try context.fetch(request) != expected { return "batches: \(text)" }
    return nil
  }

  private func work(
    in context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws {
    let players = try context.fetch("Player")
    let teams = try context.fetch("Team")
    guard let player = players.randomElement(using: &random),
      let team = teams.randomElement(using: &random), players.count > 20, teams.count > 2
    else { return try insertPlayer(in: context, &random) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0...2: try insertPlayer(in: context, &random)
    case 3: context.delete(player)
    case 4 where players.count > 50: context.delete(team)
    case 5: team["name"] = "t\(Int.random(in: 10..<1_000_000, using: &random))"
    case 6...8: player["age"] = Int.random(in: 0..<40, using: &random)
    default: player[toOne: "team"] = Bool.random(using: &random) ? team : nil
    }
  }

  private func insertPlayer(
    in context: ManagedObjectContext, _ random: inout SeededGenerator
  ) throws {
    let player = try context.insert(
      "Player",
      [
        "lastName": .string(["Ann", "Bob", "Cid"].randomElement(using: &random) ?? ""),
        "age": .integer(Int64.random(in: 0..<40, using: &random)),
      ])
    player[toOne: "team"] = try context.fetch("Team").randomElement(using: &random)
  }
}

private final class Stranger: ManagedObject {}

/// A request and what it means.
private struct Question {
  let entity: String
  let format: String?
  let sort: [SortTerm]
  let isMember: (ManagedObject) -> Bool
  let precedes: (ManagedObject, ManagedObject) -> Bool

  static var all: [Question] {
    let teamName = { (player: ManagedObject) in player[toOne: "team"]?.named ?? "" }
    let age = { (player: ManagedObject) -> Int in player["age"] ?? 0 }
    return [
      Question(
        entity: "Player", format: nil, sort: [], isMember: { _ in true },
        precedes: { _, _ in false }),
      Question(
        entity: "Player", format: "age >= 20", sort: [SortTerm("age", ascending: false)],
        isMember: { age($0) >= 20 }, precedes: { age($0) > age($1) }),
      Question(
        entity: "Player", format: "lastName == 'Bob'", sort: [SortTerm("age")],
        isMember: { $0["lastName"] == "Bob" }, precedes: { age($0) < age($1) }),
      Question(
        entity: "Player", format: "team.name < 't4'", sort: [SortTerm("team.name")],
        isMember: { teamName($0) != "" && teamName($0) < "t4" },
        precedes: { teamName($0) < teamName($1) }),
      Question(
        entity: "Player", format: nil, sort: [SortTerm("team.name"), SortTerm("age")],
        isMember: { _ in true },
        precedes: { (teamName($0), age($0)) < (teamName($1), age($1)) }),
      Question(
        entity: "Team", format: "ANY players.age > 37", sort: [SortTerm("name")],
        isMember: { $0[toMany: "players"].contains { age($0) > 37 } },
        precedes: { ($0.named ?? "") < ($1.named ?? "") }),
      Question(
        entity: "Team", format: "players.@count > 9", sort: [],
        isMember: { $0[toMany: "players"].count > 9 }, precedes: { _, _ in false }),
    ]
  }
}

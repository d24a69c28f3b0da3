import LodeRandom
import Lode
import LodeTesting
import Testing

@Suite struct RefreshTests {
  @Test(arguments: StoreKind.allCases)
  func `dropping an object's changes drops the other side of its links too`(_ kind: StoreKind)
    throws
  {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let crew = try context.insert("Team", ["name": .string("Crew")])
      let fire = try context.insert("Team", ["name": .string("Fire")])
      let ann = try context.insert("Player", ["lastName": .string("Ann")])
      ann[toOne: "team"] = crew
      try context.save()
      ann[toOne: "team"] = fire
      ann["age"] = 30
      try context.refresh(ann, mergeChanges: false)
      #expect(ann.isFault && !context.hasChanges)
      #expect(ann[toOne: "team"] === crew && ann["age"] as Int? == nil)
      #expect(crew[toMany: "players"] == [ann] && fire[toMany: "players"].isEmpty)
      fire[toMany: "players"] = [ann]
      try context.refresh(fire, mergeChanges: false)
      #expect(!context.hasChanges && ann[toOne: "team"] === crew)
      crew[toMany: "players"] = []
      try context.refresh(crew, mergeChanges: false)
      #expect(!context.hasChanges && crew[toMany: "players"] == [ann])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `what the other objects changed besides stays`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let crew = try context.insert("Team", ["name": .string("Crew")])
      let (ann, bob) = (try context.insert("Player"), try context.insert("Player"))
      try context.save()
      crew[toMany: "players"] = [ann, bob]
      ann["age"] = 30
      try context.refresh(bob, mergeChanges: false)
      #expect(crew[toMany: "players"] == [ann] && ann[toOne: "team"] === crew)
      #expect(ann["age"] == 30 && context.updatedObjects == [ann, crew])
      context.delete(crew)
      try context.refresh(ann, mergeChanges: false)
      #expect(ann.isDeleted, "the cascade goes on")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a link to an object that is being deleted stays cut`(_ kind: StoreKind) throws {
    let model = try TestModels.pair(aToMany: true, bToMany: false)
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let (a, b) = (try context.insert("A"), try context.insert("B"))
      b[toOne: "a"] = a
      try context.save()
      b["name"] = "new"
      context.delete(a)
      try context.refresh(b, mergeChanges: false)
      #expect(b.named == nil && b[toOne: "a"] == nil && context.updatedObjects == [b])
      try context.save()
      #expect(try context.count(for: context.request("B", "a == nil")) == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an ordered relationship gets its saved order back`(_ kind: StoreKind) throws {
    let model = try TestModels.pair(aToMany: true, bToMany: false, isOrdered: true)
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let (a, other) = (try context.insert("A"), try context.insert("A"))
      let members = try "ABCD".map { try context.insert("B", ["name": .string(String($0))]) }
      a[ordered: "b"] = members
      try context.save()
      a[ordered: "b"] = [members[3], members[0], members[1]]
      other[ordered: "b"] = [members[2]]
      try context.refresh(members[2], mergeChanges: false)
      #expect(a[ordered: "b"].compactMap(\.named) == ["D", "A", "B", "C"])
      try context.refresh(a, mergeChanges: false)
      #expect(a[ordered: "b"].compactMap(\.named) == ["A", "B", "C", "D"])
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `observers hear what a refresh brings`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let crewID = try savedTeam(in: container, named: "Crew")
      let context = container.viewContext
      let controller = FetchedResultsController(
        fetchRequest: try context.request("Team", sort: [SortTerm("name")]), context: context)
      try controller.performFetch()
      let recorder = ResultsRecorder()
      controller.delegate = recorder
      let crew = try context.existingObject(with: crewID)
      for (name, refresh) in [
        ("Fire", { try context.refresh(crew, mergeChanges: false) }),
        ("Aces", { try context.refresh(crew, mergeChanges: true) }),
        ("Bees", { try context.refreshAllObjects() }),
      ] {
        let other = container.newBackgroundContext()
        try other.performAndWait {
          try other.existingObject(with: crewID)["name"] = name
          try other.save()
        }
        try refresh()
        #expect(crew.named == name && recorder.takeBatch() == ["~\(name) (0,0)"], "\(name)")
      }
      crew["rank"] = 7
      context.processPendingChanges()
      #expect(recorder.takeBatch() == ["~Bees (0,0)"])
      try context.refresh(crew, mergeChanges: false)
      #expect(recorder.takeBatch() == ["~Bees (0,0)"] && crew["rank"] as Int? == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a rollback lets transient values be worked out anew`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let ann = try context.insert("Player", ["mood": .string("calm")])
      try context.save()
      ann["age"] = 30
      ann["mood"] = "old"
      context.rollback()
      #expect(ann["mood"] as String? == nil && ann["age"] as Int? == nil)
    }
  }

  /// Random work on a pair of entities of every cardinality, refreshing one object now and then.
  @Test(arguments: StoreKind.allCases)
  func `both sides of every link agree after any refresh, rollback, merge and save`(
    _ kind: StoreKind
  ) throws {
    try agreement(on: kind, merges: true)
  }

  /// The same in a context that hears nothing of what others save.
  @Test(arguments: StoreKind.allCases)
  func `both sides of every stored link agree whatever a stale context saves`(_ kind: StoreKind)
    throws
  {
    try agreement(on: kind, merges: false)
  }

  private func agreement(on kind: StoreKind, merges: Bool) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("refresh seed \(seed)")
    var random = SeededGenerator(seed: seed)
    for (aToMany, bToMany, isOrdered) in [
      (false, false, false), (true, false, false), (true, true, false), (true, false, true),
      (true, true, true), (true, true, nil),
    ] as [(Bool, Bool, Bool?)] {
      let model = try TestModels.pair(
        RelationshipDescription(
          "b", to: "B", inverse: "a", isToMany: aToMany, isOrdered: isOrdered ?? true),
        RelationshipDescription(
          "a", to: "A", inverse: "b", isToMany: bToMany, isOrdered: isOrdered == nil))
      try kind.withContainer(model) { container in
        let world = LinkedWorld(container, merges: merges)
        for step in 0..<150 {
          try world.work(&random)
          let findings = try world.findings()
          #expect(
            findings == [], "seed \(seed), \(aToMany) \(bToMany) \(isOrdered as Any), step \(step)")
          if !findings.isEmpty { return }
        }
      }
    }
  }
}

/// Objects of `TestModels.pair` in one context, and what is wrong with their links.
private final class LinkedWorld {
  private let container: PersistentContainer
  private let context: ManagedObjectContext
  private let saves = NoticeRecorder()

  private let merges: Bool

  init(_ container: PersistentContainer, merges: Bool) {
    self.container = container
    self.merges = merges
    context = container.viewContext
    container.coordinator.saveListeners.add(saves)
  }

  func work(_ random: inout SeededGenerator) throws {
    let all = try context.fetch("A") + context.fetch("B")
    guard let object = all.randomElement(using: &random), all.count > 5 else {
      for name in ["A", "B"] { try context.insert(name, ["name": .string("\(all.count)")]) }
      return
    }
    let others = all.filter { $0.entity != object.entity }.shuffled(using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0: try context.insert(["A", "B"][Int.random(in: 0...1, using: &random)])
    case 1: context.delete(object)
    case 2: context.rollback()
    case 3...4: try save()
    case 5: try workElsewhere(&random)
    case 6...11: try context.refresh(object, mergeChanges: false)
    case 12: try context.refresh(object, mergeChanges: true)
    default: relate(object, to: Array(others.prefix(Int.random(in: 0...3, using: &random))))
    }
  }

  private func save() throws {
    do {
      try context.save()
    } catch is MergeConflictError {
      try context.refreshAllObjects()
      do {
        try context.save()
      } catch {
        context.rollback()
        try context.refreshAllObjects()
      }
    }
  }

  private func workElsewhere(_ random: inout SeededGenerator) throws {
    let other = container.newBackgroundContext()
    saves.clear()
    try other.performAndWait {
      let all = try other.fetch("A") + other.fetch("B")
      guard let object = all.randomElement(using: &random) else { return }
      let others = all.filter { $0.entity != object.entity }.shuffled(using: &random)
      relate(object, to: Array(others.prefix(2)))
      try other.save()
    }
    for notice in saves.notices where merges { try context.mergeChanges(from: notice) }
  }

  /// Compares both sides of all links, and what is stored with what the context shows when it is clean.
  func findings() throws -> [String] {
    var findings = merges ? try Self.disagreements(in: context) : []
    let fresh = container.newBackgroundContext()
    findings += try fresh.performAndWait { try Self.disagreements(in: fresh) }.map {
      "stored: \($0)"
    }
    if !context.hasChanges, merges {
      let stored = try fresh.performAndWait { try Self.links(in: fresh) }
      if try Self.links(in: context) != stored { findings.append("the context shows other links") }
    }
    return findings
  }

  private static func disagreements(in context: ManagedObjectContext) throws -> [String] {
    let links = try links(in: context)
    return links.flatMap { objectID, others in
      others.filter { links[$0]?.contains(objectID) != true }.map {
        "\(objectID.entityName.string) \(objectID.number) leads to \($0.number), not back"
      }
    }
  }

  private static func links(
    in context: ManagedObjectContext
  ) throws -> [ManagedObjectID: Set<ManagedObjectID>] {
    let objects = try context.fetch("A") + context.fetch("B")
    return Dictionary(
      uniqueKeysWithValues: objects.map { object in
        let property = object.entity.name == "A" ? "b" : "a"
        switch object.value(forKey: property) {
        case .objectID(let other): return (object.objectID, [other])
        case .list(let members):
          let others = members.compactMap { value -> ManagedObjectID? in
            if case .objectID(let other) = value { other } else { nil }
          }
          return (object.objectID, Set(others))
        default: return (object.objectID, [])
        }
      })
  }
}

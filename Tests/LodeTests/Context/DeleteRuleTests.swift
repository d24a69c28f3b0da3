import Lode
import LodeTesting
import Testing

@Suite struct DeleteRuleTests {
  @Test(arguments: StoreKind.allCases)
  func `every rule does what it says with every cardinality`(_ kind: StoreKind) throws {
    for rule in DeleteRule.allCases {
      for (aToMany, bToMany) in [(false, false), (true, false), (false, true), (true, true)] {
        let model = try TestModels.pair(aToMany: aToMany, bToMany: bToMany, rule: rule)
        try kind.withContainer(model) { container in
          let context = container.viewContext
          let a = try context.insert("A", ["name": .string("a")])
          let b = try context.insert("B", ["name": .string("b")])
          relate(a, to: [b])
          try context.save()
          context.delete(a)
          #expect(a.isDeleted && b.isDeleted == (rule == .cascade), "\(rule)")
          guard rule != .deny else {
            let error = #expect(throws: ValidationError.self) { try context.save() }
            #expect(error?.failures.map(\.code) == [.relationshipDeniedDelete])
            #expect(error?.failures.first?.objectID == a.objectID)
            #expect(context.hasChanges)
            return
          }
          try context.save()
          try expect(rule, b.objectID, in: container)
        }
      }
    }
  }

  private func expect(
    _ rule: DeleteRule, _ objectID: ManagedObjectID, in container: PersistentContainer
  ) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      #expect(try context.count(for: context.request("A")) == 0)
      #expect(try context.count(for: context.request("B")) == (rule == .cascade ? 0 : 1))
      guard rule != .cascade else { return }
      let b = try context.existingObject(with: objectID)
      #expect(related(b) == [], "\(rule)")
      b.setValue(.string("changed"), forKey: "name")
      try context.save()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a cascade goes through levels and circles`(_ kind: StoreKind) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Node",
        relationships: [
          RelationshipDescription(
            "next", to: "Node", inverse: "previous", isToMany: true, deleteRule: .cascade),
          RelationshipDescription(
            "previous", to: "Node", inverse: "next", isToMany: true, deleteRule: .cascade),
        ])
    ])
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let nodes = try (0..<200).map { _ in try context.insert("Node") }
      for (index, node) in nodes.enumerated() {
        node[toMany: "next"] = [nodes[(index + 1) % nodes.count]]
      }
      try context.save()
      context.delete(nodes[100])
      #expect(context.deletedObjects.count == 200)
      try context.save()
      #expect(try context.count(for: context.request("Node")) == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a denied object that is deleted itself denies nothing`(_ kind: StoreKind) throws {
    let model = try TestModels.pair(aToMany: true, bToMany: false, rule: .deny)
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let a = try context.insert("A")
      let b = try context.insert("B")
      relate(a, to: [b])
      try context.save()
      context.delete(a)
      context.delete(b)
      try context.save()
      #expect(try context.count(for: context.request("B")) == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an object inserted and deleted before the save vanishes`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let crew = try context.insert("Team", ["name": .string("Crew")])
      try context.insert("Player")[toOne: "team"] = crew
      context.delete(crew)
      #expect(!context.hasChanges && context.insertedObjects.isEmpty)
      #expect(context.deletedObjects.isEmpty)
      try context.save()
      #expect(try context.count(for: context.request("Player")) == 0)
    }
  }

  /// O-25: a rule that leaves links behind must not make reading them fail.
  @Test(arguments: StoreKind.allCases)
  func `no action leaves nothing that can't be read`(_ kind: StoreKind) throws {
    let model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Menu", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("items", to: "Item", inverse: "menus", isToMany: true)
        ]),
      EntityDescription(
        "Item",
        relationships: [
          RelationshipDescription(
            "menus", to: "Menu", inverse: "items", isToMany: true, deleteRule: .noAction)
        ]),
    ])
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let menu = try context.insert("Menu")
      let items = try (0..<2).map { _ in try context.insert("Item") }
      menu[toMany: "items"] = Set(items)
      try context.save()
      context.delete(items[0])
      try context.save()
      let (menuID, left) = (menu.objectID, items[1].objectID)
      let other = container.newBackgroundContext()
      try other.performAndWait {
        let menu = try other.existingObject(with: menuID)
        #expect(menu[toMany: "items"].map(\.objectID) == [left])
        menu.setValue(.string("dinner"), forKey: "name")
        try other.save()
        #expect(try other.count(for: other.request("Menu", "items.@count == 1")) == 1)
      }
    }
  }
}

/// What a deletion and a save elsewhere do to each other.
@Suite struct ConcurrentDeletionTests {
  @Test(arguments: StoreKind.allCases)
  func `a cascade takes members that joined in another context`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let crew = try context.insert("Team", ["name": .string("Crew")])
      #expect(crew[toMany: "players"].isEmpty)
      try context.save()
      try join(crew.objectID, in: container)
      context.delete(crew)
      try context.save()
      #expect(try context.count(for: context.request("Player")) == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a member that joins between a deletion and its save is a conflict`(
    _ kind: StoreKind
  ) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let crew = try context.insert("Team", ["name": .string("Crew")])
      try context.save()
      context.delete(crew)
      try join(crew.objectID, in: container)
      let error = try #require(throws: MergeConflictError.self) { try context.save() }
      #expect(error.conflictingIDs == [crew.objectID])
      context.rollback()
      context.delete(crew)
      try context.save()
      #expect(try context.count(for: context.request("Player")) == 0)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `saving a relation to what was deleted elsewhere is a conflict`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let crewID = try savedTeam(in: container, named: "Crew")
      let context = container.viewContext
      let newcomer = try context.insert("Player")
      let veteran = try context.insert("Player")
      try context.save()
      let crew = context.object(with: crewID)
      veteran[toOne: "team"] = crew
      let rookie = try context.insert("Player")
      rookie[toOne: "team"] = crew
      let other = container.newBackgroundContext()
      try other.performAndWait {
        other.delete(try other.existingObject(with: crewID))
        try other.save()
      }
      let error = try #require(throws: MergeConflictError.self) { try context.save() }
      #expect(Set(error.conflictingIDs) == [veteran.objectID, rookie.objectID])
      veteran[toOne: "team"] = nil
      rookie[toOne: "team"] = nil
      try context.save()
      #expect(!newcomer.hasChanges)
    }
  }

  private func join(_ teamID: ManagedObjectID, in container: PersistentContainer) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      try context.insert("Player")[toOne: "team"] = context.existingObject(with: teamID)
      try context.save()
    }
  }
}

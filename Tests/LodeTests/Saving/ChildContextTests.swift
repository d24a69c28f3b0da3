import Lode
import LodeTesting
import Testing

@Suite struct ChildContextTests {
  @Test(arguments: StoreKind.allCases)
  func `a child sees the parent's unsaved state and saves one level only`(_ kind: StoreKind) throws
  {
    try kind.withContainer(TestModels.league()) { container in
      let root = container.viewContext
      let crew = try root.insert("Team", ["name": .string("Crew")])
      let crewID = crew.objectID
      let child = ManagedObjectContext(parent: root)
      try child.performAndWait {
        #expect(try child.fetch("Team").map(\.named) == ["Crew"])
        let player = try child.insert("Player", ["lastName": .string("Ann")])
        player[toOne: "team"] = child.object(with: crewID)
        #expect(child.object(with: crewID)[toMany: "players"] == [player])
        try child.save()
        #expect(!child.hasChanges && !player.isInserted)
      }
      #expect(crew[toMany: "players"].map { $0["lastName"] } == ["Ann"])
      #expect(root.insertedObjects.count == 2)
      #expect(try container.coordinator.store.statistics().rowCounts == [:])
      try root.save()
      #expect(try container.coordinator.store.statistics().rowCounts == ["Team": 1, "Player": 1])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an unsaved child leaves the parent as it was`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let root = container.viewContext
      let crew = try root.insert("Team", ["name": .string("Crew")])
      try root.save()
      let crewID = crew.objectID
      let child = ManagedObjectContext(parent: root)
      try child.performAndWait { () throws in
        child.object(with: crewID)["name"] = "Fire"
        child.delete(child.object(with: crewID))
        #expect(try child.count(for: child.request("Team")) == 0)
      }
      #expect(crew.named == "Crew" && !root.hasChanges)
    }
  }

  /// O-28: once deleted and saved through, an object is nobody's business any more.
  @Test(arguments: StoreKind.allCases)
  func `deletes saved through all levels are forgotten`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let objectID = try savedTeam(in: container, named: "Crew")
      let other = try savedTeam(in: container, named: "Fire")
      let listener = NoticeRecorder()
      container.coordinator.saveListeners.add(listener)
      let root = container.viewContext
      let child = ManagedObjectContext(parent: root)
      try child.performAndWait {
        child.delete(try child.existingObject(with: objectID))
        try child.save()
        #expect(!child.hasChanges)
        #expect(throws: ContextError.self) { try child.existingObject(with: objectID) }
      }
      #expect(root.deletedObjects.count == 1)
      try root.save()
      #expect(!root.hasChanges)
      #expect(throws: ContextError.self) { try root.existingObject(with: objectID) }
      try child.performAndWait {
        child.object(with: other)["rank"] = 1
        try child.save()
      }
      try root.save()
      #expect(!root.hasChanges)
      let fresh = container.newBackgroundContext()
      fresh.performAndWait { () -> Void in
        #expect(throws: ContextError.self) { try fresh.existingObject(with: objectID) }
      }
      #expect(listener.notices.map(\.deleted) == [[objectID], []])
      #expect(listener.notices.map(\.updated) == [[], [other]])
    }
  }
}

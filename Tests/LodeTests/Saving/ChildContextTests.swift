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

  @Test(arguments: StoreKind.allCases)
  func `a child can't save onto what its parent deleted, and nothing is applied`(_ kind: StoreKind)
    throws
  {
    try kind.withContainer(TestModels.league()) { container in
      let crewID = try savedTeam(in: container, named: "Crew")
      let fireID = try savedTeam(in: container, named: "Fire")
      let root = container.viewContext
      let child = ManagedObjectContext(parent: root)
      try child.performAndWait {
        child.object(with: crewID)["rank"] = 1
        child.object(with: fireID)["rank"] = 2
        try child.insert("Player")[toOne: "team"] = child.object(with: crewID)
      }
      root.delete(try root.existingObject(with: crewID))
      let error = try #require(throws: MergeConflictError.self) {
        try child.performAndWait { try child.save() }
      }
      let playerID = try #require(child.performAndWait { child.insertedObjects.first?.objectID })
      #expect(
        Set(error.conflicts) == [
          Conflict(playerID, .targetDeleted(relationship: "team", target: crewID)),
          Conflict(crewID, .deleted),
        ])
      #expect(root.insertedObjects.isEmpty && root.updatedObjects.isEmpty)
      try child.performAndWait {
        #expect(child.hasChanges, "the child keeps its changes")
        child.insertedObjects.first?[toOne: "team"] = child.object(with: fireID)
        try child.refresh(child.object(with: crewID), mergeChanges: false)
        try child.save()
      }
      #expect(root.insertedObjects.map(\.objectID) == [playerID])
      try root.save()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a child can't overwrite a value that its parent changed meanwhile`(_ kind: StoreKind) throws
  {
    try kind.withContainer(TestModels.league()) { container in
      let crewID = try savedTeam(in: container, named: "Crew")
      let root = container.viewContext
      let child = ManagedObjectContext(parent: root)
      child.performAndWait { child.object(with: crewID)["name"] = "Child" }
      let crew = try root.existingObject(with: crewID)
      crew["name"] = "Root"
      crew["rank"] = 1
      let error = try #require(throws: MergeConflictError.self) {
        try child.performAndWait { try child.save() }
      }
      #expect(error.conflicts == [Conflict(crewID, .changed(properties: ["name"]))])
      #expect(crew.named == "Root")
      try child.performAndWait {
        try child.refresh(child.object(with: crewID), mergeChanges: true)
        try child.save()
      }
      #expect(crew.named == "Child" && crew["rank"] == 1)
      child.performAndWait { child.object(with: crewID)["uniformColor"] = "red" }
      crew["rank"] = 2
      try child.performAndWait { try child.save() }
      #expect(crew["uniformColor"] == "red" && crew["rank"] == 2, "other values don't conflict")
    }
  }
}

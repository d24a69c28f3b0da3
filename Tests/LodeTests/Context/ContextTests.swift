import Lode
import LodeTesting
import Testing

@Suite struct ContextTests {
  @Test(arguments: StoreKind.allCases)
  func `each cycle is announced once with its net changes`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let recorder = ChangeRecorder()
      context.addObserver(recorder)
      let crew = try context.insert("Team", ["name": .string("Crew")])
      let brief = try context.insert("Team")
      context.delete(brief)
      context.processPendingChanges()
      crew["name"] = "Fire"
      crew["name"] = "Crew"
      context.processPendingChanges()
      crew["rank"] = 1
      try context.save()
      context.delete(crew)
      try context.save()
      let number = crew.objectID.number
      #expect(
        recorder.changes.filter { !$0.isEmpty } == [
          ["+Team \(number)"], ["~Team \(number)"], ["-Team \(number)"],
        ])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a merge takes new values and keeps unsaved ones`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let crewID = try savedTeam(in: container, named: "Crew")
      let goneID = try savedTeam(in: container, named: "Gone")
      let mine = container.viewContext
      let crew = try mine.existingObject(with: crewID)
      let gone = try mine.existingObject(with: goneID)
      crew["uniformColor"] = "red"
      #expect(crew[toMany: "players"].isEmpty)
      let listener = NoticeRecorder()
      container.coordinator.saveListeners.add(listener)
      let other = container.newBackgroundContext()
      try other.performAndWait {
        try other.existingObject(with: crewID)["name"] = "Fire"
        other.delete(try other.existingObject(with: goneID))
        let player = try other.insert("Player")
        player[toOne: "team"] = other.object(with: crewID)
        try other.save()
      }
      #expect(crew.named == "Crew" && crew[toMany: "players"].isEmpty)
      for notice in listener.notices { try mine.mergeChanges(from: notice) }
      #expect(crew.named == "Fire" && crew["uniformColor"] == "red")
      #expect(crew[toMany: "players"].count == 1)
      #expect(gone.isDeleted && gone.named == nil && mine.updatedObjects == [crew])
      try mine.save()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `background tasks save and the view context merges by itself`(_ kind: StoreKind) async throws
  {
    try await kind.withContainer(TestModels.league()) { container in
      let view = container.viewContext
      view.automaticallyMergesChangesFromParent = true
      let teamID = try await container.performBackgroundTask { context in
        let team = try context.insert("Team", ["name": .string("Crew")])
        try context.save()
        return team.objectID
      }
      let held = try await view.perform { Held(view.object(with: teamID)) }
      #expect(try await view.perform { held.object.named } == "Crew")
      try await container.performBackgroundTask { context in
        try context.existingObject(with: teamID)["name"] = "Fire"
        try context.save()
      }
      // The merge was queued on the view context's executor before this block.
      #expect(try await view.perform { held.object.named } == "Fire")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `eight contexts save at once and nothing is lost`(_ kind: StoreKind) async throws {
    try await kind.withContainer(TestModels.league()) { container in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<8 {
          group.addTask {
            for number in 0..<25 {
              try await container.performBackgroundTask { context in
                try context.insert("Team", ["name": .string("\(writer)-\(number)")])
                try context.save()
              }
            }
          }
        }
        try await group.waitForAll()
      }
      let context = container.viewContext
      let teams = try context.fetch("Team")
      #expect(teams.count == 200 && Set(teams.map(\.objectID)).count == 200)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `clean objects go when nobody holds them and changed ones stay`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let objectID = try savedTeam(in: container, named: "Crew")
      #expect(try context.fetch("Team").count == 1)
      #expect(context.registeredObjects.isEmpty)
      try context.existingObject(with: objectID)["name"] = "Fire"
      #expect(context.registeredObjects.count == 1)
      #expect(try context.fetch("Team").first?.named == "Fire")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `after reset held objects answer nil and belong nowhere`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let team = try context.insert("Team", ["name": .string("Crew")])
      context.reset()
      #expect(!context.hasChanges && context.registeredObjects.isEmpty)
      #expect(team.named == nil && team.isDeleted)
      team["name"] = "Fire"
      #expect(team.named == nil)
    }
  }

  @Test func `a private context used outside of its executor stops with its name`() async {
    #if DEBUG
      await #expect(processExitsWith: .failure) {
        let container = try PersistentContainer(model: TestModels.league())
        let context = container.newBackgroundContext()
        _ = try context.fetch(FetchRequest<ManagedObject>(entityName: "Team"))
      }
    #endif
  }
}

import Foundation
import Lode
import LodeTesting
import Testing

@Suite struct SavingTests {
  @Test(arguments: StoreKind.allCases)
  func `a save that fails validation reports everything and keeps everything`(
    _ kind: StoreKind
  ) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let team = try context.insert("Team", ["name": .null, "rank": .integer(1 << 40)])
      let player = try context.insert("Player", ["age": .integer(40_000)])
      player.setValue(.integer(3), forKey: "email")
      let error = try #require(throws: ValidationError.self) { try context.save() }
      let found = error.failures.map { "\($0.objectID.number).\($0.key ?? "") \($0.code)" }
      #expect(
        Set(found) == [
          "\(team.objectID.number).name missingMandatoryProperty",
          "\(team.objectID.number).rank numberOutOfRange",
          "\(player.objectID.number).age numberOutOfRange",
          "\(player.objectID.number).email invalidValue",
        ])
      #expect(error.code == .severalFailures && !error.description.contains("40000"))
      #expect(context.insertedObjects == [team, player])
      #expect(try container.coordinator.store.statistics().rowCounts == [:])
      team["name"] = "Crew"
      team["rank"] = 1
      player["age"] = 40
      player.setValue(.null, forKey: "email")
      try context.save()
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `two contexts that change one row conflict and the loser keeps its changes`(
    _ kind: StoreKind
  ) throws {
    try kind.withContainer(TestModels.league()) { container in
      let objectID = try savedTeam(in: container, named: "Crew")
      let mine = container.viewContext
      let team = try mine.existingObject(with: objectID)
      try rename(objectID, to: "Fire", in: container)
      team["rank"] = 7
      let error = try #require(throws: MergeConflictError.self) { try mine.save() }
      #expect(error.conflictingIDs == [objectID] && error.code == 133_020)
      #expect(error.conflicts == [Conflict(objectID, .changed(properties: ["name"]))])
      #expect("\(error)".contains("was changed elsewhere since it was read (name)"))
      #expect(team["rank"] == 7 && mine.hasChanges)
      try mine.refresh(team, mergeChanges: true)
      #expect(team.named == "Fire" && team["rank"] == 7)
      try mine.save()
      #expect(try mine.count(for: mine.request("Team", "name == 'Fire' AND rank == 7")) == 1)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an object that leads to one its own context deletes is refused by name`(_ kind: StoreKind)
    throws
  {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let crew = try context.insert("Team", ["name": .string("Crew")])
      let player = try context.insert("Player")
      try context.save()
      context.delete(crew)
      player[toOne: "team"] = crew
      let error = try #require(throws: ValidationError.self) { try context.save() }
      #expect(error.failures.map(\.key) == ["team"] && error.code == .invalidValue)
      #expect(error.failures.first?.message.contains("Team object \(crew.objectID.number)") == true)
      player[toOne: "team"] = nil
      try context.save()
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `deleting what others came to lead to names them`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let objectID = try savedTeam(in: container, named: "Crew")
      let mine = container.viewContext
      mine.delete(try mine.existingObject(with: objectID))
      let other = container.newBackgroundContext()
      let playerID = try other.performAndWait {
        let player = try other.insert("Player")
        player[toOne: "team"] = other.object(with: objectID)
        try other.save()
        return player.objectID
      }
      let error = try #require(throws: MergeConflictError.self) { try mine.save() }
      let reason = Conflict.Reason.stillReferenced(relationship: "team", from: playerID)
      #expect(error.conflicts == [Conflict(objectID, reason)])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `deleting what another context changed conflicts as well`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let objectID = try savedTeam(in: container, named: "Crew")
      let mine = container.viewContext
      mine.delete(try mine.existingObject(with: objectID))
      try rename(objectID, to: "Fire", in: container)
      #expect(throws: MergeConflictError.self) { try mine.save() }
      mine.rollback()
      try mine.refreshAllObjects()
      #expect(try mine.existingObject(with: objectID).named == "Fire")
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a uniqueness constraint names both objects and heals when a value changes`(
    _ kind: StoreKind
  ) throws {
    try kind.withContainer(TestModels.league()) { container in
      let stored = try savedTeam(in: container, named: "Crew")
      let context = container.viewContext
      let team = try context.insert("Team", ["name": .string("Crew")])
      for _ in 0..<2 {
        let error = try #require(throws: MergeConflictError.self) { try context.save() }
        #expect(error.code == 133_021)
        #expect(error.constraintConflicts.map(\.objectID) == [team.objectID])
        #expect(error.constraintConflicts.map(\.conflictingID) == [stored])
        #expect(error.constraintConflicts.map(\.propertyNames) == [["name"]])
      }
      team["name"] = "Fire"
      try context.save()
      #expect(try context.count(for: context.request("Team")) == 2)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `names may be exchanged in one save`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let first = try context.insert("Team", ["name": .string("a")])
      let second = try context.insert("Team", ["name": .string("b")])
      try context.save()
      first["name"] = "b"
      second["name"] = "a"
      try context.save()
      context.delete(first)
      try context.insert("Team", ["name": .string("b")])
      try context.save()
      #expect(try context.fetch("Team", sort: [SortTerm("name")]).map(\.named) == ["a", "b"])
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `rollback forgets inserts, restores deletes and reverts updates`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let crew = try context.insert("Team", ["name": .string("Crew")])
      let fire = try context.insert("Team", ["name": .string("Fire")])
      let player = try context.insert("Player")
      player[toOne: "team"] = crew
      try context.save()
      let newcomer = try context.insert("Team", ["name": .string("New")])
      fire["name"] = "Ice"
      player[toOne: "team"] = newcomer
      context.delete(crew)
      context.rollback()
      #expect(!context.hasChanges && newcomer.isDeleted && !crew.isDeleted)
      #expect(fire.named == "Fire" && player[toOne: "team"] === crew)
      #expect(crew[toMany: "players"] == [player])
      #expect(try context.count(for: context.request("Team")) == 2)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a save without changes writes nothing`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      try context.insert("Team", ["name": .string("Crew")])
      try context.save()
      let before = try container.coordinator.store.statistics()
      try context.save()
      let after = try container.coordinator.store.statistics()
      #expect(after.lastSequence == before.lastSequence)
      #expect(after.journalFrameCount == before.journalFrameCount)
    }
  }

  private func rename(
    _ objectID: ManagedObjectID, to name: String, in container: PersistentContainer
  ) throws {
    let context = container.newBackgroundContext()
    try context.performAndWait {
      try context.existingObject(with: objectID)["name"] = name
      try context.save()
    }
  }
}

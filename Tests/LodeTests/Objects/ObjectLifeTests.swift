import Foundation
import Lode
import LodeTesting
import Testing

@Suite struct ObjectLifeTests {
  @Test(arguments: StoreKind.allCases)
  func `defaults are there at once and IDs are permanent`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let team = try context.insert("Team")
      #expect(team.named == "" && team.isInserted && !team.isFault)
      let before = team.objectID
      try context.save()
      #expect(team.objectID == before && !before.isTemporaryID && !team.hasChanges)
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `two fetches give the identical object`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let team = try context.insert("Team", ["name": .string("Crew")])
      try context.save()
      let first = try context.fetch("Team")
      #expect(first.first === team)
      #expect(try context.fetch("Team", "name == %@", ["Crew"]).first === team)
      #expect(context.object(with: team.objectID) === team)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `a fault fires at the first property and not before`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let objectID = try savedTeam(in: container, named: "Crew")
      let other = container.newBackgroundContext()
      try other.performAndWait {
        let team = other.object(with: objectID)
        #expect(team.isFault && team.objectID == objectID && team.entity.name == "Team")
        #expect(team == team && team.hashValue == team.hashValue && team.isFault)
        #expect(team.named == "Crew" && !team.isFault)
        try other.refresh(team, mergeChanges: false)
        #expect(team.isFault && team.named == "Crew")
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `setting a value back leaves nothing to save`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let team = try context.insert("Team", ["name": .string("Crew")])
      try context.save()
      team["name"] = "Fire"
      #expect(team.isUpdated && context.updatedObjects == [team])
      #expect(team.changedValues() == ["name": .string("Fire")])
      #expect(team.committedValues(forKeys: ["name"]) == ["name": .string("Crew")])
      team["name"] = "Crew"
      #expect(!team.hasChanges && !context.hasChanges)
      team["name"] = "Crew"
      #expect(!context.hasChanges)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an object whose row is gone answers nil and says deleted`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let objectID = try savedTeam(in: container, named: "Crew")
      let other = container.newBackgroundContext()
      let held = other.performAndWait { Held(other.object(with: objectID)) }
      let context = container.viewContext
      context.delete(context.object(with: objectID))
      try context.save()
      other.performAndWait {
        #expect(held.object.named == nil && held.object.isDeleted && !held.object.isFault)
        #expect(held.object.description.contains("deleted"))
        held.object["name"] = "Fire"
        #expect(!other.hasChanges)
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `transient values live with the object and are no reason to save`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let player = try context.insert("Player", ["mood": .string("calm")])
      try context.save()
      #expect(player["mood"] == "calm")
      player["mood"] = "cross"
      #expect(player["mood"] == "cross" && !context.hasChanges)
      try context.refresh(player, mergeChanges: false)
      #expect(player["mood"] as String? == nil)
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `every attribute type comes back as it was saved`(_ kind: StoreKind) throws {
    let values = allValues()
    let attributes = values.map { AttributeDescription($0.key.rawValue, $0.key) }
    let model = try TestModels.flat("Thing", attributes)
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let thing = try context.insert(
        "Thing", Dictionary(uniqueKeysWithValues: values.map { ($0.key.rawValue, $0.value) }))
      try context.save()
      let other = container.newBackgroundContext()
      let objectID = thing.objectID
      other.performAndWait {
        let copy = other.object(with: objectID)
        for (type, value) in values { #expect(copy.value(forKey: type.rawValue) == value) }
      }
    }
  }

  @Test(arguments: StoreKind.allCases)
  func `an ID survives its URI and a foreign URI is none`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let objectID = try savedTeam(in: container, named: "Crew")
      let uri = try #require(objectID.uriRepresentation)
      let coordinator = container.coordinator
      #expect(coordinator.managedObjectID(forURIRepresentation: uri) == objectID)
      for text in [
        "x-lode://\(UUID().uuidString)/Team/1", "x-lode:", "file:///Team/1",
        uri.absoluteString.replacingOccurrences(of: "Team", with: "Club"),
        uri.absoluteString + "x", uri.absoluteString + "/2",
      ] {
        let foreign = try #require(URL(string: text))
        #expect(coordinator.managedObjectID(forURIRepresentation: foreign) == nil, "\(text)")
      }
    }
  }

  private func allValues() -> [AttributeType: Value] {
    [
      .integer16: .integer(-32_768), .integer32: .integer(2_147_483_647),
      .integer64: .integer(.min), .decimal: .decimal(Decimal(string: "12345.678901") ?? 0),
      .double: .double(-0.1), .float: .double(Double(Float(0.1))), .boolean: .boolean(true),
      .string: .string("åäö 家族 👨‍👩‍👧"),
      .date: .date(Date(timeIntervalSinceReferenceDate: 573_385_274.217203)),
      .binaryData: .data(Data((0...255).map { UInt8($0) })), .uuid: .uuid(UUID()),
      .uri: .uri(URL(fileURLWithPath: "/a b")), .transformable: .data(Data([1, 2])),
    ]
  }
}

/// A managed object carried between two blocks on one context's executor, in tests alone.
struct Held: @unchecked Sendable {
  // Sendable is true because both blocks run on the object's own executor.
  let object: ManagedObject
  init(_ object: ManagedObject) { self.object = object }
}

/// Saves a team and returns its ID.
func savedTeam(in container: PersistentContainer, named name: String) throws -> ManagedObjectID {
  let context = container.newBackgroundContext()
  return try context.performAndWait {
    let team = try context.insert("Team", ["name": .string(name)])
    try context.save()
    return team.objectID
  }
}

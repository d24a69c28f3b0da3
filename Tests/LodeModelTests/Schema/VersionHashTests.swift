import LodeModel
import Testing

/// What changes an entity's version hash and what doesn't.
struct VersionHashTests {
  private func base() -> EntityDescription {
    EntityDescription(
      "A",
      attributes: [
        AttributeDescription("name", .string),
        AttributeDescription(
          "place", .composite,
          elements: [AttributeDescription("x", .double), AttributeDescription("y", .double)]),
      ],
      relationships: [
        RelationshipDescription("children", to: "A", inverse: "parent", isToMany: true),
        RelationshipDescription("parent", to: "A", inverse: "children"),
      ])
  }

  private func hash(_ change: (inout EntityDescription) -> Void = { _ in }) throws -> VersionHash {
    var entity = base()
    change(&entity)
    let model = try ManagedObjectModel(entities: [entity, EntityDescription("Z")])
    return try #require(model.entityVersionHashesByName[entity.name])
  }

  @Test func `what rows don't show leaves the hash`() throws {
    let changes: [(inout EntityDescription) -> Void] = [
      { $0.attributes[0].defaultValue = .string("x") }, { $0.userInfo = ["a": "b"] },
      { $0.attributes[0].userInfo = ["a": "b"] }, { $0.attributes[0].renamingIdentifier = "old" },
      { $0.relationships[0].deleteRule = .cascade }, { $0.relationships[0].countMax = 5 },
      { $0.relationships[0].userInfo = ["a": "b"] }, { $0.indexes = [.init(on: "name")] },
      { $0.uniquenessConstraints = [["name"]] }, { $0.renamingIdentifier = "Old" },
      { $0.managedObjectClass = Thing.self }, { $0.attributes.reverse() },
      { $0.relationships.reverse() }, { $0.attributes[1].elements.reverse() },
    ]
    let unchanged = try hash()
    for (index, change) in changes.enumerated() {
      #expect(try hash(change) == unchanged, "change \(index)")
    }
  }

  @Test func `what rows show changes the hash`() throws {
    let changes: [(inout EntityDescription) -> Void] = [
      { $0.attributes[0].name = "title" }, { $0.attributes[0].type = .integer16 },
      { $0.attributes[0].isOptional = false }, { $0.attributes[0].isTransient = true },
      { $0.attributes[0].versionHashModifier = "2" }, { $0.versionHashModifier = "2" },
      { $0.isAbstract = true }, { $0.superentityName = "Z" }, { $0.attributes.removeLast() },
      { $0.attributes[1].elements[0].type = .float }, { $0.attributes[1].elements.removeLast() },
      { $0.relationships[0].isOrdered = true }, { $0.relationships[1].isOptional = false },
      { $0.relationships[0].versionHashModifier = "2" },
      { entity in entity.relationships = entity.relationships.map { $0.toMany } },
    ]
    var hashes = [try hash()]
    for (index, change) in changes.enumerated() {
      let changed = try hash(change)
      #expect(!hashes.contains(changed), "change \(index)")
      hashes.append(changed)
    }
  }

  @Test func `a parent's change changes its children`() throws {
    func hash(_ type: AttributeType) throws -> VersionHash? {
      let parent = EntityDescription("P", attributes: [AttributeDescription("a", type)])
      let model = try ManagedObjectModel(entities: [
        parent, EntityDescription("C", superentityName: "P"),
      ])
      return model.entityVersionHashesByName["C"]
    }
    #expect(try hash(.string) != hash(.date))
  }

  @Test func `hashes never change from release to release`() throws {
    let description = try hash().description
    #expect(description == Self.recordedHash, "\(description)")
  }

  private static let recordedHash = "cb99972498291a432989008cae4c0a97"

  @Test func `models equal in structure are equal and hash alike`() throws {
    let left = try ManagedObjectModel(entities: [base(), EntityDescription("Z")])
    var shuffled = base()
    shuffled.attributes.reverse()
    let right = try ManagedObjectModel(entities: [EntityDescription("Z"), shuffled])
    #expect(left == right && left.versionHash == right.versionHash)
    shuffled.userInfo = ["a": "b"]
    let noted = try ManagedObjectModel(entities: [shuffled, EntityDescription("Z")])
    #expect(noted != left && noted.versionHash == left.versionHash)
  }
}

private final class Thing {}

extension RelationshipDescription {
  fileprivate var toMany: Self {
    var copy = self
    copy.isToMany = true
    return copy
  }
}

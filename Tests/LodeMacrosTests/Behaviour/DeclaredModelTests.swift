import Foundation
import LodeMacros
import Testing

/// A model declared by macros is the model that the same descriptions written by hand make.
struct DeclaredModelTests {
  @Test func `the league by macro equals the league by hand`() throws {
    let declared = try ManagedObjectModel(Team.self, Player.self)
    let team = EntityDescription(
      "Team",
      attributes: [
        AttributeDescription("name", .string, isOptional: false, defaultValue: .string("")),
        AttributeDescription("uniformColor", .string),
      ],
      relationships: [
        RelationshipDescription(
          "players", to: "Player", inverse: "team", isToMany: true, deleteRule: .cascade)
      ], uniquenessConstraints: [["name"]])
    let player = EntityDescription(
      "Player",
      attributes: [
        AttributeDescription("lastName", .string, isOptional: false, defaultValue: .string("")),
        AttributeDescription("firstName", .string, isOptional: false, defaultValue: .string("")),
        AttributeDescription("email", .string),
        AttributeDescription("joined", .date, isOptional: false),
      ],
      relationships: [RelationshipDescription("team", to: "Team", inverse: "players")],
      indexes: [FetchIndexDescription(on: "lastName")])
    let written = try ManagedObjectModel(entities: [team, player])
    #expect(declared == written)
    #expect(declared.versionHash == written.versionHash)
  }

  @Test func `arguments of the macros are in the entity`() throws {
    let model = try ManagedObjectModel(Person.self, Employee.self, Office.self)
    let written = EntityDescription(
      "Office",
      attributes: [
        AttributeDescription(
          "city", .string, isOptional: false, defaultValue: .string(""),
          renamingIdentifier: "town", versionHashModifier: "b"),
        AttributeDescription("street", .string),
      ],
      relationships: [
        RelationshipDescription(
          "staff", to: "Employee", inverse: "office", isToMany: true, isOrdered: true,
          isOptional: false, deleteRule: .deny, countMin: 1, countMax: 9,
          renamingIdentifier: "people", versionHashModifier: "c"),
        RelationshipDescription("owner", to: "Person", isOptional: false),
        RelationshipDescription(
          "neighbours", to: "Office", inverse: "neighbours", isToMany: true),
      ],
      indexes: [
        FetchIndexDescription(
          "place", elements: [.init("city"), .init("street", isAscending: false)])
      ],
      uniquenessConstraints: [["city", "street"]], renamingIdentifier: "Branch",
      versionHashModifier: "2")
    #expect(model.entitiesByName["Office"]?.description == written)
  }

  @Test(arguments: [
    ("boolean", AttributeType.boolean, false, Value.boolean(true)),
    ("integer", .integer64, false, .integer(-7)), ("double", .double, false, .double(1.5)),
    ("string", .string, false, .string("plain")), ("integer16", .integer16, false, .integer(16)),
    ("integer32", .integer32, false, .integer(32)), ("integer64", .integer64, false, .integer(64)),
    ("float", .float, false, .double(0.5)), ("decimal", .decimal, false, .decimal(12)),
    ("date", .date, true, .null), ("data", .binaryData, true, .null),
    ("uuid", .uuid, false, .null), ("url", .uri, true, .null),
    ("objectReference", .objectID, true, .null), ("color", .string, false, .null),
    ("level", .integer16, true, .null), ("size", .string, false, .null),
    ("rank", .boolean, false, .null), ("address", .transformable, true, .null),
    ("tags", .transformable, false, .data(Data("[[\"a\",\"b\"]]".utf8))),
    ("counts", .transformable, false, .data(Data("[{}]".utf8))),
    ("default", .integer64, true, .integer(3)), ("guarded", .integer64, false, .integer(0)),
  ])
  func `a Swift type decides the attribute's type`(
    name: String, type: AttributeType, isOptional: Bool, value: Value
  ) throws {
    let entity = try #require(Sample.entityDescription)
    let attribute = try #require(entity.attributes.first { $0.name == name })
    #expect(
      attribute
        == AttributeDescription(name, type, isOptional: isOptional, defaultValue: value))
  }

  @Test func `a transient attribute is one, and an unmodeled property is none`() throws {
    let attributes = try #require(Sample.entityDescription).attributes
    #expect(attributes.filter(\.isTransient).map(\.name) == ["note"])
    #expect(!attributes.contains { $0.name == "calls" })
  }

  @Test func `a subclass is a sub-entity, past classes that are no models`() throws {
    let model = try ManagedObjectModel(
      Person.self, Employee.self, Engineer.self, Office.self)
    let engineer = try #require(model.entitiesByName["Engineer"])
    #expect(engineer.superentity?.name == "Employee")
    #expect(engineer.root.name == "Person")
    #expect(engineer.root.isAbstract && !engineer.isAbstract)
    #expect(
      engineer.properties.map(\.name) == [
        "name", "number", "office", "salary", "badge", "language",
      ])
    #expect(Engineer.propertyCount == engineer.properties.count)
  }

  @Test func `an inverse named on one side, in full or not, is an inverse on both`() throws {
    let model = try ManagedObjectModel(classes: Archive.models)
    let paper = try #require(model.entitiesByName["Paper"])
    let marks = try #require(paper.property(named: "marks"))
    #expect(paper.inverse(of: marks)?.name == "paper")
  }

  @Test func `an entity knows its class`() throws {
    let description = try #require(Team.entityDescription)
    #expect(description.managedObjectClass == Team.self)
    #expect(ManagedObject.entityDescription == nil)
  }
}

import LodeModel
import Testing

/// Slots, inheritance and where relationships lead.
struct EntityTests {
  private let model: ManagedObjectModel

  init() throws {
    model = try ManagedObjectModel(entities: [
      EntityDescription(
        "Animal", isAbstract: true,
        attributes: [
          AttributeDescription("weight", .double), AttributeDescription("name", .string),
        ],
        relationships: [RelationshipDescription("owner", to: "Person", inverse: "pets")],
        indexes: [FetchIndexDescription(on: "name")]),
      EntityDescription(
        "Dog", superentityName: "Animal", attributes: [AttributeDescription("breed", .string)]),
      EntityDescription(
        "Aardvark", superentityName: "Animal", attributes: [AttributeDescription("age", .integer16)]
      ),
      EntityDescription("Puppy", superentityName: "Dog"),
      EntityDescription(
        "Person",
        relationships: [
          RelationshipDescription("pets", to: "Animal", inverse: "owner", isToMany: true)
        ]),
    ])
  }

  private func entity(_ name: String) throws -> Entity { try #require(model.entitiesByName[name]) }

  @Test func `inherited slots come first, own ones in the order of names`() throws {
    #expect(try entity("Animal").properties.map(\.name) == ["name", "owner", "weight"])
    #expect(try entity("Dog").properties.map(\.name) == ["name", "owner", "weight", "breed"])
    #expect(try entity("Puppy").properties.map(\.slot) == [0, 1, 2, 3])
    #expect(try entity("Puppy").property(named: "breed")?.slot == 3)
    #expect(try entity("Dog").property(named: "age") == nil)
  }

  @Test func `an entity is of its own kind and of those above it`() throws {
    let (animal, dog, puppy) = (try entity("Animal"), try entity("Dog"), try entity("Puppy"))
    #expect(puppy.isKind(of: puppy) && puppy.isKind(of: dog) && puppy.isKind(of: animal))
    #expect(try !animal.isKind(of: dog) && !dog.isKind(of: entity("Aardvark")))
    #expect(animal.selfAndDescendants.map(\.name) == ["Animal", "Aardvark", "Dog", "Puppy"])
    #expect(dog.selfAndDescendants.map(\.name) == ["Dog", "Puppy"])
    #expect(puppy.root == animal && puppy.superentity == dog && animal.superentity == nil)
    #expect(puppy.indexes.map(\.name) == ["name"])
  }

  @Test func `relationships lead to entities and back`() throws {
    let owner = try #require(try entity("Puppy").property(named: "owner"))
    #expect(try entity("Puppy").destination(of: owner) == entity("Person"))
    #expect(try entity("Puppy").inverse(of: owner)?.name == "pets")
    #expect(owner.isToOne && !owner.isToMany)
  }

  @Test func `entities are found by name, in the order of names`() {
    #expect(model.entities.map(\.name) == ["Aardvark", "Animal", "Dog", "Person", "Puppy"])
    #expect(model.entitiesByName["Cat"] == nil)
  }
}

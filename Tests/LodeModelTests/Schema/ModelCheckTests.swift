import LodeCases
import LodeModel
import Testing

/// Everything that a model is refused for.
struct ModelCheckTests {
  private func problems(_ entities: EntityDescription...) -> [String] {
    do throws(ModelError) {
      _ = try ManagedObjectModel(entities: entities)
      return []
    } catch {
      return error.problems.map { problem in
        "\(problem.code.rawValue) \(problem.entity)\(problem.property.map { ".\($0)" } ?? "")"
      }
    }
  }

  private func entity(
    _ attributes: [AttributeDescription] = [], _ relationships: [RelationshipDescription] = []
  ) -> EntityDescription {
    EntityDescription("A", attributes: attributes, relationships: relationships)
  }

  @Test func `a sound model has no problems`() throws {
    #expect(problems().isEmpty)
    #expect(problems(League.team, League.player, League.agent).isEmpty)
  }

  @Test func `names must be there and different`() {
    #expect(problems(EntityDescription("")) == ["emptyName (unnamed)"])
    #expect(problems(EntityDescription("A"), EntityDescription("A")) == ["duplicateEntity A"])
    #expect(problems(entity([AttributeDescription("", .string)])) == ["emptyName A."])
    #expect(problems(entity([AttributeDescription("a.b", .string)])) == ["emptyName A.a.b"])
    #expect(problems(entity([AttributeDescription("SELF", .string)])) == ["reservedName A.SELF"])
    let name = AttributeDescription("name", .string)
    #expect(problems(entity([name, name])) == ["duplicateProperty A.name"])
    #expect(
      problems(entity([name], [RelationshipDescription("name", to: "A")]))
        == ["duplicateProperty A.name"])
  }

  @Test func `an inherited name can't be used again`() {
    let child = EntityDescription(
      "B", superentityName: "A", attributes: [AttributeDescription("name", .string)])
    let grandchild = EntityDescription(
      "C", superentityName: "B", attributes: [AttributeDescription("name", .string)])
    #expect(
      problems(entity([AttributeDescription("name", .string)]), child, grandchild)
        == ["duplicateProperty B.name", "duplicateProperty C.name"])
  }

  @Test func `siblings may use one name`() {
    func child(_ name: String) -> EntityDescription {
      EntityDescription(
        name, superentityName: "A", attributes: [AttributeDescription("x", .string)])
    }
    #expect(problems(entity(), child("B"), child("C")).isEmpty)
  }

  @Test func `inheritance leads somewhere and not in circles`() {
    #expect(problems(EntityDescription("A", superentityName: "X")) == ["unknownSuperentity A"])
    #expect(problems(EntityDescription("A", superentityName: "A")) == ["cyclicInheritance A"])
    #expect(
      problems(
        EntityDescription("A", superentityName: "B"), EntityDescription("B", superentityName: "C"),
        EntityDescription("C", superentityName: "B"))
        == ["cyclicInheritance B", "cyclicInheritance C"])
  }

  @Test func `relationships lead somewhere and back`() {
    #expect(
      problems(entity([], [RelationshipDescription("r", to: "X")])) == ["unknownDestination A.r"])
    #expect(
      problems(entity([], [RelationshipDescription("r", to: "A", inverse: "s")]))
        == ["unknownInverse A.r"])
    let attribute = AttributeDescription("s", .string)
    #expect(
      problems(entity([attribute], [RelationshipDescription("r", to: "A", inverse: "s")]))
        == ["unknownInverse A.r"])
    #expect(
      problems(
        entity(
          [],
          [
            RelationshipDescription("r", to: "A", inverse: "s"),
            RelationshipDescription("s", to: "A"),
          ]))
        == ["oneSidedInverse A.r"])
    #expect(problems(entity([], [RelationshipDescription("r", to: "A", inverse: "r")])).isEmpty)
  }

  @Test func `an inverse may be inherited by its destination`() {
    let owner = EntityDescription(
      "Owner", relationships: [RelationshipDescription("pet", to: "Animal", inverse: "owner")])
    let animal = EntityDescription(
      "Animal", relationships: [RelationshipDescription("owner", to: "Owner", inverse: "pet")])
    #expect(problems(owner, animal, EntityDescription("Dog", superentityName: "Animal")).isEmpty)
  }

  @Test func `counts and order must make sense`() {
    func r(_ min: Int, _ max: Int) -> EntityDescription {
      entity(
        [], [RelationshipDescription("r", to: "A", isToMany: true, countMin: min, countMax: max)])
    }
    #expect(problems(r(2, 2)).isEmpty && problems(r(2, 0)).isEmpty)
    #expect(problems(r(3, 2)) == ["invalidCount A.r"])
    #expect(problems(r(-1, 2)) == ["invalidCount A.r"])
    #expect(problems(r(0, -1)) == ["invalidCount A.r"])
    #expect(
      problems(entity([], [RelationshipDescription("r", to: "A", isOrdered: true)]))
        == ["invalidOrder A.r"])
  }

  @Test func `defaults and elements must fit their type`() {
    func attribute(_ type: AttributeType, _ value: Value) -> EntityDescription {
      entity([AttributeDescription("a", type, defaultValue: value)])
    }
    #expect(problems(attribute(.integer16, .integer(32_767))).isEmpty)
    #expect(problems(attribute(.integer16, .integer(32_768))) == ["invalidDefault A.a"])
    #expect(problems(attribute(.string, .integer(1))) == ["invalidDefault A.a"])
    #expect(problems(attribute(.float, .double(1e300))) == ["invalidDefault A.a"])
    #expect(problems(attribute(.composite, .null)) == ["invalidElements A.a"])
    let element = AttributeDescription("e", .string)
    #expect(
      problems(entity([AttributeDescription("a", .string, elements: [element])]))
        == ["invalidElements A.a"])
    #expect(
      problems(entity([AttributeDescription("a", .composite, elements: [element, element])]))
        == ["duplicateProperty A.a"])
  }

  @Test func `elements nest to a limit`() {
    func nested(_ depth: Int) -> AttributeDescription {
      var attribute = AttributeDescription("leaf", .string)
      for _ in 0..<depth {
        attribute = AttributeDescription("c", .composite, elements: [attribute])
      }
      return attribute
    }
    #expect(problems(entity([nested(16)])).isEmpty)
    #expect(problems(entity([nested(17)])) == ["tooLarge A.leaf"])
  }

  @Test func `indexes and constraints need ordered stored properties`() {
    let attributes = [
      AttributeDescription("name", .string), AttributeDescription("data", .binaryData),
      AttributeDescription("soft", .string, isTransient: true),
    ]
    let relationships = [
      RelationshipDescription("one", to: "A"),
      RelationshipDescription("many", to: "A", isToMany: true),
    ]
    func indexed(_ names: String...) -> [String] {
      let index = FetchIndexDescription("i", elements: names.map { .init($0) })
      return problems(
        EntityDescription(
          "A", attributes: attributes, relationships: relationships, indexes: [index],
          uniquenessConstraints: [names]))
    }
    #expect(indexed("name", "one").isEmpty)
    for name in ["data", "soft", "many", "none"] {
      #expect(indexed(name) == ["invalidIndex A.\(name)", "invalidConstraint A.\(name)"])
    }
    #expect(indexed() == ["invalidIndex A", "invalidConstraint A"])
    #expect(indexed("name", "name") == ["invalidIndex A", "invalidConstraint A"])
  }

  @Test func `index names are taken by inheritance`() {
    let index = FetchIndexDescription(on: "name")
    let parent = EntityDescription(
      "A", attributes: [AttributeDescription("name", .string)], indexes: [index])
    let child = EntityDescription("B", superentityName: "A", indexes: [index])
    #expect(problems(parent, child) == ["duplicateIndex B.name"])
    let other = EntityDescription(
      "B", superentityName: "A", indexes: [FetchIndexDescription("other", elements: index.elements)]
    )
    #expect(problems(parent, other).isEmpty)
  }

  @Test func `all problems are reported together, each with its place`() throws {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(entities: [
        EntityDescription(
          "A", superentityName: "X",
          attributes: [AttributeDescription("n", .integer16, defaultValue: .string("secret"))],
          relationships: [RelationshipDescription("r", to: "Y")]),
        EntityDescription("B", uniquenessConstraints: [["gone"]]),
      ])
    }
    #expect(
      error?.problems.map(\.code)
        == [.unknownSuperentity, .invalidDefault, .unknownDestination, .invalidConstraint])
    #expect(error?.description.hasPrefix("the model has 4 problems:\n  A: inherits from") == true)
    #expect(error?.description.contains("secret") == false)
  }
}

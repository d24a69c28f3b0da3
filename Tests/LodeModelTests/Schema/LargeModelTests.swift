import LodeModel
import Testing

/// Models at their limits: long chains, wide trees, circles. Nothing may overflow or take forever.
struct LargeModelTests {
  private func name(_ index: Int) -> String {
    let digits = String(index)
    return "E" + String(repeating: "0", count: 5 - digits.count) + digits
  }

  private func chain(_ count: Int, closed: Bool = false) -> [EntityDescription] {
    (0..<count).map { index in
      EntityDescription(
        name(index), superentityName: index > 0 ? name(index - 1) : closed ? name(count - 1) : nil,
        attributes: index == 0 ? [AttributeDescription("x", .string)] : [])
    }
  }

  @Test func `a chain as long as a model may be`() throws {
    let model = try ManagedObjectModel(entities: chain(65_535))
    let first = try #require(model.entitiesByName[name(0)])
    let last = try #require(model.entitiesByName[name(65_534)])
    #expect(last.isKind(of: first) && !first.isKind(of: last))
    #expect(last.root == first && last.properties.map(\.name) == ["x"])
    #expect(first.selfAndDescendants.count == 65_535)
    #expect(last.superentity == model.entitiesByName[name(65_533)])
  }

  @Test func `a circle as long as a model may be`() {
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(entities: chain(65_535, closed: true))
    }
    #expect(error?.problems.count == 65_535)
    #expect(error?.problems.allSatisfy { $0.code == .cyclicInheritance } == true)
  }

  @Test func `one entity too many`() {
    let error = #expect(throws: ModelError.self) { try ManagedObjectModel(entities: chain(65_536)) }
    #expect(error?.problems.map(\.code) == [.tooLarge])
  }

  @Test func `too many inherited properties are found before they are listed`() {
    let attributes = (0..<1_000).map { AttributeDescription("a\($0)", .string) }
    let children = (0..<2_000).map { EntityDescription(name($0), superentityName: "Parent") }
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(
        entities: [EntityDescription("Parent", attributes: attributes)] + children)
    }
    #expect(error?.problems.map(\.code) == [.tooLarge])
  }

  @Test func `one property too many`() throws {
    func entity(_ count: Int) -> EntityDescription {
      EntityDescription(
        "A", attributes: (0..<count).map { AttributeDescription("a\($0)", .string) })
    }
    #expect(try ManagedObjectModel(entities: [entity(4_096)]).entities.count == 1)
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(entities: [entity(4_097)])
    }
    #expect(error?.problems.map(\.code) == [.tooLarge])
  }
}

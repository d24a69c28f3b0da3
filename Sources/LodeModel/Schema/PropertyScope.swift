/// The names that an entity has of its own and inherits, and where each is declared.
struct PropertyScope {
  /// The place of a property's description.
  struct Declaration {
    enum Kind { case attribute, relationship }

    let entityIndex: Int
    let kind: Kind
    /// The position among the entity's own attributes or relationships.
    let position: Int

    func attribute(in descriptions: [EntityDescription]) -> AttributeDescription? {
      kind == .attribute ? descriptions[entityIndex].attributes[position] : nil
    }

    func relationship(in descriptions: [EntityDescription]) -> RelationshipDescription? {
      kind == .relationship ? descriptions[entityIndex].relationships[position] : nil
    }
  }

  /// What each name means; of several with one name, the nearest to the root, an attribute before a
  /// relationship.
  private(set) var properties: [String: Declaration] = [:]
  private(set) var indexNames: Set<String> = []

  /// Returns the scope of each description; entities that add nothing share their parent's.
  static func scopes(
    of descriptions: [EntityDescription], _ forest: InheritanceForest
  ) -> [PropertyScope] {
    var scopes = Array(repeating: PropertyScope(), count: descriptions.count)
    for index in forest.order {
      if let parent = forest.parents[index] { scopes[index] = scopes[parent] }
      scopes[index].add(descriptions[index], at: index)
    }
    return scopes
  }

  private mutating func add(_ description: EntityDescription, at index: Int) {
    for (position, attribute) in description.attributes.enumerated()
    where properties[attribute.name] == nil {
      properties[attribute.name] = Declaration(
        entityIndex: index, kind: .attribute, position: position)
    }
    for (position, relationship) in description.relationships.enumerated()
    where properties[relationship.name] == nil {
      properties[relationship.name] = Declaration(
        entityIndex: index, kind: .relationship, position: position)
    }
    for name in description.indexes.map(\.name) { indexNames.insert(name) }
  }
}

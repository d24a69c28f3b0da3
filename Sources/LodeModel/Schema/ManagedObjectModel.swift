/// The entities that a store keeps and how they relate; immutable from the moment it is made.
public final class ManagedObjectModel: Sendable {
  /// The entities' definitions, in the order of their names.
  package let definitions: [EntityDefinition]
  private let indices: [String: Int]
  /// The positions of all entities, each before those that inherit from it and directly followed by them.
  package let inheritanceOrder: [Int]
  /// Where each entity's relationships lead, by the entity's position and the slot.
  package let links: [[RelationshipLink?]]

  /// A hash over all entities: equal for models whose stores are interchangeable.
  public let versionHash: VersionHash

  /// Makes a model of entity descriptions.
  ///
  /// - Throws: `ModelError` with every problem found: dangling destinations, one-sided inverses, cyclic
  ///   inheritance, duplicate or empty names, indexes and constraints on what isn't there, defaults that
  ///   don't fit.
  public init(entities descriptions: [EntityDescription]) throws(ModelError) {
    let descriptions = descriptions.sorted { $0.name < $1.name }
    let forest = InheritanceForest(descriptions)
    let problems = ModelChecks(descriptions, forest).problems()
    guard problems.isEmpty else { throw ModelError(problems: problems) }
    let indices = Dictionary(
      uniqueKeysWithValues: descriptions.enumerated().map { ($1.name, $0) })
    definitions = Self.define(descriptions, forest)
    inheritanceOrder = forest.order
    self.indices = indices
    links = Self.link(definitions, indices)
    versionHash = VersionHash(
      ofEntities: Dictionary(
        uniqueKeysWithValues: definitions.map { ($0.description.name, $0.versionHash) }))
  }

  /// All entities in the order of their names.
  public var entities: [Entity] { definitions.map { Entity(model: self, definition: $0) } }

  /// Looks entities up by name.
  public var entitiesByName: EntitiesByName { EntitiesByName(model: self) }

  /// The version hash of each entity, by name.
  public var entityVersionHashesByName: [String: VersionHash] {
    Dictionary(uniqueKeysWithValues: definitions.map { ($0.description.name, $0.versionHash) })
  }

  /// The entities of a model looked up by name, in O(1).
  public struct EntitiesByName {
    let model: ManagedObjectModel

    /// Returns the entity of a name; nil when there is none.
    public subscript(name: String) -> Entity? { model.indices[name].map(model.entity(at:)) }
  }

  /// Returns the entity at a position.
  package func entity(at index: Int) -> Entity {
    Entity(model: self, definition: definitions[index])
  }

  private static func link(
    _ definitions: [EntityDefinition], _ indices: [String: Int]
  ) -> [[RelationshipLink?]] {
    definitions.map { definition in
      definition.properties.map { property in
        guard let relationship = property.relationship,
          let destination = indices[relationship.destinationName]
        else { return nil }
        let inverse = relationship.inverseName.flatMap { definitions[destination].slots[$0] }
        return RelationshipLink(destinationIndex: destination, inverseSlot: inverse)
      }
    }
  }

  /// Defines parents before their children, because a child continues its parent's slots.
  private static func define(
    _ descriptions: [EntityDescription], _ forest: InheritanceForest
  ) -> [EntityDefinition] {
    var definitions: [EntityDefinition?] = Array(repeating: nil, count: descriptions.count)
    for index in forest.order {
      definitions[index] = EntityDefinition(
        index: index, description: descriptions[index],
        inherited: forest.parents[index].flatMap { definitions[$0] },
        subtree: forest.subtrees[index])
    }
    return definitions.compactMap(\.self)
  }
}

extension ManagedObjectModel: Equatable {
  /// Compares all descriptions, without regard to classes and to the order of properties.
  public static func == (left: ManagedObjectModel, right: ManagedObjectModel) -> Bool {
    left === right || left.definitions.map(\.description) == right.definitions.map(\.description)
  }
}

/// A property of an entity at its place in the entity's rows.
public struct Property: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
  }

  public let name: String

  /// The property's place in the entity and in all of its sub-entities, from 0: inherited properties
  /// first, then the entity's own in the order of their names.
  public let slot: Int

  public let kind: Kind

  public var attribute: AttributeDescription? {
    if case .attribute(let attribute) = kind { attribute } else { nil }
  }

  public var relationship: RelationshipDescription? {
    if case .relationship(let relationship) = kind { relationship } else { nil }
  }

  public var isToMany: Bool { relationship?.isToMany ?? false }
  public var isToOne: Bool { relationship.map { !$0.isToMany } ?? false }
}

/// An entity of a model: a name, its properties and its place among the other entities.
///
/// A handle of two references; two handles are equal when they name the same entity of one model.
public struct Entity: Sendable {
  public let model: ManagedObjectModel
  package let definition: EntityDefinition

  package init(model: ManagedObjectModel, definition: EntityDefinition) {
    self.model = model
    self.definition = definition
  }

  public var name: String { definition.description.name }
  public var description: EntityDescription { definition.description }
  public var isAbstract: Bool { definition.description.isAbstract }

  /// The entity's name in the form that object IDs carry.
  public var entityName: EntityName { definition.entityName }

  /// All properties, inherited ones first, each at the position of its slot.
  public var properties: [Property] { definition.properties }

  public var versionHash: VersionHash { definition.versionHash }

  /// The indexes of the entity and of those it inherits from.
  public var indexes: [FetchIndexDescription] { definition.indexes }

  /// Returns the property of a name, own or inherited, in O(1).
  public func property(named name: String) -> Property? {
    definition.slots[name].map { definition.properties[$0] }
  }

  public var superentity: Entity? { definition.superentityIndex.map(model.entity(at:)) }

  /// The entity at the top of the inheritance chain; itself when it inherits nothing.
  public var root: Entity { model.entity(at: definition.rootIndex) }

  /// The entity itself and everything below it, itself first.
  public var selfAndDescendants: [Entity] {
    definition.selfAndDescendantIndices.map(model.entity(at:))
  }

  /// Tells whether this is the given entity or inherits from it.
  public func isKind(of other: Entity) -> Bool {
    other.definition.selfAndDescendantIndices.contains(definition.index)
  }

  /// Returns the entity at the other end of one of this entity's relationships.
  ///
  /// - Precondition: `relationship` is a relationship of this entity.
  public func destination(of relationship: Property) -> Entity {
    guard case .relationship(let description) = relationship.kind,
      let destination = model.entitiesByName[description.destinationName]
    else { preconditionFailure("\(relationship.name) is no relationship of \(name)") }
    return destination
  }

  /// Returns the relationship back from a relationship's destination, if it has one.
  public func inverse(of relationship: Property) -> Property? {
    guard let inverseName = relationship.relationship?.inverseName else { return nil }
    return destination(of: relationship).property(named: inverseName)
  }
}

extension Entity: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.definition === right.definition }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(definition)) }
}

/// What an entity's handle stands for; immutable, owned by its model and naming others by position.
package final class EntityDefinition: Sendable {
  package let index: Int
  package let description: EntityDescription
  package let entityName: EntityName
  package let properties: [Property]
  package let slots: [String: Int]
  package let indexes: [FetchIndexDescription]
  package let uniquenessConstraints: [[String]]
  package let superentityIndex: Int?
  package let rootIndex: Int
  package let selfAndDescendantIndices: [Int]
  package let versionHash: VersionHash

  init(
    index: Int, description: EntityDescription, inherited: EntityDefinition?,
    selfAndDescendantIndices: [Int]
  ) {
    self.index = index
    self.description = description
    entityName = EntityName(description.name)
    properties = Self.properties(of: description, after: inherited?.properties ?? [])
    slots = Dictionary(
      properties.map { ($0.name, $0.slot) }, uniquingKeysWith: { first, _ in first })
    indexes = (inherited?.indexes ?? []) + description.indexes
    uniquenessConstraints =
      (inherited?.uniquenessConstraints ?? []) + description.uniquenessConstraints
    superentityIndex = inherited?.index
    rootIndex = inherited?.rootIndex ?? index
    self.selfAndDescendantIndices = selfAndDescendantIndices
    versionHash = VersionHash(of: description, inheriting: inherited?.versionHash)
  }

  private static func properties(
    of description: EntityDescription, after inherited: [Property]
  ) -> [Property] {
    let own: [(String, Property.Kind)] =
      description.attributes.map { ($0.name, .attribute($0)) }
      + description.relationships.map { ($0.name, .relationship($0)) }
    return inherited
      + own.sorted { $0.0 < $1.0 }.enumerated().map { offset, property in
        Property(name: property.0, slot: inherited.count + offset, kind: property.1)
      }
  }
}

/// A property of an entity at its place in the entity's rows.
public struct Property: Hashable, Sendable {
  // Indirect, so that passing a property around counts one reference and not one per part.
  /// What a property is.
  public indirect enum Kind: Hashable, Sendable {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
  }

  /// The name, unique in the entity.
  public let name: String

  /// The property's place in the entity and in all of its sub-entities, from 0: inherited properties
  /// first, then the entity's own in the order of their names.
  public let slot: Int

  /// What the property is, with all that its author wrote.
  public let kind: Kind

  /// Whether this is a to-many relationship.
  public let isToMany: Bool
  /// Whether this is a to-one relationship.
  public let isToOne: Bool
  /// Whether this is a to-many relationship that keeps its members in order.
  public let isOrdered: Bool

  init(name: String, slot: Int, kind: Kind) {
    self.name = name
    self.slot = slot
    self.kind = kind
    if case .relationship(let relationship) = kind {
      isToMany = relationship.isToMany
      isToOne = !relationship.isToMany
      isOrdered = relationship.isOrdered
    } else {
      (isToMany, isToOne, isOrdered) = (false, false, false)
    }
  }

  /// Whether this is a relationship of either kind.
  public var isRelationship: Bool { isToMany || isToOne }

  /// What the author wrote of an attribute; nil for a relationship.
  public var attribute: AttributeDescription? {
    if case .attribute(let attribute) = kind { attribute } else { nil }
  }

  /// What the author wrote of a relationship; nil for an attribute.
  public var relationship: RelationshipDescription? {
    if case .relationship(let relationship) = kind { relationship } else { nil }
  }
}

/// An entity of a model: a name, its properties and its place among the other entities.
///
/// A handle of two references; two handles are equal when they name the same entity of one model.
public struct Entity: Sendable {
  /// The model that the entity belongs to.
  public let model: ManagedObjectModel
  /// What the handle stands for.
  package let definition: EntityDefinition

  /// Makes the handle of a definition.
  package init(model: ManagedObjectModel, definition: EntityDefinition) {
    self.model = model
    self.definition = definition
  }

  /// The name, unique in the model.
  public var name: String { definition.description.name }
  public var description: EntityDescription { definition.description }
  /// Whether only sub-entities have objects.
  public var isAbstract: Bool { definition.description.isAbstract }

  /// The entity's name in the form that object IDs carry.
  public var entityName: EntityName { definition.entityName }

  /// All properties, inherited ones first, each at the position of its slot.
  public var properties: [Property] { definition.properties }

  /// Equal for entities whose rows are stored alike.
  public var versionHash: VersionHash { definition.versionHash }

  /// The indexes of the entity and of those it inherits from.
  public var indexes: [FetchIndexDescription] { definition.indexes }

  /// Returns the property of a name, own or inherited, in O(1).
  public func property(named name: String) -> Property? {
    definition.slots[name].map { definition.properties[$0] }
  }

  /// The entity that this one inherits from; nil for a root.
  public var superentity: Entity? { definition.superentityIndex.map(model.entity(at:)) }

  /// The entity at the top of the inheritance chain; itself when it inherits nothing.
  public var root: Entity { model.entity(at: definition.rootIndex) }

  /// The entity itself and everything below it, itself first.
  public var selfAndDescendants: [Entity] {
    model.inheritanceOrder[definition.subtree].map(model.entity(at:))
  }

  /// Tells whether this is the given entity or inherits from it, in O(1).
  public func isKind(of other: Entity) -> Bool {
    other.model === model && other.definition.subtree.contains(definition.subtree.lowerBound)
  }

  /// Returns the entity at the other end of one of this entity's relationships, in O(1).
  ///
  /// - Precondition: `relationship` is a relationship of this entity.
  public func destination(of relationship: Property) -> Entity {
    guard let link = model.links[definition.index][relationship.slot] else {
      preconditionFailure("\(relationship.name) is no relationship of \(name)")
    }
    return model.entity(at: link.destinationIndex)
  }

  /// Returns the relationship back from a relationship's destination, if it has one, in O(1).
  public func inverse(of relationship: Property) -> Property? {
    guard let link = model.links[definition.index][relationship.slot],
      let slot = link.inverseSlot
    else { return nil }
    return model.definitions[link.destinationIndex].properties[slot]
  }
}

extension Entity: Hashable {
  public static func == (left: Self, right: Self) -> Bool { left.definition === right.definition }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(definition)) }
}

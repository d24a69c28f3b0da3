/// What an entity's handle stands for; immutable, owned by its model and naming others by position.
package final class EntityDefinition: Sendable {
  /// The position in the model.
  package let index: Int
  /// What the author wrote.
  package let description: EntityDescription
  /// The name as object IDs carry it.
  package let entityName: EntityName
  /// All properties by slot.
  package let properties: [Property]
  /// The slot of each property by name.
  package let slots: [String: Int]
  /// The slots of transient attributes, which no row has.
  package let transientSlots: Set<Int>
  /// What a new object's slots hold: defaults and nulls, nothing at transient slots.
  package let initialValues: ContiguousArray<Value?>
  /// What saved values must be like, for attributes and to-one relationships.
  package let valueRules: [ValueRule]
  /// The slots of to-one relationships.
  package let toOneSlots: [Int]
  /// The slots of to-many relationships whose count of members is bounded.
  package let boundedSlots: [Int]
  /// The indexes, inherited ones first.
  package let indexes: [FetchIndexDescription]
  /// The uniqueness constraints, inherited ones first.
  package let uniquenessConstraints: [[String]]
  /// The position of the entity that this one inherits from.
  package let superentityIndex: Int?
  /// The position of the entity at the top.
  package let rootIndex: Int
  /// The places of the entity and of all below it in the model's `inheritanceOrder`.
  package let subtree: Range<Int>
  /// Equal for definitions whose rows are stored alike.
  package let versionHash: VersionHash

  init(
    index: Int, description: EntityDescription, inherited: EntityDefinition?,
    subtree: Range<Int>
  ) {
    self.index = index
    self.description = description
    entityName = EntityName(description.name)
    properties = Self.properties(of: description, after: inherited?.properties ?? [])
    slots = Dictionary(
      properties.map { ($0.name, $0.slot) }, uniquingKeysWith: { first, _ in first })
    transientSlots = Set(
      properties.lazy.filter { $0.attribute?.isTransient ?? false }.map(\.slot))
    initialValues = ContiguousArray(properties.map(\.initialValue))
    valueRules = properties.compactMap(ValueRule.init)
    toOneSlots = properties.filter(\.isToOne).map(\.slot)
    boundedSlots = properties.filter(\.isBounded).map(\.slot)
    indexes = (inherited?.indexes ?? []) + description.indexes
    uniquenessConstraints =
      (inherited?.uniquenessConstraints ?? []) + description.uniquenessConstraints
    superentityIndex = inherited?.index
    rootIndex = inherited?.rootIndex ?? index
    self.subtree = subtree
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

/// The part of a property's description that every save looks at, without references.
package struct ValueRule: Sendable {
  /// The property's slot.
  package let slot: Int
  /// The attribute's type; nil for a to-one relationship.
  package let type: AttributeType?
  /// Whether null may be saved.
  package let isOptional: Bool

  init?(_ property: Property) {
    slot = property.slot
    switch property.kind {
    case .attribute(let attribute):
      if attribute.isTransient { return nil }
      type = attribute.type
      isOptional = attribute.isOptional
    case .relationship(let relationship):
      if relationship.isToMany { return nil }
      type = nil
      isOptional = relationship.isOptional
    }
  }

  /// Tells whether a value is plainly right; one that isn't needs a look at the description.
  package func isPlainlySatisfied(by value: Value) -> Bool {
    if value.isNull { return isOptional }
    guard let type else { return true }
    return type != .composite && type.accepts(value)
  }
}

/// Where one relationship of an entity leads, by positions in the model.
package struct RelationshipLink: Sendable {
  /// The position of the entity at the other end.
  package let destinationIndex: Int
  /// The slot of the relationship back, at the other end.
  package let inverseSlot: Int?
}

extension Property {
  fileprivate var initialValue: Value? {
    guard let attribute else { return .null }
    return attribute.isTransient ? nil : attribute.defaultValue
  }

  fileprivate var isBounded: Bool {
    guard let relationship, relationship.isToMany else { return false }
    return !relationship.isOptional || relationship.countMin > 0 || relationship.countMax > 0
  }
}

/// Finds everything that is wrong with a set of entity descriptions, in one pass over each rule.
struct ModelChecks {
  static let entityCountMax = 65_535
  static let propertyCountMax = 4_096

  private let descriptions: [EntityDescription]
  private let byName: [String: EntityDescription]

  init(_ descriptions: [EntityDescription]) {
    self.descriptions = descriptions
    byName = Dictionary(descriptions.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func problems() -> [ModelError.Problem] {
    var problems = entityNameProblems()
    for entity in descriptions {
      problems += inheritanceProblems(entity)
      problems += propertyNameProblems(entity)
      for attribute in entity.attributes { problems += attributeProblems(attribute, entity) }
      for relationship in entity.relationships {
        problems += relationshipProblems(relationship, entity)
      }
      problems += indexProblems(entity) + constraintProblems(entity)
    }
    return problems
  }

  private func entityNameProblems() -> [ModelError.Problem] {
    var problems: [ModelError.Problem] = []
    if descriptions.count > Self.entityCountMax {
      problems.append(
        .init(
          .tooLarge, entity: "(model)",
          message: "a model has at most \(Self.entityCountMax) entities, not \(descriptions.count)")
      )
    }
    var seen: Set<String> = []
    for entity in descriptions {
      if entity.name.isEmpty {
        problems.append(.init(.emptyName, entity: "(unnamed)", message: "an entity needs a name"))
      } else if !seen.insert(entity.name).inserted {
        problems.append(
          .init(
            .duplicateEntity, entity: entity.name,
            message: "two entities have this name; rename one"))
      }
    }
    return problems
  }

  /// Returns the entities that an entity inherits from, nearest first, and whether they form a circle.
  private func ancestors(_ entity: EntityDescription) -> (
    chain: [EntityDescription], isCyclic: Bool
  ) {
    var chain: [EntityDescription] = []
    var seen: Set<String> = [entity.name]
    var next = entity.superentityName
    while let name = next, let parent = byName[name] {
      if !seen.insert(name).inserted { return (chain, true) }
      chain.append(parent)
      next = parent.superentityName
    }
    return (chain, false)
  }

  private func inheritanceProblems(_ entity: EntityDescription) -> [ModelError.Problem] {
    guard let parentName = entity.superentityName else { return [] }
    guard byName[parentName] != nil else {
      return [
        .init(
          .unknownSuperentity, entity: entity.name,
          message: "inherits from “\(parentName)”, which the model doesn't have")
      ]
    }
    guard ancestors(entity).isCyclic else { return [] }
    return [
      .init(
        .cyclicInheritance, entity: entity.name,
        message: "inherits from itself by way of “\(parentName)”; break the circle")
    ]
  }

  private static let reservedNames: Set<String> = ["SELF", "objectID", "entity"]

  private func propertyNameProblems(_ entity: EntityDescription) -> [ModelError.Problem] {
    let inherited = ancestors(entity).chain.flatMap(\.propertyNames)
    var seen = Set(inherited)
    var problems: [ModelError.Problem] = []
    for name in entity.propertyNames {
      if name.isEmpty || name.contains(".") {
        problems.append(
          .init(
            .emptyName, entity: entity.name, property: name,
            message: "a property needs a name without dots, which separate the steps of key paths"))
      } else if Self.reservedNames.contains(name) {
        problems.append(
          .init(
            .reservedName, entity: entity.name, property: name,
            message: "this name has a meaning of its own in predicates; choose another"))
      } else if !seen.insert(name).inserted {
        problems.append(
          .init(
            .duplicateProperty, entity: entity.name, property: name,
            message: "another property, own or inherited, has this name; rename one"))
      }
    }
    if seen.count > Self.propertyCountMax {
      problems.append(
        .init(
          .tooLarge, entity: entity.name,
          message: "an entity has at most \(Self.propertyCountMax) properties, not \(seen.count)"))
    }
    return problems
  }

  private func attributeProblems(
    _ attribute: AttributeDescription, _ entity: EntityDescription
  ) -> [ModelError.Problem] {
    var problems: [ModelError.Problem] = []
    if !attribute.type.accepts(attribute.defaultValue) {
      problems.append(
        .init(
          .invalidDefault, entity: entity.name, property: attribute.name,
          message: "the default is a \(attribute.defaultValue.kind) that "
            + "\(attribute.type.rawValue) can't hold"))
    }
    if (attribute.type == .composite) == attribute.elements.isEmpty {
      problems.append(
        .init(
          .invalidElements, entity: entity.name, property: attribute.name,
          message: "a composite attribute needs elements and no other type may have them"))
    }
    if Set(attribute.elements.map(\.name)).count < attribute.elements.count {
      problems.append(
        .init(
          .duplicateProperty, entity: entity.name, property: attribute.name,
          message: "two elements have one name; rename one"))
    }
    return problems + attribute.elements.flatMap { attributeProblems($0, entity) }
  }

  private func relationshipProblems(
    _ relationship: RelationshipDescription, _ entity: EntityDescription
  ) -> [ModelError.Problem] {
    func problem(_ code: ModelError.Code, _ message: String) -> ModelError.Problem {
      .init(code, entity: entity.name, property: relationship.name, message: message)
    }
    var problems: [ModelError.Problem] = []
    if relationship.isOrdered && !relationship.isToMany {
      problems.append(problem(.invalidOrder, "only a to-many relationship can be ordered"))
    }
    let limit = relationship.countMax == 0 ? Int.max : relationship.countMax
    if relationship.countMin < 0 || relationship.countMax < 0 || relationship.countMin > limit {
      problems.append(
        problem(.invalidCount, "the counts must be 0 or more, the least not above the greatest"))
    }
    guard let destination = byName[relationship.destinationName] else {
      return problems + [
        problem(
          .unknownDestination,
          "leads to “\(relationship.destinationName)”, which the model doesn't have")
      ]
    }
    return problems + inverseProblems(relationship, entity, destination)
  }

  private func inverseProblems(
    _ relationship: RelationshipDescription, _ entity: EntityDescription,
    _ destination: EntityDescription
  ) -> [ModelError.Problem] {
    guard let inverseName = relationship.inverseName else { return [] }
    let owners = [destination] + ancestors(destination).chain
    guard
      let inverse = owners.lazy.flatMap(\.relationships).first(where: { $0.name == inverseName })
    else {
      return [
        .init(
          .unknownInverse, entity: entity.name, property: relationship.name,
          message: "names “\(inverseName)” as its inverse, but \(destination.name) has no such "
            + "relationship")
      ]
    }
    let isMutual =
      inverse.inverseName == relationship.name && inverse.destinationName == entity.name
    guard !isMutual else { return [] }
    return [
      .init(
        .oneSidedInverse, entity: entity.name, property: relationship.name,
        message: "\(destination.name).\(inverseName) must lead back to \(entity.name) and name "
          + "“\(relationship.name)” as its inverse")
    ]
  }

  private func indexProblems(_ entity: EntityDescription) -> [ModelError.Problem] {
    var seen = Set(ancestors(entity).chain.flatMap(\.indexes).map(\.name))
    return entity.indexes.flatMap { index in
      var problems: [ModelError.Problem] = []
      if !seen.insert(index.name).inserted || index.name.isEmpty {
        problems.append(
          .init(
            .duplicateIndex, entity: entity.name, property: index.name,
            message: "an index needs a name that no other index of the entity has"))
      }
      let names = index.elements.map(\.propertyName)
      return problems
        + keyProblems(names, of: entity, .invalidIndex, "index “\(index.name)”")
    }
  }

  private func constraintProblems(_ entity: EntityDescription) -> [ModelError.Problem] {
    entity.uniquenessConstraints.flatMap {
      keyProblems(
        $0, of: entity, .invalidConstraint, "uniqueness of (\($0.joined(separator: ", ")))")
    }
  }

  /// Checks that names can be the parts of an index key: ordered stored attributes or to-one
  /// relationships, each once, at least one.
  private func keyProblems(
    _ names: [String], of entity: EntityDescription, _ code: ModelError.Code, _ subject: String
  ) -> [ModelError.Problem] {
    guard !names.isEmpty, Set(names).count == names.count else {
      return [
        .init(code, entity: entity.name, message: "\(subject) must name each property just once")
      ]
    }
    let owners = [entity] + ancestors(entity).chain
    return names.compactMap { name in
      let attribute = owners.lazy.flatMap(\.attributes).first { $0.name == name }
      let relationship = owners.lazy.flatMap(\.relationships).first { $0.name == name }
      let isUsable =
        attribute.map { $0.type.isOrdered && !$0.isTransient } ?? relationship.map { !$0.isToMany }
        ?? false
      guard !isUsable else { return nil }
      return .init(
        code, entity: entity.name, property: name,
        message: "\(subject) needs a stored attribute with an order or a to-one relationship")
    }
  }
}

extension EntityDescription {
  fileprivate var propertyNames: [String] { attributes.map(\.name) + relationships.map(\.name) }
}

/// Finds everything that is wrong with a set of entity descriptions.
///
/// Takes a time that grows with the count of properties, inherited ones counted for each entity, which is
/// bounded.
struct ModelChecks {
  static let entityCountMax = 65_535
  static let propertyCountMax = 4_096
  /// The most properties and indexes of all entities together, each counted again wherever it is inherited.
  static let inheritedCountMax = 1_000_000
  /// How deeply the elements of composite attributes nest.
  static let elementDepthMax = 16

  private let descriptions: [EntityDescription]
  private let forest: InheritanceForest
  private let indices: [String: Int]

  init(_ descriptions: [EntityDescription], _ forest: InheritanceForest) {
    self.descriptions = descriptions
    self.forest = forest
    indices = Dictionary(
      descriptions.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns all problems, in the order of the descriptions; of a model that is too large, only that.
  func problems() -> [ModelError.Problem] {
    let tooLarge = sizeProblems()
    guard tooLarge.isEmpty else { return tooLarge }
    let scopes = PropertyScope.scopes(of: descriptions, forest)
    var problems = entityNameProblems()
    for (index, entity) in descriptions.enumerated() {
      let inherited = forest.parents[index].map { scopes[$0] } ?? PropertyScope()
      problems += inheritanceProblems(index)
      problems += propertyNameProblems(entity, inherited)
      for attribute in entity.attributes {
        problems += attributeProblems(attribute, entity, depth: 0)
      }
      for relationship in entity.relationships {
        problems += relationshipProblems(relationship, entity, scopes)
      }
      problems += indexProblems(entity, inherited, scopes[index])
      problems += constraintProblems(entity, scopes[index])
    }
    return problems
  }

  private func sizeProblems() -> [ModelError.Problem] {
    func problem(_ message: String) -> [ModelError.Problem] {
      [.init(.tooLarge, entity: "(model)", message: message)]
    }
    guard descriptions.count <= Self.entityCountMax else {
      return problem(
        "a model has at most \(Self.entityCountMax) entities, not \(descriptions.count)")
    }
    var counts = descriptions.map { $0.propertyCount + $0.indexes.count }
    var total = 0
    for index in forest.order {
      counts[index] += forest.parents[index].map { counts[$0] } ?? 0
      total += counts[index]
      guard total <= Self.inheritedCountMax else {
        return problem(
          "all entities together have at most \(Self.inheritedCountMax) properties and indexes, "
            + "inherited ones counted for each entity")
      }
    }
    return []
  }

  private func entityNameProblems() -> [ModelError.Problem] {
    var problems: [ModelError.Problem] = []
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

  private func inheritanceProblems(_ index: Int) -> [ModelError.Problem] {
    let entity = descriptions[index]
    guard let parentName = entity.superentityName else { return [] }
    guard indices[parentName] != nil else {
      return [
        .init(
          .unknownSuperentity, entity: entity.name,
          message: "inherits from “\(parentName)”, which the model doesn't have")
      ]
    }
    guard forest.cyclicEntities.contains(index) else { return [] }
    return [
      .init(
        .cyclicInheritance, entity: entity.name,
        message: "inherits from itself by way of “\(parentName)”; break the circle")
    ]
  }

  private static let reservedNames: Set<String> = ["SELF", "objectID", "entity"]

  private func propertyNameProblems(
    _ entity: EntityDescription, _ inherited: PropertyScope
  ) -> [ModelError.Problem] {
    var seen: Set<String> = []
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
      } else if !seen.insert(name).inserted || inherited.properties[name] != nil {
        problems.append(
          .init(
            .duplicateProperty, entity: entity.name, property: name,
            message: "another property, own or inherited, has this name; rename one"))
      }
    }
    let count = inherited.properties.count + entity.propertyCount
    if count > Self.propertyCountMax {
      problems.append(
        .init(
          .tooLarge, entity: entity.name,
          message: "an entity has at most \(Self.propertyCountMax) properties, not \(count)"))
    }
    return problems
  }

  private func attributeProblems(
    _ attribute: AttributeDescription, _ entity: EntityDescription, depth: Int
  ) -> [ModelError.Problem] {
    guard depth <= Self.elementDepthMax else {
      return [
        .init(
          .tooLarge, entity: entity.name, property: attribute.name,
          message: "composite attributes nest at most \(Self.elementDepthMax) levels deep")
      ]
    }
    var problems: [ModelError.Problem] = []
    if !attribute.type.accepts(attribute.defaultValue) {
      problems.append(
        .init(
          .invalidDefault, entity: entity.name, property: attribute.name,
          message: "the default is \(attribute.defaultValue.kindWithArticle) that "
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
    return problems
      + attribute.elements.flatMap { attributeProblems($0, entity, depth: depth + 1) }
  }

  private func relationshipProblems(
    _ relationship: RelationshipDescription, _ entity: EntityDescription, _ scopes: [PropertyScope]
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
    guard let destination = indices[relationship.destinationName] else {
      return problems + [
        problem(
          .unknownDestination,
          "leads to “\(relationship.destinationName)”, which the model doesn't have")
      ]
    }
    return problems + inverseProblems(relationship, entity, destination, scopes[destination])
  }

  private func inverseProblems(
    _ relationship: RelationshipDescription, _ entity: EntityDescription,
    _ destination: Int, _ scope: PropertyScope
  ) -> [ModelError.Problem] {
    guard let inverseName = relationship.inverseName else { return [] }
    let destinationName = descriptions[destination].name
    guard let inverse = scope.properties[inverseName]?.relationship(in: descriptions) else {
      return [
        .init(
          .unknownInverse, entity: entity.name, property: relationship.name,
          message: "names “\(inverseName)” as its inverse, but \(destinationName) has no such "
            + "relationship")
      ]
    }
    let isMutual =
      inverse.inverseName == relationship.name && inverse.destinationName == entity.name
    guard !isMutual else { return [] }
    return [
      .init(
        .oneSidedInverse, entity: entity.name, property: relationship.name,
        message: "\(destinationName).\(inverseName) must lead back to \(entity.name) and name "
          + "“\(relationship.name)” as its inverse")
    ]
  }

  private func indexProblems(
    _ entity: EntityDescription, _ inherited: PropertyScope, _ scope: PropertyScope
  ) -> [ModelError.Problem] {
    var seen: Set<String> = []
    return entity.indexes.flatMap { index in
      var problems: [ModelError.Problem] = []
      let isTaken = inherited.indexNames.contains(index.name)
      if isTaken || !seen.insert(index.name).inserted || index.name.isEmpty {
        problems.append(
          .init(
            .duplicateIndex, entity: entity.name, property: index.name,
            message: "an index needs a name that no other index of the entity has"))
      }
      let names = index.elements.map(\.propertyName)
      return problems
        + keyProblems(names, of: entity, scope, .invalidIndex, "index “\(index.name)”")
    }
  }

  private func constraintProblems(
    _ entity: EntityDescription, _ scope: PropertyScope
  ) -> [ModelError.Problem] {
    entity.uniquenessConstraints.flatMap {
      keyProblems(
        $0, of: entity, scope, .invalidConstraint, "uniqueness of (\($0.joined(separator: ", ")))")
    }
  }

  /// Checks that names can be the parts of an index key: ordered stored attributes or to-one
  /// relationships, each once, at least one.
  private func keyProblems(
    _ names: [String], of entity: EntityDescription, _ scope: PropertyScope,
    _ code: ModelError.Code, _ subject: String
  ) -> [ModelError.Problem] {
    guard !names.isEmpty, Set(names).count == names.count else {
      return [
        .init(code, entity: entity.name, message: "\(subject) must name each property just once")
      ]
    }
    return names.compactMap { name in
      let property = scope.properties[name]
      let attribute = property?.attribute(in: descriptions)
      let relationship = property?.relationship(in: descriptions)
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
  fileprivate var propertyCount: Int { attributes.count + relationships.count }
}

/// A key path whose steps have been found.
package struct BoundPath: Hashable, Sendable {
  /// The properties passed through, at least one; all but the last are relationships.
  package let properties: [Property]
  /// The names of composite elements below the last property; mostly empty.
  package let elementNames: [String]
  /// The type of the value at the end; nil when the path ends in a relationship.
  package let attributeType: AttributeType?
  /// The entity of the objects at the end; nil when the path ends in an attribute.
  package let destination: Entity?
  /// Whether the path passes through or ends in a to-many relationship.
  package let isToMany: Bool

  /// Makes a path of what its names were found to be.
  package init(
    properties: [Property], elementNames: [String], attributeType: AttributeType?,
    destination: Entity? = nil
  ) {
    precondition(!properties.isEmpty, "a bound path has at least one property")
    self.destination = destination
    self.properties = properties
    self.elementNames = elementNames
    self.attributeType = attributeType
    isToMany = properties.contains(where: \.isToMany)
  }

  /// Whether the members at the end have an order of their own: one ordered relationship leads to them.
  package var isOrdered: Bool {
    let toMany = properties.filter(\.isToMany)
    return toMany.count == 1 && toMany[0].isOrdered
  }

  /// Whether the path ends in an attribute that stores don't keep.
  package var isTransient: Bool { properties.last?.attribute?.isTransient ?? false }

  /// The names of all steps with dots between them.
  package var string: String {
    (properties.map(\.name) + elementNames).joined(separator: ".")
  }
}

/// Finds key paths in an entity.
struct PathResolver {
  let entity: Entity

  /// The entities whose objects are read on the way, so far.
  private(set) var traversedEntities: Set<Entity> = []
  private(set) var transientKeyPaths: [String] = []

  init(entity: Entity) { self.entity = entity }

  /// Finds a path's steps; `SELF` in front and `objectID` behind are passed over.
  mutating func resolve(_ keyPath: ObjectKeyPath) throws(ObjectPredicateError) -> BoundPath {
    try resolve(keyPath, from: entity)
  }

  /// Finds the steps of a path that begins at objects of an entity.
  mutating func resolve(
    _ keyPath: ObjectKeyPath, from start: Entity
  ) throws(ObjectPredicateError) -> BoundPath {
    var names = keyPath.withoutSelf.names[...]
    guard (1...PredicateLimits.keyPathLengthMax).contains(names.count) else {
      throw failure(.tooLarge, "a key path has 1 to 100 names", keyPath)
    }
    var properties: [Property] = []
    var place = start
    while let name = names.popFirst() {
      let property = try find(name, in: place, keyPath)
      properties.append(property)
      if let attribute = property.attribute {
        return try finish(properties, attribute, names, keyPath)
      }
      place = place.destination(of: property)
      if property.isToMany || !names.isEmpty { traversedEntities.insert(place) }
    }
    return BoundPath(
      properties: properties, elementNames: [], attributeType: nil, destination: place)
  }

  private mutating func finish(
    _ properties: [Property], _ attribute: AttributeDescription, _ elementNames: ArraySlice<String>,
    _ keyPath: ObjectKeyPath
  ) throws(ObjectPredicateError) -> BoundPath {
    var end = attribute
    for name in elementNames {
      guard end.type == .composite else {
        throw failure(
          .invalidKeyPath, "“\(end.name)” is a plain \(end.type.rawValue); nothing follows it",
          keyPath)
      }
      guard let element = end.elements.first(where: { $0.name == name }) else {
        throw failure(.unknownKey, "“\(end.name)” has no element “\(name)”", keyPath)
      }
      end = element
    }
    let path = BoundPath(
      properties: properties, elementNames: Array(elementNames), attributeType: end.type)
    if path.isTransient { transientKeyPaths.append(path.string) }
    return path
  }

  private func find(
    _ name: String, in place: Entity, _ keyPath: ObjectKeyPath
  ) throws(ObjectPredicateError) -> Property {
    if let property = place.property(named: name) { return property }
    throw failure(.unknownKey, "\(place.name) has no property “\(name)”", keyPath)
  }

  /// Remembers that objects of an entity are read.
  mutating func traverse(_ entity: Entity) { traversedEntities.insert(entity) }

  private func failure(
    _ code: ObjectPredicateError.Code, _ message: String, _ keyPath: ObjectKeyPath
  ) -> ObjectPredicateError {
    ObjectPredicateError(code, message, entity: entity.name, keyPath: keyPath.string)
  }
}

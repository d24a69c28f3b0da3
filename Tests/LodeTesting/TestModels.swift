package import Lode

/// Small models that tests share.
package enum TestModels {
  /// Team{name unique, uniformColor, rank} →→ Player{lastName indexed, firstName, email, age}, cascade.
  package static func league() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Team",
        attributes: [
          AttributeDescription("name", .string, isOptional: false, defaultValue: .string("")),
          AttributeDescription("uniformColor", .string),
          AttributeDescription("rank", .integer32),
        ],
        relationships: [
          RelationshipDescription(
            "players", to: "Player", inverse: "team", isToMany: true, deleteRule: .cascade)
        ],
        uniquenessConstraints: [["name"]]),
      EntityDescription(
        "Player",
        attributes: [
          AttributeDescription("lastName", .string, isOptional: false, defaultValue: .string("")),
          AttributeDescription("firstName", .string, isOptional: false, defaultValue: .string("")),
          AttributeDescription("email", .string),
          AttributeDescription("age", .integer16),
          AttributeDescription("mood", .string, isTransient: true),
        ],
        relationships: [RelationshipDescription("team", to: "Team", inverse: "players")],
        indexes: [FetchIndexDescription(on: "lastName")]),
    ])
  }

  /// One entity with the given attributes.
  package static func flat(_ name: String, _ attributes: [AttributeDescription]) throws
    -> ManagedObjectModel
  {
    try ManagedObjectModel(entities: [EntityDescription(name, attributes: attributes)])
  }

  /// A{name} and B{name}, related by `a.b` and `b.a` as described.
  package static func pair(
    _ ab: RelationshipDescription, _ ba: RelationshipDescription
  ) throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "A", attributes: [AttributeDescription("name", .string)], relationships: [ab]),
      EntityDescription(
        "B", attributes: [AttributeDescription("name", .string)], relationships: [ba]),
    ])
  }

  /// A and B with every cardinality and the given delete rule on A's side.
  package static func pair(
    aToMany: Bool, bToMany: Bool, rule: DeleteRule = .nullify, isOrdered: Bool = false
  ) throws -> ManagedObjectModel {
    try pair(
      RelationshipDescription(
        "b", to: "B", inverse: "a", isToMany: aToMany, isOrdered: isOrdered && aToMany,
        deleteRule: rule),
      RelationshipDescription("a", to: "A", inverse: "b", isToMany: bToMany))
  }
}

extension ManagedObjectContext {
  /// Inserts an object with attribute values.
  @discardableResult
  package func insert(_ entity: String, _ values: [String: Value] = [:]) throws -> ManagedObject {
    let object = try insertNewObject(forEntityName: entity)
    for (name, value) in values { object.setValue(value, forKey: name) }
    return object
  }

  /// Fetches objects of an entity by a format string, in the order of the given keys.
  package func fetch(
    _ entity: String, _ format: String? = nil, _ arguments: [(any PredicateArgument)?] = [],
    sort: [SortTerm] = []
  ) throws -> [ManagedObject] {
    try fetch(request(entity, format, arguments, sort: sort))
  }

  package func request(
    _ entity: String, _ format: String? = nil, _ arguments: [(any PredicateArgument)?] = [],
    sort: [SortTerm] = []
  ) throws -> FetchRequest<ManagedObject> {
    FetchRequest(
      entityName: entity,
      predicate: try format.map { try ObjectPredicate($0, arguments: arguments) }, sortTerms: sort)
  }
}

extension ManagedObject {
  /// The object's attribute `name`.
  package var named: String? { self["name"] }
}

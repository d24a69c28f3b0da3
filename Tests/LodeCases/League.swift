package import LodeModel

/// The library model of predicate tests: teams, their players, and what players have.
package enum League {
  /// The model.
  package static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [team, player, agent])
  }

  /// The model with an index on whatever can have one.
  package static func indexedModel() throws -> ManagedObjectModel {
    var entities = [team, player, agent]
    for index in entities.indices {
      let attributes = entities[index].attributes
        .filter { $0.type.isOrdered && !$0.isTransient }.map(\.name)
      let relationships = entities[index].relationships.filter { !$0.isToMany }.map(\.name)
      entities[index].indexes = (attributes + relationships).map { FetchIndexDescription(on: $0) }
    }
    return try ManagedObjectModel(entities: entities)
  }

  /// One of its entities.
  package static let team = EntityDescription(
    "Team",
    attributes: [
      AttributeDescription("name", .string), AttributeDescription("founded", .integer32),
      AttributeDescription(
        "address", .composite,
        elements: [
          AttributeDescription("city", .string), AttributeDescription("number", .integer16),
        ]),
    ],
    relationships: [
      RelationshipDescription(
        "players", to: "Player", inverse: "team", isToMany: true, deleteRule: .cascade),
      RelationshipDescription(
        "bench", to: "Player", inverse: "benchOf", isToMany: true, isOrdered: true),
    ])

  /// One of its entities.
  package static let player = EntityDescription(
    "Player",
    attributes: [
      AttributeDescription("name", .string), AttributeDescription("age", .integer16),
      AttributeDescription("salary", .decimal), AttributeDescription("rating", .double),
      AttributeDescription("joined", .date), AttributeDescription("isCaptain", .boolean),
      AttributeDescription("photo", .binaryData), AttributeDescription("key", .uuid),
      AttributeDescription("page", .uri),
      AttributeDescription("nickname", .string, isTransient: true),
    ],
    relationships: [
      RelationshipDescription("team", to: "Team", inverse: "players"),
      RelationshipDescription("agent", to: "Agent", inverse: "clients"),
      RelationshipDescription("benchOf", to: "Team", inverse: "bench"),
    ])

  /// One of its entities.
  package static let agent = EntityDescription(
    "Agent", attributes: [AttributeDescription("name", .string)],
    relationships: [
      RelationshipDescription("clients", to: "Player", inverse: "agent", isToMany: true)
    ])
}

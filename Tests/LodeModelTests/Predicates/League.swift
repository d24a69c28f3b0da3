import Foundation
import LodeModel

/// The library model of predicate tests: teams, their players, and what players have.
enum League {
  static func model() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [team, player, agent])
  }

  static let team = EntityDescription(
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
        "players", to: "Player", inverse: "team", isToMany: true, deleteRule: .cascade)
    ])

  static let player = EntityDescription(
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
    ])

  static let agent = EntityDescription(
    "Agent", attributes: [AttributeDescription("name", .string)],
    relationships: [
      RelationshipDescription("clients", to: "Player", inverse: "agent", isToMany: true)
    ])
}

/// Objects in memory that a bound predicate is evaluated on: a stand-in for rows and pending objects.
final class ObjectGraph {
  let model: ManagedObjectModel
  private let store = StoreIdentifier(UUID())
  private(set) var values: [ManagedObjectID: [String: Value]] = [:]

  init(_ model: ManagedObjectModel) { self.model = model }

  func insert(_ entityName: String, _ values: [String: Value] = [:]) -> ManagedObjectID {
    let objectID = ManagedObjectID(
      store: store, entityName: EntityName(entityName), number: UInt64(self.values.count + 1))
    self.values[objectID] = values
    return objectID
  }

  func set(_ objectID: ManagedObjectID, _ name: String, _ value: Value) {
    values[objectID]?[name] = value
  }

  func source(_ objectID: ManagedObjectID) -> GraphSource {
    GraphSource(graph: self, identity: objectID)
  }

  /// The object as plain values, its relations nested to a depth that the tests' key paths don't pass.
  func plainValue(_ objectID: ManagedObjectID, depth: Int = 4) -> Value {
    guard let values = values[objectID] else { return .null }
    guard depth > 0 else { return .composite(["objectID": .objectID(objectID)]) }
    var plain: [String: Value] = ["objectID": .objectID(objectID)]
    for (name, value) in values { plain[name] = nested(value, depth: depth - 1) }
    return .composite(plain)
  }

  private func nested(_ value: Value, depth: Int) -> Value {
    switch value {
    case .objectID(let objectID): plainValue(objectID, depth: depth)
    case .list(let members): .list(members.map { nested($0, depth: depth) })
    default: value
    }
  }
}

struct GraphSource: PredicateSource {
  let graph: ObjectGraph
  let identity: ManagedObjectID

  var objectID: ManagedObjectID? { identity }

  func value(of property: Property) -> Value {
    graph.values[identity]?[property.name] ?? (property.isToMany ? .list([]) : .null)
  }

  func source(for objectID: ManagedObjectID) -> GraphSource? {
    graph.values[objectID] == nil ? nil : graph.source(objectID)
  }
}

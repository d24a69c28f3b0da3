import Foundation
import LodeModel

/// Objects in memory that a bound predicate is evaluated on: a stand-in for rows and pending objects.
final class ObjectGraph {
  let model: ManagedObjectModel
  private let store = StoreIdentifier(UUID())
  /// How often a path was followed to another object.
  var followedCount = 0
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
    graph.followedCount += 1
    return graph.values[objectID] == nil ? nil : graph.source(objectID)
  }
}

import Foundation
import LodeModel

@testable import LodeStore

/// The model that tests share: teams and players, tags on both sides of a many-to-many, an ordered
/// line-up, friends, and three levels of inheritance.
enum League {
  static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(entities: entities)
    } catch {
      fatalError("the tests' model is wrong: \(error)")
    }
  }()

  static var entities: [EntityDescription] {
    [
      EntityDescription(
        "Team",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("color", .string),
        ],
        relationships: [
          RelationshipDescription("players", to: "Player", inverse: "team", isToMany: true),
          RelationshipDescription("lineUp", to: "Player", isToMany: true, isOrdered: true),
        ]),
      EntityDescription(
        "Player",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("age", .integer16),
          AttributeDescription("height", .double), AttributeDescription("born", .date),
          AttributeDescription("isActive", .boolean), AttributeDescription("biography", .string),
          AttributeDescription("nickname", .string, isTransient: true),
        ],
        relationships: [
          RelationshipDescription("team", to: "Team", inverse: "players"),
          RelationshipDescription("friends", to: "Player", inverse: "friends", isToMany: true),
          RelationshipDescription("tags", to: "Tag", inverse: "players", isToMany: true),
        ]),
      EntityDescription(
        "Goalkeeper", superentityName: "Player",
        attributes: [AttributeDescription("saves", .integer32)]),
      EntityDescription(
        "Tag", attributes: [AttributeDescription("label", .string)],
        relationships: [
          RelationshipDescription(
            "players", to: "Player", inverse: "tags", isToMany: true, isOrdered: true)
        ]),
      EntityDescription(
        "Base", isAbstract: true, attributes: [AttributeDescription("id", .integer64)]),
      EntityDescription("ChildOne", superentityName: "Base"),
      EntityDescription("ChildTwo", superentityName: "Base"),
    ]
  }
}

extension PersistentStore {
  /// Finds an entity of the store's model.
  func entity(_ name: String) -> Entity {
    guard let entity = model.entitiesByName[name] else { fatalError("no entity “\(name)”") }
    return entity
  }

  func property(_ entityName: String, _ name: String) -> Property {
    guard let property = entity(entityName).property(named: name) else {
      fatalError("no property “\(entityName).\(name)”")
    }
    return property
  }

  /// Makes a new row's change, of named values.
  func insert(_ entityName: String, _ values: [String: Value] = [:]) throws -> ChangeSet.Insert {
    let entity = entity(entityName)
    let number = try reserveObjectNumbers(count: 1).lowerBound
    let objectID = ManagedObjectID(
      store: identifier, entityName: entity.entityName, number: number)
    return ChangeSet.Insert(
      objectID: objectID, values: entity.properties.map { values[$0.name] ?? .null })
  }

  /// Saves one new row.
  @discardableResult
  func add(_ entityName: String, _ values: [String: Value] = [:]) throws -> ManagedObjectID {
    var changes = ChangeSet()
    changes.inserts = [try insert(entityName, values)]
    _ = try commit(changes)
    return changes.inserts[0].objectID
  }

  func row(_ objectID: ManagedObjectID) throws -> ObjectRow? { try rows(for: [objectID])[0] }

  func value(_ objectID: ManagedObjectID, _ name: String) throws -> Value? {
    let slot = property(objectID.entityName.string, name).slot
    return try row(objectID)?.value(at: slot)
  }

  /// Makes a change of a row as it is stored now.
  func update(
    _ objectID: ManagedObjectID, _ values: [String: Value]
  ) throws -> ChangeSet.Update {
    ChangeSet.Update(
      objectID: objectID, baseVersion: try row(objectID)?.version ?? 0,
      values: values.map { (property(objectID.entityName.string, $0).slot, $1) })
  }

  func members(_ owner: ManagedObjectID, _ name: String) throws -> [ManagedObjectID] {
    try members(of: property(owner.entityName.string, name), owner: owner)
  }

  func query(
    _ entityName: String, _ predicate: ObjectPredicate? = nil, sort: [SortTerm] = [],
    limit: Int = 0, offset: Int = 0, includesSubentities: Bool = true
  ) throws -> StoreQuery {
    let entity = entity(entityName)
    return StoreQuery(
      entity: entity, includesSubentities: includesSubentities,
      predicate: try predicate?.bound(to: entity), sort: try sort.map { try $0.bound(to: entity) },
      limit: limit, offset: offset)
  }
}

/// Makes a comparison of a property with a constant.
func compare(
  _ keyPath: String, _ operator: ObjectComparison.Operator, _ value: Value,
  _ options: ObjectComparison.Options = []
) -> ObjectPredicate {
  .comparison(
    ObjectComparison(
      .keyPath(ObjectKeyPath(keyPath)), `operator`, .constant(value), options: options))
}

internal import LodeKV
internal import LodeModel

/// A model as one store keeps it: numbers, trees and record layouts, fixed while the store is open.
final class StoreSchema: Sendable {
  let model: ManagedObjectModel
  let references: ReferenceTable
  /// By the entities' index in the model.
  let entities: [StoredEntity]
  private let byNumber: [StoredEntity?]
  /// Whether a relationship and its inverse are kept each by itself, so that commits compare them.
  let hasCheckedInverses: Bool

  init(
    model: ManagedObjectModel, references: ReferenceTable, entities: [StoredEntity]
  ) {
    self.model = model
    self.references = references
    self.entities = entities
    let numberMax = entities.map(\.number).max() ?? 0
    var byNumber = [StoredEntity?](repeating: nil, count: Int(numberMax) + 1)
    for entity in entities { byNumber[Int(entity.number)] = entity }
    self.byNumber = byNumber
    hasCheckedInverses = model.entities.contains { entity in
      entity.properties.contains { property in
        guard property.isToOne, let inverse = entity.inverse(of: property) else { return false }
        return inverse.isToOne || inverse.isOrdered
      }
    }
  }

  /// Returns what the store knows of an entity, which may be a handle of an equal model; nil when it
  /// has no entity of the name.
  func entity(_ entity: Entity) -> StoredEntity? {
    if entity.model === model { return entities[entity.definition.index] }
    return references.number(of: entity.entityName).flatMap { self.entity(number: $0) }
  }

  func entity(number: UInt16) -> StoredEntity? {
    Int(number) < byNumber.count ? byNumber[Int(number)] : nil
  }

  /// Returns what the store knows of an object's entity; nil for objects of other stores.
  func entity(of objectID: ManagedObjectID) -> StoredEntity? {
    guard objectID.store == references.store,
      let number = references.number(of: objectID.entityName)
    else { return nil }
    return entity(number: number)
  }

  /// Finds the layout of a record by its header and checks the record.
  ///
  /// - Parameter tree: where the record was found; its root entity names the object when the record
  ///   doesn't.
  /// - Throws: `RecordError.damaged` when the bytes are no record of the object.
  func view(
    _ bytes: UnsafeRawBufferPointer, of number: UInt64, in tree: TreeID
  ) throws(RecordError) -> RecordView {
    guard let entityNumber = RecordView.entityNumber(of: bytes),
      let entity = entity(number: entityNumber), entity.recordTree == tree
    else { throw damaged(number, in: tree, "it is one of no known entity") }
    return try RecordView(bytes, of: number, layout: entity.layout)
  }

  /// Returns the error for an object whose record doesn't even tell its entity.
  func damaged(_ number: UInt64, in tree: TreeID, _ reason: String) -> RecordError {
    guard let root = entities.first(where: { $0.recordTree == tree })?.entity.root else {
      return .malformed(reason: "a record in a tree of none: \(reason)")
    }
    return .damaged(
      objectID: ManagedObjectID(
        store: references.store, entityName: root.entityName, number: number),
      reason: reason)
  }
}

/// One entity in one store.
final class StoredEntity: Sendable {
  let entity: Entity
  let number: UInt16
  let layout: RecordLayout
  let recordTree: TreeID
  /// The indexes and constraints that hold this entity's rows, inherited ones included.
  let indexes: [StoredIndex]
  /// To-one relationships whose column feeds the link tree of their to-many inverse.
  let feeds: [(slot: Int, tree: StoredLinks)]
  /// The entity's to-many relationships by slot.
  let links: [Int: StoredLinks]
  /// The entity's to-one relationships, with the entities' numbers that may stand at the other end.
  let toOnes: [(slot: Int, numbers: Set<UInt16>)]

  init(
    entity: Entity, number: UInt16, layout: RecordLayout, recordTree: TreeID,
    indexes: [StoredIndex], feeds: [(slot: Int, tree: StoredLinks)], links: [Int: StoredLinks],
    toOnes: [(slot: Int, numbers: Set<UInt16>)]
  ) {
    self.toOnes = toOnes
    self.entity = entity
    self.number = number
    self.layout = layout
    self.recordTree = recordTree
    self.indexes = indexes
    self.feeds = feeds
    self.links = links
  }
}

/// An index or a uniqueness constraint; entries are the values' ordered keys and the object number, the
/// value of an entry is the row's entity number.
final class StoredIndex: Sendable {
  let tree: TreeID
  let name: String
  /// The entity that declares it; it holds the rows of all that inherit.
  let entity: Entity
  let isUnique: Bool
  let propertyNames: [String]
  let key: IndexKey

  init(
    tree: TreeID, name: String, entity: Entity, isUnique: Bool, propertyNames: [String],
    key: IndexKey
  ) {
    self.tree = tree
    self.name = name
    self.entity = entity
    self.isUnique = isUnique
    self.propertyNames = propertyNames
    self.key = key
  }
}

/// A to-many relationship's tree, filed under the entity that declares the relationship.
final class StoredLinks: Sendable {
  enum Form: Sendable, Hashable {
    /// Follows from the to-one inverse's column, as an index does.
    case derived
    case unordered
    case ordered
  }

  let tree: TreeID
  let entity: Entity
  let relationship: Property
  let form: Form
  /// The inverse's tree where the inverse is a to-many as well, perhaps the relationship itself.
  let inverseTree: TreeID?
  let inverseForm: Form?
  /// The entities' numbers that members may have.
  let memberNumbers: Set<UInt16>

  init(
    tree: TreeID, entity: Entity, relationship: Property, form: Form, inverseTree: TreeID?,
    inverseForm: Form?, memberNumbers: Set<UInt16>
  ) {
    self.tree = tree
    self.entity = entity
    self.relationship = relationship
    self.form = form
    self.inverseTree = inverseTree
    self.inverseForm = inverseForm
    self.memberNumbers = memberNumbers
  }

  static func form(of relationship: Property, _ entity: Entity) -> Form {
    if relationship.relationship?.isOrdered == true { return .ordered }
    return entity.inverse(of: relationship)?.isToOne == true ? .derived : .unordered
  }
}

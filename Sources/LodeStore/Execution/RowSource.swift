internal import LodeKV
internal import LodeModel

/// What the rows of one query share: the snapshot they lie in and the memory for their tails.
final class RowContext {
  let schema: StoreSchema
  let snapshot: any KeyValueSnapshot
  let tails = TailScratch()

  init(_ schema: StoreSchema, _ snapshot: any KeyValueSnapshot) {
    self.schema = schema
    self.snapshot = snapshot
  }

  func row(of objectID: ManagedObjectID) throws -> RowSource? {
    guard let entity = schema.entity(of: objectID),
      let view = try snapshot.record(of: objectID.number, entity, schema)
    else { return nil }
    return RowSource(context: self, number: objectID.number, view: view)
  }
}

/// A stored row as predicates and sorts read it: its record, and its links in the same snapshot.
struct RowSource: PredicateSource {
  let context: RowContext
  let number: UInt64
  let view: RecordView

  var objectID: ManagedObjectID? {
    ManagedObjectID(
      store: context.schema.references.store, entityName: view.layout.entityName, number: number)
  }

  func value(of property: Property) throws -> Value {
    property.isToMany
      ? try members(of: property) : try view.value(at: property.slot, tails: context.tails)
  }

  func source(for objectID: ManagedObjectID) throws -> RowSource? { try context.row(of: objectID) }

  private func members(of relationship: Property) throws -> Value {
    let schema = context.schema
    guard let entity = schema.entity(number: view.layout.entityNumber),
      let links = entity.links[relationship.slot]
    else { throw RecordError.malformed(reason: "a record of no known entity") }
    let owner = ObjectReference(number: number, entityNumber: entity.number)
    let members = try context.snapshot.members(of: owner, through: links, schema: schema)
    return .list(try members.map { .objectID(try schema.references.objectID(of: $0)) })
  }
}

import LodeModel
import LodeStore

// Contexts whose backing is another context.

extension ManagedObjectContext {
  /// Makes a context that works on another one's objects: its fetches see the parent's unsaved changes
  /// and its saves go to the parent alone, which saves them in turn.
  ///
  /// It is used inside `perform` only.
  public convenience init(parent: ManagedObjectContext, name: String = "child") {
    self.init(
      backing: ParentBacking(parent: parent), parent: parent, kind: .privateQueue, name: name)
    parent.saveListeners.add(self)
  }

  /// Returns what an object is now as a child context's image; nil when it is deleted.
  fileprivate func image(of object: ManagedObject) throws -> ObjectImage? {
    object.fulfill()
    try throwAccessError()
    guard !object.isDeleted else { return nil }
    if object.pendingValues == nil, object.transientValues.isEmpty, let image = object.image {
      return image
    }
    let values = object.entity.properties.map { property in
      property.isToMany ? .null : object.currentValue(at: property.slot)
    }
    return .values(values, version: object.image?.version ?? 0)
  }

  /// Carries out a child's save on this context's objects.
  fileprivate func apply(_ save: ContextSave) throws -> [ObjectImage] {
    let changes = save.changes
    let inserted = changes.inserts.map { insert in
      let (entity, type) = objectClass(of: insert.objectID.entityName)
      let object = type.init(ObjectSeed(entity: entity, objectID: insert.objectID, host: self))
      register(inserted: object)
      return object
    }
    let updated = changes.updates.map { object(for: $0.objectID) }
    for (object, insert) in zip(inserted, changes.inserts) {
      take(insert.values.enumerated().map { ($0, $1) }, on: object)
    }
    for (object, update) in zip(updated, changes.updates) { take(update.values, on: object) }
    for link in changes.links { take(link) }
    for link in changes.orderedLinks {
      object(for: link.owner).setOrdered(link.slot, link.members.map(object(for:)))
    }
    for delete in changes.deletes { self.delete(object(for: delete.objectID)) }
    processPendingChanges()
    try throwAccessError()
    saveListeners.tell(SaveNotice(save))
    return try (inserted + updated).map { object in
      try image(of: object) ?? .values([], version: 0)
    }
  }

  private func take(_ values: [(slot: Int, value: Value)], on object: ManagedObject) {
    for (slot, value) in values {
      let property = object.entity.properties[slot]
      if property.isToMany || object.entity.definition.transientSlots.contains(slot) { continue }
      if property.isToOne {
        guard case .objectID(let target) = value else {
          object.connect(slot, to: nil)
          continue
        }
        object.connect(slot, to: self.object(for: target))
      } else {
        object.setValue(value, at: slot)
      }
    }
  }

  private func take(_ link: ChangeSet.Link) {
    let owner = object(for: link.owner)
    for member in link.removed { owner.disconnect(link.slot, from: object(for: member)) }
    for member in link.added { owner.connect(link.slot, to: object(for: member)) }
  }
}

/// A parent context as the place that a child's objects come from.
private final class ParentBacking: ContextBacking {
  private let parent: ManagedObjectContext

  init(parent: ManagedObjectContext) { self.parent = parent }

  var model: ManagedObjectModel { parent.model }

  var storeIdentifier: StoreIdentifier { parent.backing.storeIdentifier }

  func newObjectID(for entity: Entity) throws -> ManagedObjectID {
    try parent.backing.newObjectID(for: entity)
  }

  func images(_ query: StoreQuery) throws -> [ObjectImageWithID] {
    try parent.performAndWait {
      try parent.objects(request(query)).compactMap { object in
        try parent.image(of: object).map { .init(objectID: object.objectID, image: $0) }
      }
    }
  }

  func objectIDs(_ query: StoreQuery) throws -> [ManagedObjectID] {
    try parent.performAndWait { try parent.objectIDs(request(query)) }
  }

  func count(_ query: StoreQuery) throws -> Int {
    try parent.performAndWait { try parent.count(request(query)) }
  }

  func images(for objectIDs: [ManagedObjectID]) throws -> [ObjectImage?] {
    try parent.performAndWait {
      let objects = objectIDs.map(parent.object(for:))
      try parent.bringIn(objectIDs)
      return try objects.map(parent.image(of:))
    }
  }

  func members(
    of relationship: Property, owner: ManagedObjectID
  ) throws -> [ManagedObjectID] {
    try parent.performAndWait {
      let members = parent.object(for: owner).memberIDs(relationship.slot)
      try parent.throwAccessError()
      return members.filter { parent.registry[$0]?.isDeleted != true }
    }
  }

  func commit(_ save: ContextSave) throws -> [ObjectImage] {
    try parent.performAndWait { try parent.apply(save) }
  }

  private func request(_ query: StoreQuery) -> BoundRequest {
    BoundRequest(entity: query.entity, query: query, includesPendingChanges: true)
  }
}

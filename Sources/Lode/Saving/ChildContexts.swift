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
    return presentImage(of: object)
  }

  private func presentImage(of object: ManagedObject) -> ObjectImage? {
    guard !object.isDeleted else { return nil }
    if object.pendingValues == nil, object.transientValues.isEmpty, let image = object.image {
      return image
    }
    let values = object.entity.properties.map { property in
      property.isToMany ? .null : object.currentValue(at: property.slot)
    }
    return .values(values, version: object.image?.version ?? 0)
  }

  /// Carries out a child's save on this context's objects: all of it, or, when it throws, nothing.
  ///
  /// - Throws: `MergeConflictError` when this context deleted what the child changed, or changed the same
  ///   values since the child read them; what reading the objects concerned met.
  fileprivate func apply(_ save: ContextSave) throws -> [ObjectImage] {
    let changes = save.changes
    let present = try objects(concernedBy: changes)
    let conflicts = conflicts(of: save)
    if !conflicts.isEmpty { throw MergeConflictError(conflicts) }
    // From here on nothing throws: an error that a property access meets is kept for this context's own
    // next fetch or save.
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
    withExtendedLifetime(present) { processPendingChanges() }
    saveListeners.tell(SaveNotice(save))
    return (inserted + updated).map { presentImage(of: $0) ?? .values([], version: 0) }
  }

  /// Brings in the objects that a child's save changes or leads to, so that applying it reads nothing.
  private func objects(concernedBy changes: ChangeSet) throws -> [ManagedObject] {
    var concerned = changes.updates.map(\.objectID) + changes.deletes.map(\.objectID)
    for values in changes.inserts.map(\.values) + changes.updates.map({ $0.values.map(\.value) }) {
      for case .objectID(let target) in values { concerned.append(target) }
    }
    for link in changes.links { concerned += [link.owner] + link.added + link.removed }
    for link in changes.orderedLinks { concerned += [link.owner] + link.members }
    let inserted = Set(changes.inserts.map(\.objectID))
    let objects = Set(concerned).subtracting(inserted).sorted().map(object(for:))
    try bringIn(objects.map(\.objectID))
    for link in changes.orderedLinks where !inserted.contains(link.owner) {
      _ = object(for: link.owner).memberIDs(link.slot)
    }
    try throwAccessError()
    return objects
  }

  private func conflicts(of save: ContextSave) -> [Conflict] {
    let changes = save.changes
    var conflicts: [Conflict] = []
    for insert in changes.inserts {
      conflicts += danglingReferences(of: insert.objectID, Array(insert.values.enumerated()))
    }
    for (update, seen) in zip(changes.updates, save.seenValues) {
      let object = object(for: update.objectID)
      if object.isDeleted {
        conflicts.append(Conflict(update.objectID, .deleted))
        continue
      }
      let properties = changedProperties(of: object, since: seen, update)
      if !properties.isEmpty {
        conflicts.append(Conflict(update.objectID, .changed(properties: properties)))
      }
      conflicts += danglingReferences(
        of: update.objectID, update.values.map { ($0.slot, $0.value) })
    }
    let owners = changes.links.map(\.owner) + changes.orderedLinks.map(\.owner)
    let named = Set(conflicts.map(\.objectID))
    conflicts += Set(owners).subtracting(named).sorted().filter(isKnownDeleted).map {
      Conflict($0, .deleted)
    }
    return conflicts
  }

  /// Returns the names of the properties that the child changes and that aren't here what it saw.
  private func changedProperties(
    of object: ManagedObject, since seen: [Int: Value], _ update: ChangeSet.Update
  ) -> [String] {
    let saved = Dictionary(update.values.map { ($0.slot, $0.value) }, uniquingKeysWith: { $1 })
    return seen.keys.sorted().filter { slot in
      let property = object.entity.properties[slot]
      let now =
        property.isToMany
        ? Value.list(object.memberIDs(slot).map(Value.objectID)) : object.currentValue(at: slot)
      return now != seen[slot] && now != saved[slot]
    }.map { object.entity.properties[$0].name }
  }

  private func danglingReferences(
    of objectID: ManagedObjectID, _ values: [(Int, Value)]
  ) -> [Conflict] {
    values.compactMap { slot, value in
      guard case .objectID(let target) = value, isKnownDeleted(target) else { return nil }
      let (entity, _) = objectClass(of: objectID.entityName)
      return Conflict(
        objectID,
        .targetDeleted(relationship: entity.properties[slot].name, target: target))
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

  func keeps(_ objectID: ManagedObjectID) -> Bool { parent.backing.keeps(objectID) }

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
      return members.filter { !parent.isKnownDeleted($0) }
    }
  }

  func commit(_ save: ContextSave) throws -> [ObjectImage] {
    try parent.performAndWait { try parent.apply(save) }
  }

  private func request(_ query: StoreQuery) -> BoundRequest {
    BoundRequest(entity: query.entity, query: query, includesPendingChanges: true)
  }
}

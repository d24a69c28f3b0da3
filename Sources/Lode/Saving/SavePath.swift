import LodeModel
public import LodeStore

// A save, step by step: end the cycle of pending changes; let objects prepare; validate; build the
// change set; commit it to the backing; take over the new rows; tell the objects.

extension ManagedObjectContext {
  /// Saves all changes to the store, or to the parent context: all of them or none.
  ///
  /// When it throws, nothing was written and the context still has all of its changes. Without changes
  /// it does nothing.
  ///
  /// - Parameter durability: what shall have happened to the changes when the call returns; nil for what
  ///   the store was opened with. A save to a parent context stores nothing and has none.
  /// - Complexity: the changed objects; one sync of the journal, shared with concurrent saves.
  /// - Throws: `ValidationError` with every failure, `MergeConflictError` when rows were changed elsewhere
  ///   or constraints would break, `StoreError` when the store can't be written, and what a property
  ///   access met before (`StoreError` with code `corrupt`, mostly).
  public func save(durability: Durability? = nil) throws {
    checkConfinement()
    try throwAccessError()
    processPendingChanges()
    guard hasChanges else { return }
    let (inserted, updated, deleted) = try prepareObjects()
    try validate(inserted + updated, deleting: deleted)
    var save = buildSave(inserting: inserted, updating: updated, deleting: deleted)
    save.changes.durability = durability
    let images = save.changes.isEmpty ? [] : try commit(save)
    let imaged = inserted + updated.filter(hasNewImage(in: save))
    for (object, image) in zip(imaged, images) { object.image = image }
    settle(inserted + updated, deleted)
    for link in save.changes.orderedLinks {
      // The store keeps the other side in step, here it is asked for anew.
      for memberID in link.members { registry[memberID]?.forgetStoredMembers() }
    }
    saveListeners.tell(SaveNotice(save))
    for object in inserted + updated + deleted { object.didSave() }
  }

  private typealias ChangedObjects = (
    inserted: [ManagedObject], updated: [ManagedObject], deleted: [ManagedObject]
  )

  private func changedObjects() -> ChangedObjects {
    func ordered(_ objects: [ManagedObjectID: ManagedObject]) -> [ManagedObject] {
      objects.sorted { $0.key.number < $1.key.number }.map(\.value)
    }
    return (ordered(inserted), ordered(updated), ordered(deleted))
  }

  /// Calls `willSave` on every changed object, and on those that these calls change in turn; returns the
  /// objects to save.
  private func prepareObjects() throws -> ChangedObjects {
    var prepared: Set<ManagedObject> = []
    var changed = changedObjects()
    var waiting = changed.inserted + changed.updated + changed.deleted
    while !waiting.isEmpty {
      for object in waiting { object.willSave() }
      // What the hooks changed is in this cycle, for the last one ended before them.
      if touches.isEmpty { break }
      processPendingChanges()
      prepared.formUnion(waiting)
      changed = changedObjects()
      waiting = (changed.inserted + changed.updated + changed.deleted).filter {
        !prepared.contains($0)
      }
    }
    try throwAccessError()
    return changed
  }

  private func validate(_ objects: [ManagedObject], deleting deleted: [ManagedObject]) throws {
    let failures =
      deleted.flatMap { $0.denialFailures() } + objects.flatMap { $0.validationFailures() }
    try throwAccessError()
    if !failures.isEmpty { throw ValidationError(failures: failures) }
  }

  private func commit(_ save: ContextSave) throws -> [ObjectImage] {
    do {
      return try backing.commit(save)
    } catch let error as StoreError {
      throw MergeConflictError(error, naming: changedProperties) ?? error
    }
  }

  /// Returns the names of the properties of an object whose row has other values by now; none when it can't
  /// be read.
  private func changedProperties(of objectID: ManagedObjectID) -> [String] {
    guard let object = registry[objectID], object.image != nil,
      let row = try? backing.images(for: [objectID]).first ?? nil
    else { return [] }
    return object.entity.properties.filter { property in
      !property.isToMany
        && (try? row.value(at: property.slot)) != object.imageValue(at: property.slot)
    }.map(\.name)
  }

  private func hasNewImage(in save: ContextSave) -> (ManagedObject) -> Bool {
    let changed = Set(save.changes.updates.map(\.objectID))
    return { changed.contains($0.objectID) }
  }

  /// Makes what was pending the saved state.
  private func settle(_ saved: [ManagedObject], _ removed: [ManagedObject]) {
    for object in saved {
      object.status.remove(.inserted)
      object.pendingValues = nil
      for (slot, state) in object.toManyStates {
        let stored = state.stored.map(state.members(of:))
        object.toManyStates[slot] = ToManyState(stored: stored)
      }
    }
    for object in removed { object.becomeGone() }
    inserted = [:]
    updated = [:]
    deleted = [:]
  }
}

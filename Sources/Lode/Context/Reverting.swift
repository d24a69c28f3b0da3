import LodeModel

extension ManagedObjectContext {
  /// Forgets everything that was not saved: inserted objects vanish, deleted ones are back, changed ones
  /// have their saved values.
  public func rollback() {
    checkConfinement()
    for object in inserted.values {
      touch(object, existed: !object.status.contains(.unannounced))
      object.status.insert(.deleted)
    }
    for object in deleted.values {
      touch(object, existed: false)
      object.status.remove(.deleted)
      revert(object)
    }
    for object in updated.values { revert(object) }
    inserted = [:]
    updated = [:]
    deleted = [:]
    accessError = nil
    processPendingChanges()
  }

  /// Takes back an object's pending values and members.
  private func revert(_ object: ManagedObject) {
    for property in object.entity.properties {
      let slot = property.slot
      if property.isToMany {
        guard object.toManyStates[slot]?.hasChanges == true else { continue }
        self.object(object, willChangeMembersAt: slot)
        object.toManyStates[slot]?.forgetChanges()
      } else if let value = object.pendingValues?[slot] {
        self.object(object, willChange: slot, from: value)
      }
    }
    object.pendingValues = nil
    updated[object.objectID] = nil
    forgetTransientValues(of: object)
  }

  /// Brings an object up to date with its row.
  ///
  /// - Parameters:
  ///   - object: an object of this context; one that was never saved stays as it is.
  ///   - mergeChanges: true reads the row now and keeps unsaved changes; false drops them, on both sides
  ///     of relationships, and makes the object a fault. Links to objects that this context deletes stay
  ///     cut.
  ///
  /// It ends the cycle of pending changes. Where fetched results or other observers follow the context,
  /// the row is read at once in either case, so that they hear of what differs.
  ///
  /// - Throws: `StoreError` when the row can't be read; the object keeps its changes then.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    checkConfinement()
    guard !object.isInserted, !object.isDeleted else { return }
    object.forgetStoredMembers()
    if mergeChanges || object.hasPendingEdits || isObserved { try reloadAndAnnounce([object]) }
    if mergeChanges || object.isDeleted { return }
    takeBackChanges(of: object)
    processPendingChanges()
    if !object.hasPendingEdits, !isObserved { object.becomeFault() }
  }

  /// Brings every object up to date: changed ones keep their changes, clean ones become faults.
  ///
  /// It ends the cycle of pending changes. Where fetched results or other observers follow the context,
  /// the rows of clean objects are read at once too, so that they hear of what differs.
  public func refreshAllObjects() throws {
    checkConfinement()
    let clean = registry.objects.filter { !$0.hasChanges && !$0.isDeleted }
    for object in clean where !isObserved { object.becomeFault() }
    let read = Array(updated.values) + (isObserved ? clean : [])
    for object in read { object.forgetStoredMembers() }
    try reloadAndAnnounce(read)
  }

  private func reloadAndAnnounce(_ objects: [ManagedObject]) throws {
    processPendingChanges()
    var change = ContextChange()
    try reload(objects, into: &change)
    upholdPendingLinks(concerning: Set(objects.map(\.objectID)))
    announce(change)
    processPendingChanges()
  }

  /// Forgets all objects and changes; objects that are still held answer nil and belong to no context.
  public func reset() {
    checkConfinement()
    for object in registry.objects {
      object.becomeGone()
      object.host = nil
    }
    registry.removeAll()
    inserted = [:]
    updated = [:]
    deleted = [:]
    touches = [:]
    prefetched = []
    accessError = nil
    var change = ContextChange()
    change.invalidatesAll = true
    announce(change)
  }
}

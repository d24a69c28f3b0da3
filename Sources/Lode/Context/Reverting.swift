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
  }

  /// Brings an object up to date with its row.
  ///
  /// - Parameters:
  ///   - object: an object of this context; one that was never saved stays as it is.
  ///   - mergeChanges: true reads the row now and keeps unsaved changes; false drops them and makes the
  ///     object a fault.
  public func refresh(_ object: ManagedObject, mergeChanges: Bool) throws {
    checkConfinement()
    guard !object.isInserted, !object.isDeleted else { return }
    object.forgetStoredMembers()
    guard mergeChanges else {
      revert(object)
      object.becomeFault()
      return
    }
    var change = ContextChange()
    try reload([object], into: &change)
    announce(change)
  }

  /// Makes every clean object a fault and brings changed ones up to date, keeping their changes.
  public func refreshAllObjects() throws {
    checkConfinement()
    processPendingChanges()
    for object in registry.objects where !object.hasChanges && !object.isDeleted {
      object.becomeFault()
    }
    for object in updated.values { try refresh(object, mergeChanges: true) }
  }

  /// Forgets all objects and changes; objects that are still held answer nil and belong to no context.
  public func reset() {
    checkConfinement()
    for object in registry.objects {
      object.becomeGone()
      object.host = nil
    }
    registry.forgetAll()
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

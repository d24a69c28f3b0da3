import Dispatch
import LodeModel
import LodeStore

extension ManagedObjectContext {
  /// Takes in what another context saved: registered objects get their new values and keep unsaved
  /// changes, deleted ones become deleted, and fetched results see rows that came, changed and went.
  ///
  /// - Throws: `StoreError` when the changed rows can't be read.
  public func mergeChanges(from notice: SaveNotice) throws {
    checkConfinement()
    guard notice.contextID != contextID else { return }
    processPendingChanges()
    var change = ContextChange()
    change.insertedIDs = notice.inserted.filter { registry[$0] == nil }
    change.updatedIDs = notice.updated.filter { registry[$0] == nil }
    mergeDeletions(notice.deleted, into: &change)
    for objectID in notice.related { forgetStoredMembers(of: objectID, into: &change) }
    let registered = (notice.updated + notice.inserted).compactMap { registry[$0] }
    for object in registered { forgetStoredMembers(of: object.objectID) }
    try reload(registered, into: &change)
    upholdPendingLinks(
      concerning: Set(notice.inserted + notice.updated + notice.related))
    announce(change)
    processPendingChanges()
    saveListeners.tell(notice)
  }

  private func mergeDeletions(_ objectIDs: [ManagedObjectID], into change: inout ContextChange) {
    for objectID in objectIDs {
      guard let object = registry[objectID] else {
        change.deletedIDs.append(objectID)
        continue
      }
      if !object.isDeleted { change.deleted.append(object) }
      inserted[objectID] = nil
      updated[objectID] = nil
      deleted[objectID] = nil
      object.becomeGone()
    }
    if !objectIDs.isEmpty { dropPendingLinks(to: Set(objectIDs)) }
  }

  /// Takes back unsaved links to objects that are gone.
  ///
  /// Relationships that may lead to such objects (no inverse, or one with the rule `noAction`) stay.
  private func dropPendingLinks(to gone: Set<ManagedObjectID>) {
    for object in Array(inserted.values) + Array(updated.values) {
      for relationship in object.entity.properties {
        guard let inverse = object.entity.inverse(of: relationship)?.relationship,
          inverse.deleteRule != .noAction
        else { continue }
        let slot = relationship.slot
        if relationship.isToOne {
          guard case .objectID(let target)? = object.pendingValues?[slot], gone.contains(target)
          else { continue }
          object.setValue(.null, at: slot)
        } else if let joined = object.toManyStates[slot]?.added, !joined.isDisjoint(with: gone) {
          if relationship.isOrdered { _ = object.memberIDs(slot) }
          object.changeMembers(slot) { state in
            for member in joined.intersection(gone) { state.takeBack(member) }
          }
        }
      }
    }
  }

  private func forgetStoredMembers(of objectID: ManagedObjectID) {
    guard let object = registry[objectID], !object.isInserted else { return }
    object.forgetStoredMembers()
    for (slot, state) in object.toManyStates where state.hasChanges { _ = object.memberIDs(slot) }
    objectDidChange(object)
  }

  /// Reports an object whose members changed by the other side alone.
  private func forgetStoredMembers(
    of objectID: ManagedObjectID, into change: inout ContextChange
  ) {
    forgetStoredMembers(of: objectID)
    guard let object = registry[objectID] else { return change.updatedIDs.append(objectID) }
    if !object.isDeleted { change.updated.append(object) }
  }

  /// Gives objects the present images of their rows and reports those whose values differ; unsaved
  /// changes stay.
  func reload(_ objects: [ManagedObject], into change: inout ContextChange) throws {
    let objects = objects.filter { !$0.isDeleted }
    let images = try backing.images(for: objects.map(\.objectID))
    var reported = Set(change.updated)
    var gone: Set<ManagedObjectID> = []
    for (object, image) in zip(objects, images) {
      guard let image else {
        object.status.insert(.gone)
        updated[object.objectID] = nil
        change.deleted.append(object)
        gone.insert(object.objectID)
        continue
      }
      let differs = object.isFault || differ(object, image)
      object.image = image
      dropPendingValues(of: object)
      if differs, reported.insert(object).inserted { change.updated.append(object) }
    }
    for object in objects where object.pendingValues != nil { upholdPendingLinks(of: object) }
    if !gone.isEmpty { dropPendingLinks(to: gone) }
  }

  /// Makes the other side of unsaved links agree, where either side has been brought up to date.
  func upholdPendingLinks(concerning objectIDs: Set<ManagedObjectID>) {
    for object in Array(inserted.values) + Array(updated.values) {
      let isConcerned = objectIDs.contains(object.objectID)
      for relationship in object.entity.properties {
        guard let inverse = object.entity.inverse(of: relationship) else { continue }
        if relationship.isToOne {
          guard case .objectID(let target)? = object.pendingValues?[relationship.slot],
            isConcerned || objectIDs.contains(target)
          else { continue }
          uphold(object, isMember: true, of: target, inverse)
        } else if let state = object.toManyStates[relationship.slot], state.hasChanges {
          for memberID in state.added.union(state.removed)
          where isConcerned || objectIDs.contains(memberID) {
            uphold(object, isMember: state.added.contains(memberID), of: memberID, inverse)
          }
        }
      }
    }
  }

  private func uphold(
    _ object: ManagedObject, isMember: Bool, of ownerID: ManagedObjectID, _ relationship: Property
  ) {
    let owner = self.object(for: ownerID)
    owner.fulfill()
    guard !owner.isDeleted,
      owner.destinationIDs(relationship).contains(object.objectID) != isMember
    else { return }
    if isMember {
      // A partner that can have only one leaves the one it has.
      if relationship.isToOne, let back = owner.entity.inverse(of: relationship) {
        for old in owner.destinationIDs(relationship) {
          self.object(for: old).dropLink(back, to: ownerID)
        }
      }
      owner.addLink(relationship, to: object.objectID)
    } else {
      owner.dropLink(relationship, to: object.objectID)
    }
  }

  /// Tells whether an image changes a value that the object shows.
  private func differ(_ object: ManagedObject, _ image: ObjectImage) -> Bool {
    object.entity.properties.contains { property in
      guard !property.isToMany, object.pendingValues?[property.slot] == nil else { return false }
      guard let value = try? image.value(at: property.slot) else { return true }
      return value != object.imageValue(at: property.slot)
    }
  }

  /// Takes an object out of what the rows of others say of it by now, where its own unsaved value leads
  /// elsewhere.
  private func upholdPendingLinks(of object: ManagedObject) {
    guard let pending = object.pendingValues else { return }
    for relationship in object.entity.properties where relationship.isToOne {
      guard pending[relationship.slot] != nil,
        let inverse = object.entity.inverse(of: relationship),
        case .objectID(let stored) = object.imageValue(at: relationship.slot)
      else { continue }
      self.object(for: stored).dropLink(inverse, to: object.objectID)
    }
  }

  /// Forgets pending values that the row has by now.
  private func dropPendingValues(of object: ManagedObject) {
    guard let pending = object.pendingValues else { return }
    for (slot, value) in pending.enumerated() {
      if let value, value == object.imageValue(at: slot) { object.pendingValues?[slot] = nil }
    }
    objectDidChange(object)
  }
}

extension ManagedObjectContext: SaveListener {
  /// Queues the merge of another context's save where merging is automatic.
  package func didSave(_ notice: SaveNotice) {
    guard notice.contextID != contextID, automaticallyMergesChangesFromParent else { return }
    enqueue {
      do {
        try self.mergeChanges(from: notice)
      } catch {
        self.accessDidFail(error, on: notice.updated.first ?? notice.inserted.first)
      }
    }
  }
}

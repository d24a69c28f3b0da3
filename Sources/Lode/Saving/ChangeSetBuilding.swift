import LodeModel
import LodeStore

// From a context's changed objects to what a store is asked.

extension ManagedObjectContext {
  /// Returns the changes of a save, each list in the order of object numbers.
  func buildSave(
    inserting inserted: [ManagedObject], updating updated: [ManagedObject],
    deleting deleted: [ManagedObject]
  ) -> ContextSave {
    var changes = ChangeSet()
    changes.inserts.reserveCapacity(inserted.count)
    for object in inserted { changes.inserts.append(insert(of: object)) }
    var seenValues: [[Int: Value]] = []
    for object in updated {
      let update = update(of: object)
      guard !update.values.isEmpty || object.hasOrderChanges else { continue }
      changes.updates.append(update)
      if parent != nil { seenValues.append(seen(by: object, in: update)) }
    }
    for object in deleted {
      changes.deletes.append(
        .init(objectID: object.objectID, baseVersion: object.image?.version ?? 0))
    }
    var relatedIDs: [ManagedObjectID] = []
    for object in inserted + updated where !object.toManyStates.isEmpty {
      let isChangedByInverseAlone = addLinks(of: object, to: &changes)
      if isChangedByInverseAlone { relatedIDs.append(object.objectID) }
    }
    return ContextSave(
      contextID: contextID, changes: changes, seenValues: seenValues, relatedIDs: relatedIDs)
  }

  private func insert(of object: ManagedObject) -> ChangeSet.Insert {
    let values = object.pendingValues ?? []
    return .init(objectID: object.objectID, values: values.map { $0 ?? .null })
  }

  private func update(of object: ManagedObject) -> ChangeSet.Update {
    var values: [(slot: Int, value: Value)] = []
    for (slot, value) in (object.pendingValues ?? []).enumerated() {
      if let value { values.append((slot, value)) }
    }
    return .init(
      objectID: object.objectID, baseVersion: object.image?.version ?? 0, values: values)
  }

  private func seen(by object: ManagedObject, in update: ChangeSet.Update) -> [Int: Value] {
    var seen: [Int: Value] = [:]
    for (slot, _) in update.values { seen[slot] = object.imageValue(at: slot) }
    for (slot, state) in object.toManyStates where state.order != nil {
      seen[slot] = .list((state.stored ?? []).map(Value.objectID))
    }
    return seen
  }

  /// Adds the changed members of an object's to-many relationships, but for those that follow from
  /// their members' to-one relationships; tells whether there are such.
  private func addLinks(of object: ManagedObject, to changes: inout ChangeSet) -> Bool {
    var isChangedByInverse = false
    for (slot, state) in object.toManyStates.sorted(by: { $0.key < $1.key }) where state.hasChanges
    {
      let relationship = object.entity.properties[slot]
      if relationship.isOrdered {
        changes.orderedLinks.append(
          .init(
            owner: object.objectID, slot: slot,
            members: object.memberIDs(slot).filter(isNotDeleted)))
      } else if object.entity.inverse(of: relationship)?.isToOne ?? false {
        isChangedByInverse = true
      } else {
        changes.links.append(
          .init(
            owner: object.objectID, slot: slot,
            added: state.added.filter(isNotDeleted).sorted(), removed: state.removed.sorted()))
      }
    }
    return isChangedByInverse
  }

  private func isNotDeleted(_ objectID: ManagedObjectID) -> Bool {
    !isKnownDeleted(objectID)
  }
}

extension ManagedObject {
  /// Whether an ordered relationship was changed, which advances the object's version.
  fileprivate var hasOrderChanges: Bool {
    toManyStates.contains { $0.value.order != nil }
  }
}

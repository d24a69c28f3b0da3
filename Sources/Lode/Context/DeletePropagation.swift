import LodeModel

extension ManagedObjectContext {
  /// Deletes an object with the next save, and at once follows the delete rules of its relationships.
  ///
  /// Cascaded objects are deleted and nullified ones changed when the call returns; a relationship that
  /// denies the deletion is judged by the save, after all cascades. A new object that was never saved
  /// just vanishes.
  ///
  /// - Complexity: the objects at the other ends of the object's relationships, which are brought in.
  public func delete(_ object: ManagedObject) {
    checkConfinement()
    precondition(
      object.host === self,
      "\(object) belongs to context \(object.host?.hostName ?? "(none)"), not to “\(name)”")
    var waiting = [object]
    while let next = waiting.popLast() {
      guard !next.isDeleted else { continue }
      next.prepareForDeletion()
      next.fulfill()
      guard !next.isDeleted else { continue }
      for property in next.entity.properties where property.isRelationship {
        waiting += followDeleteRule(of: property, from: next)
      }
      markDeleted(next)
    }
  }

  /// Returns the objects that a relationship's delete rule deletes as well.
  private func followDeleteRule(
    of relationship: Property, from object: ManagedObject
  ) -> [ManagedObject] {
    // Members may have joined in other contexts since they were last asked for.
    if !object.status.contains(.inserted) { object.toManyStates[relationship.slot]?.forgetStored() }
    switch relationship.relationship?.deleteRule {
    case .cascade:
      return objectsReadTogether(object.destinationIDs(relationship))
    case .nullify:
      guard let inverse = object.entity.inverse(of: relationship) else { return [] }
      for objectID in object.destinationIDs(relationship) {
        self.object(for: objectID).dropLink(inverse, to: object.objectID)
      }
      return []
    default: return []
    }
  }

  /// Returns the objects of IDs, such that the first fault to fire brings in all of their rows.
  private func objectsReadTogether(_ objectIDs: [ManagedObjectID]) -> [ManagedObject] {
    guard objectIDs.count > 1 else { return objectIDs.map(object(for:)) }
    return faults(FaultBatch(objectIDs: objectIDs, batchSize: objectIDs.count))
  }

  private func markDeleted(_ object: ManagedObject) {
    touch(object, existed: !object.status.contains(.unannounced))
    object.status.insert(.deleted)
    updated[object.objectID] = nil
    if inserted.removeValue(forKey: object.objectID) == nil {
      deleted[object.objectID] = object
    }
  }
}

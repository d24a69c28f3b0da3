import LodeModel

// Taking back one object's unsaved changes. A relationship has two sides, so that the other objects take
// back their part of each link as well; what they changed besides stays.

extension ManagedObjectContext {
  /// Gives an object its saved values and links again, and the objects at the other ends theirs.
  ///
  /// Links to objects that this context deletes stay cut.
  func takeBackChanges(of object: ManagedObject) {
    for property in object.entity.properties {
      switch property.kind {
      case .attribute where object.pendingValues?[property.slot] != nil:
        object.setValue(object.imageValue(at: property.slot), at: property.slot)
      case .relationship where property.isToOne: takeBackPartner(property, of: object)
      case .relationship: takeBackMembers(property, of: object)
      default: continue
      }
    }
    forgetTransientValues(of: object)
  }

  /// Lets an object work its transient values out anew.
  func forgetTransientValues(of object: ManagedObject) {
    guard !object.transientValues.isEmpty else { return }
    object.transientValues = [:]
    if object.image != nil { object.awakeFromFetch() }
  }

  /// Makes a to-one relationship lead where it led when it was saved.
  private func takeBackPartner(_ relationship: Property, of object: ManagedObject) {
    object.fulfill()
    guard object.pendingValues?[relationship.slot] != nil else { return }
    let inverse = object.entity.inverse(of: relationship)
    let now = partner(object.currentValue(at: relationship.slot))
    let saved = savedPartner(relationship, of: object)
    object.setValue(saved.map { .objectID($0.objectID) } ?? .null, at: relationship.slot)
    guard let inverse else { return }
    if let now, now !== saved { leave(now, by: inverse, object) }
    if let saved { rejoin(saved, by: inverse, object) }
  }

  /// Takes an object out of the other side of a link that was never saved.
  private func leave(_ other: ManagedObject, by inverse: Property, _ object: ManagedObject) {
    if inverse.isToMany { return takeBackMember(object, inverse, of: other) }
    guard case .objectID(object.objectID) = other.currentValue(at: inverse.slot) else { return }
    // The one that had to make room comes back, unless it found another partner meanwhile.
    let relationship = other.entity.inverse(of: inverse)
    if let relationship, let former = savedPartner(inverse, of: other), former !== object,
      former.currentValue(at: relationship.slot).isNull
    {
      other.setValue(.objectID(former.objectID), at: inverse.slot)
      former.setValue(.objectID(other.objectID), at: relationship.slot)
    } else {
      other.setValue(.null, at: inverse.slot)
    }
  }

  /// Puts an object into the other side of a saved link again.
  private func rejoin(_ other: ManagedObject, by inverse: Property, _ object: ManagedObject) {
    if inverse.isToMany { return takeBackMember(object, inverse, of: other) }
    let usurper = partner(other.currentValue(at: inverse.slot))
    other.setValue(.objectID(object.objectID), at: inverse.slot)
    if let usurper, usurper !== object, let relationship = other.entity.inverse(of: inverse) {
      usurper.setValue(.null, at: relationship.slot)
    }
  }

  private func takeBackMembers(_ relationship: Property, of object: ManagedObject) {
    let slot = relationship.slot
    if relationship.isOrdered { _ = object.memberIDs(slot) }
    guard let state = object.toManyStates[slot], state.hasChanges else { return }
    let inverse = object.entity.inverse(of: relationship)
    for memberID in state.added.union(state.removed).sorted() {
      let member = self.object(for: memberID)
      if member.isDeleted { continue }
      if let inverse, inverse.isToOne {
        takeBackPartner(inverse, of: member)
      } else if let inverse {
        takeBackMember(object, inverse, of: member)
      }
      takeBackMember(member, relationship, of: object)
    }
    guard relationship.isOrdered, object.toManyStates[slot]?.order != nil else { return }
    object.changeMembers(slot) { $0.takeBackOrder() }
  }

  private func takeBackMember(
    _ member: ManagedObject, _ relationship: Property, of owner: ManagedObject
  ) {
    guard owner.toManyStates[relationship.slot]?.concerns(member.objectID) ?? false else { return }
    // An order is taken back against the saved one.
    if relationship.isOrdered { _ = owner.memberIDs(relationship.slot) }
    owner.changeMembers(relationship.slot) { $0.takeBack(member.objectID) }
  }

  private func savedPartner(_ relationship: Property, of object: ManagedObject) -> ManagedObject? {
    object.fulfill()
    return partner(object.imageValue(at: relationship.slot))
  }

  /// Returns the object that a to-one relationship's value names; nil when it is deleted.
  private func partner(_ value: Value) -> ManagedObject? {
    guard case .objectID(let objectID) = value else { return nil }
    let object = self.object(for: objectID)
    object.fulfill()
    return object.isDeleted ? nil : object
  }
}

package import LodeModel

// Reading and setting relationships, and keeping both sides of each in step.

extension ManagedObject {
  /// Returns the object at the other end of a to-one relationship; nil when there is none or when it is
  /// deleted.
  ///
  /// The object's own fault is fired only where the relationship can lead to a row that is gone: without
  /// an inverse, or with one whose delete rule is `noAction`.
  public final func toOne<T: ManagedObject>(_ slot: Int) -> T? {
    guard case .objectID(let objectID) = currentValue(at: slot),
      let object = host?.object(for: objectID)
    else { return nil }
    let inverse = entity.inverse(of: entity.properties[slot])
    if inverse?.relationship?.deleteRule ?? .noAction == .noAction { object.fulfill() }
    return object.isDeleted ? nil : object as? T
  }

  /// Sets a to-one relationship and its inverse; the old partner is let go.
  public final func setToOne<T: ManagedObject>(_ slot: Int, _ object: T?) {
    connect(slot, to: object)
  }

  /// Returns the members of an unordered to-many relationship.
  ///
  /// - Complexity: one pass over the members; asks the store once.
  public final func toMany<T: ManagedObject>(_ slot: Int) -> Set<T> {
    Set(memberObjects(slot).lazy.compactMap { $0 as? T })
  }

  /// Makes these the members of an unordered to-many relationship.
  public final func setToMany<T: ManagedObject>(_ slot: Int, _ objects: Set<T>) {
    let members = Set(memberObjects(slot))
    for object in members where !objects.contains(where: { $0 === object }) {
      disconnect(slot, from: object)
    }
    for object in objects where !members.contains(object) { connect(slot, to: object) }
  }

  /// Returns the members of an ordered to-many relationship in their order.
  public final func ordered<T: ManagedObject>(_ slot: Int) -> [T] {
    memberObjects(slot).compactMap { $0 as? T }
  }

  /// Makes these the members of an ordered to-many relationship; of an object given twice the first counts.
  public final func setOrdered<T: ManagedObject>(_ slot: Int, _ objects: [T]) {
    var seen: Set<ManagedObject> = []
    let wanted = objects.filter { seen.insert($0).inserted }
    for object in memberObjects(slot) where !seen.contains(object) {
      disconnect(slot, from: object)
    }
    for object in wanted { connect(slot, to: object) }
    arrange(slot, wanted.map(\.objectID))
  }

  /// Adds one member without asking for the others.
  public final func add(_ object: ManagedObject, toMany slot: Int) { connect(slot, to: object) }

  /// Removes one member without asking for the others.
  public final func remove(_ object: ManagedObject, fromMany slot: Int) {
    disconnect(slot, from: object)
  }
}

extension ManagedObject {
  /// Returns the IDs of a to-many relationship's members, pending changes included; fires no fault.
  package final func memberIDs(_ slot: Int) -> [ManagedObjectID] {
    var state = toManyStates[slot] ?? ToManyState()
    if let stored = state.stored { return state.members(of: stored) }
    // An order is saved with the version of its owner's row, which has to be no newer than the order.
    if entity.properties[slot].isOrdered { fulfill() }
    let isNew = status.contains(.inserted)
    guard let stored = isNew ? [] : host?.storedMembers(of: entity.properties[slot], owner: self)
    else { return state.members(of: []) }
    state.takeStored(stored)
    toManyStates[slot] = state
    return state.members(of: stored)
  }

  /// Returns the members of a to-many relationship that aren't deleted, in its order.
  package final func memberObjects(_ slot: Int) -> [ManagedObject] {
    guard let host else { return [] }
    return memberIDs(slot).map(host.object(for:)).filter { !$0.isDeleted }
  }

  /// Returns the IDs at the other end of a relationship of either kind.
  package final func destinationIDs(_ relationship: Property) -> [ManagedObjectID] {
    if relationship.isToMany { return memberIDs(relationship.slot) }
    guard case .objectID(let objectID) = currentValue(at: relationship.slot) else { return [] }
    return [objectID]
  }

  /// Joins this object to another by one of its relationships and the other to it by the inverse.
  package final func connect(_ slot: Int, to object: ManagedObject?) {
    let relationship = entity.properties[slot]
    guard let object else { return disconnectPartner(relationship) }
    check(object, suits: relationship)
    let inverse = entity.inverse(of: relationship)
    if relationship.isToOne {
      if case .objectID(object.objectID) = currentValue(at: slot) { return }
      disconnectPartner(relationship)
    } else if let inverse, inverse.isToOne,
      case .objectID(objectID) = object.currentValue(at: inverse.slot)
    {
      return
    }
    // A partner that can have only one object on this side leaves the one it has.
    if let inverse, inverse.isToOne,
      case .objectID(let old) = object.currentValue(at: inverse.slot),
      old != objectID
    {
      host?.object(for: old).dropLink(relationship, to: object.objectID)
    }
    addLink(relationship, to: object.objectID)
    if let inverse { object.addLink(inverse, to: objectID) }
  }

  /// Parts this object from another one on both sides.
  package final func disconnect(_ slot: Int, from object: ManagedObject) {
    let relationship = entity.properties[slot]
    dropLink(relationship, to: object.objectID)
    if let inverse = entity.inverse(of: relationship) { object.dropLink(inverse, to: objectID) }
  }

  private func disconnectPartner(_ relationship: Property) {
    guard case .objectID(let old) = currentValue(at: relationship.slot) else { return }
    if let partner = host?.object(for: old) { disconnect(relationship.slot, from: partner) }
  }

  /// Adds a link on this side alone.
  package final func addLink(_ relationship: Property, to target: ManagedObjectID) {
    if relationship.isToOne { return setValue(.objectID(target), at: relationship.slot) }
    guard relationship.isOrdered else {
      return changeMembers(relationship.slot) { $0.add(target) }
    }
    let members = memberIDs(relationship.slot)
    if !members.contains(target) { arrange(relationship.slot, members + [target]) }
  }

  /// Takes a link away on this side alone.
  package final func dropLink(_ relationship: Property, to target: ManagedObjectID) {
    if relationship.isToOne {
      if case .objectID(target) = currentValue(at: relationship.slot) {
        setValue(.null, at: relationship.slot)
      }
    } else if relationship.isOrdered {
      arrange(relationship.slot, memberIDs(relationship.slot).filter { $0 != target })
    } else {
      changeMembers(relationship.slot) { $0.remove(target) }
    }
  }

  private func arrange(_ slot: Int, _ members: [ManagedObjectID]) {
    // Without the stored members, which the context's next fetch or save says, there is nothing to arrange.
    guard toManyStates[slot]?.stored != nil else { return }
    if memberIDs(slot) != members { changeMembers(slot) { $0.arrange(members) } }
  }

  /// Changes what is pending of a to-many relationship on this side alone.
  package final func changeMembers(_ slot: Int, _ change: (inout ToManyState) -> Void) {
    guard let host else { return }
    host.object(self, willChangeMembersAt: slot)
    let isNew = status.contains(.inserted)
    change(&toManyStates[slot, default: ToManyState(stored: isNew ? [] : nil)])
    host.objectDidChange(self)
  }

  private func check(_ object: ManagedObject, suits relationship: Property) {
    precondition(
      object.host === host,
      "\(description) of context \(host?.hostName ?? "(none)") can't be related to "
        + "\(object.description) of context \(object.host?.hostName ?? "(none)"): fetch the object in "
        + "the same context by its ID first")
    precondition(
      object.entity.isKind(of: entity.destination(of: relationship)),
      "\(entity.name).\(relationship.name) leads to "
        + "\(entity.destination(of: relationship).name), not to \(object.entity.name)")
  }
}

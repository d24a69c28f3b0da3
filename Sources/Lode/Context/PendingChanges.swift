package import LodeModel

/// What an object was before the current cycle of pending changes touched it.
struct Touch {
  let object: ManagedObject
  /// Whether observers know the object.
  let existed: Bool
  var oldValues: [Int: Value] = [:]
  var oldMembers: [Int: ToManyState] = [:]

  /// Tells whether one of the object's values differs from before the cycle.
  var differs: Bool {
    oldValues.contains { slot, value in object.currentValue(at: slot) != value }
      || oldMembers.contains { slot, old in
        let now = object.toManyStates[slot] ?? ToManyState()
        return now.added != old.added || now.removed != old.removed || now.order != old.order
      }
  }
}

extension ManagedObjectContext {
  /// Notes the value that a property had before the cycle.
  package func object(_ object: ManagedObject, willChange slot: Int, from old: Value) {
    checkConfinement()
    if object.status.contains(.unannounced) { return }
    touch(object, existed: true) {
      if $0.oldValues[slot] == nil { $0.oldValues[slot] = old }
    }
  }

  /// Notes the members that a relationship had before the cycle.
  package func object(_ object: ManagedObject, willChangeMembersAt slot: Int) {
    checkConfinement()
    if object.status.contains(.unannounced) { return }
    touch(object, existed: true) {
      if $0.oldMembers[slot] == nil {
        $0.oldMembers[slot] = object.toManyStates[slot] ?? ToManyState()
      }
    }
  }

  /// Keeps the set of updated objects true after a change.
  package func objectDidChange(_ object: ManagedObject) {
    if object.status.contains(.inserted) { return }
    if object.isUpdated {
      updated[object.objectID] = object
    } else {
      updated[object.objectID] = nil
    }
  }

  func touch(_ object: ManagedObject, existed: Bool, _ note: (inout Touch) -> Void = { _ in }) {
    note(&touches[object.objectID, default: Touch(object: object, existed: existed)])
  }

  /// Ends a cycle: tells observers the net changes since the last one.
  ///
  /// Saves, merges and the end of each `perform` block do it by themselves.
  public func processPendingChanges() {
    guard !touches.isEmpty else { return }
    announce(takeTouches())
  }

  func takeTouches() -> ContextChange {
    var change = ContextChange()
    for (_, touch) in touches.sorted(by: { $0.key < $1.key }) {
      switch (touch.existed, touch.object.isDeleted) {
      case (true, true): change.deleted.append(touch.object)
      case (false, false): change.inserted.append(touch.object)
      case (true, false): if touch.differs { change.updated.append(touch.object) }
      case (false, true): break
      }
    }
    for touch in touches.values { touch.object.status.remove(.unannounced) }
    touches = [:]
    return change
  }
}

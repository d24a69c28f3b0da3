internal import LodeKV
internal import LodeModel

/// Finds the objects of a commit whose relationships would say other than their inverses: another save came
/// between reading one side and reading the other.
///
/// Looked at are the inverses that are kept by themselves: to-one relationships of each other, and ordered
/// relationships whose members have a to-one relationship back. The others follow from one side.
struct InverseCheck {
  /// A to-one relationship whose inverse is kept by itself.
  private struct Guarded {
    let slot: Int
    let deleteRule: DeleteRule?
    /// The inverse, a to-one relationship or an ordered one.
    let inverse: Property
    /// The ordered inverse's tree.
    let tree: TreeID?
  }

  private struct ListKey: Hashable {
    let owner: ObjectReference
    let tree: TreeID
  }

  /// Who joins and leaves an ordered list by the columns of the commit.
  private struct Movement {
    let inverse: Property
    var joined: Set<ObjectReference> = []
    var left: Set<ObjectReference> = []
  }

  private let changes: PreparedChanges
  private let snapshot: any KeyValueSnapshot
  private let inserts: [UInt64: Int]
  private let deleted: Set<UInt64>
  private var plans: [UInt16: [Guarded]] = [:]
  private var movements: [ListKey: Movement] = [:]
  private var conflicts: [Conflict] = []

  init(_ changes: PreparedChanges, _ snapshot: any KeyValueSnapshot) {
    self.changes = changes
    self.snapshot = snapshot
    inserts = Dictionary(
      changes.inserts.enumerated().map { ($1.objectID.number, $0) }, uniquingKeysWith: { $1 })
    deleted = Set(changes.deletes.map(\.objectID.number))
  }

  /// Returns the objects whose rows contradict the commit.
  ///
  /// - Complexity: one lookup for each changed to-one relationship of the kinds above, and the members of
  ///   changed ordered lists.
  mutating func run() throws -> [Conflict] {
    for insert in changes.inserts {
      for guarded in plan(insert.entity) {
        let target = try insert.record.reference(at: guarded.slot)
        try check(insert.objectID, guarded, from: nil, to: target)
      }
    }
    for update in changes.updates { try check(update) }
    for delete in changes.deletes {
      // A rule that does nothing may leave the other side leading to a row that is gone.
      for guarded in plan(delete.entity) where guarded.deleteRule != .noAction {
        let old = try storedTarget(of: delete.objectID, delete.entity, guarded.slot)
        try check(delete.objectID, guarded, from: old, to: nil)
      }
    }
    try checkLists()
    return conflicts
  }

  private mutating func check(_ update: PreparedChanges.Update) throws {
    for guarded in plan(update.entity) {
      guard let value = update.values.first(where: { $0.slot == guarded.slot })?.value else {
        continue
      }
      var target: ManagedObjectID?
      if case .objectID(let objectID) = value { target = objectID }
      let old = try storedTarget(of: update.objectID, update.entity, guarded.slot)
      try check(update.objectID, guarded, from: old, to: target)
    }
  }

  private mutating func check(
    _ objectID: ManagedObjectID, _ guarded: Guarded, from old: ManagedObjectID?,
    to new: ManagedObjectID?
  ) throws {
    guard let tree = guarded.tree else {
      if let new, try finalTarget(of: new, guarded.inverse.slot) != objectID {
        conflicts.append(Conflict(new, .changed(properties: [guarded.inverse.name])))
      }
      if let old, old != new, try finalTarget(of: old, guarded.inverse.slot) == objectID {
        conflicts.append(Conflict(old, .changed(properties: [guarded.inverse.name])))
      }
      return
    }
    guard old != new, let member = changes.schema.references.reference(to: objectID) else { return }
    if let old, let owner = changes.schema.references.reference(to: old) {
      movements[ListKey(owner: owner, tree: tree), default: Movement(inverse: guarded.inverse)].left
        .insert(member)
    }
    if let new, let owner = changes.schema.references.reference(to: new) {
      movements[ListKey(owner: owner, tree: tree), default: Movement(inverse: guarded.inverse)]
        .joined.insert(member)
    }
  }

  // MARK: To one

  /// Returns where an object's to-one relationship leads after the commit; nil for a deleted object.
  private func finalTarget(of objectID: ManagedObjectID, _ slot: Int) throws -> ManagedObjectID? {
    if deleted.contains(objectID.number) { return nil }
    if let position = inserts[objectID.number] {
      return try changes.inserts[position].record.reference(at: slot)
    }
    if let value = changes.update(ofObject: objectID.number)?.values
      .first(where: { $0.slot == slot })?.value
    {
      if case .objectID(let target) = value { return target }
      return nil
    }
    guard let entity = changes.schema.entity(of: objectID) else { return nil }
    return try storedTarget(of: objectID, entity, slot)
  }

  private func storedTarget(
    of objectID: ManagedObjectID, _ entity: StoredEntity, _ slot: Int
  ) throws -> ManagedObjectID? {
    guard let record = try snapshot.record(of: objectID.number, entity, changes.schema),
      !record.isNull(at: slot)
    else { return nil }
    return try changes.schema.references.objectID(of: record.reference(at: slot))
  }

  // MARK: Ordered lists

  private mutating func checkLists() throws {
    var given: [ListKey: PreparedChanges.OrderedLink] = [:]
    for link in changes.orderedLinks where link.links.hasToOneInverse {
      let key = ListKey(owner: link.owner, tree: link.links.tree)
      given[key] = link
      if movements[key] == nil { movements[key] = Movement(inverse: link.links.relationship) }
    }
    for (key, movement) in movements where !deleted.contains(key.owner.number) {
      let stored = try snapshot.orderedMembers(of: key.owner, in: key.tree).map(\.member)
      let expected = Set(stored).subtracting(movement.left).union(movement.joined)
      let list = given[key].map { Set($0.members) } ?? Set(stored)
      // A stored list may name rows that are gone.
      let differing = try expected.symmetricDifference(list).filter { try isThere($0) }
      guard !differing.isEmpty else { continue }
      let owner = try changes.schema.references.objectID(of: key.owner)
      conflicts.append(Conflict(owner, .changed(properties: [movement.inverse.name])))
    }
  }

  private func isThere(_ member: ObjectReference) throws -> Bool {
    if deleted.contains(member.number) { return false }
    if inserts[member.number] != nil { return true }
    guard let entity = changes.schema.entity(number: member.entityNumber) else { return false }
    return try snapshot.value(ofObject: member.number, in: entity.recordTree) != nil
  }

  // MARK: Plans

  private mutating func plan(_ entity: StoredEntity) -> [Guarded] {
    if let known = plans[entity.number] { return known }
    let plan = Self.guarded(entity, changes.schema)
    plans[entity.number] = plan
    return plan
  }

  private static func guarded(_ entity: StoredEntity, _ schema: StoreSchema) -> [Guarded] {
    entity.toOnes.compactMap { slot, _ in
      let relationship = entity.layout.properties[slot]
      guard let inverse = entity.entity.inverse(of: relationship) else { return nil }
      let rule = relationship.relationship?.deleteRule
      if inverse.isToOne {
        return Guarded(slot: slot, deleteRule: rule, inverse: inverse, tree: nil)
      }
      guard inverse.isOrdered,
        let links = schema.entity(entity.entity.destination(of: relationship))?.links[inverse.slot]
      else { return nil }
      return Guarded(slot: slot, deleteRule: rule, inverse: inverse, tree: links.tree)
    }
  }
}

extension StoredLinks {
  /// Whether members lead back by a column of theirs.
  fileprivate var hasToOneInverse: Bool {
    entity.inverse(of: relationship)?.isToOne ?? false
  }
}

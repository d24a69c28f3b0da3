internal import LodeKV
internal import LodeModel

/// Finds the rows of a commit that would leave a to-one relationship leading to a row that is gone,
/// because another save came between the change and its commit.
///
/// Two ways lead there: a row is saved that names one deleted meanwhile, or a row is deleted that others
/// have come to name meanwhile. Relationships without an inverse, and those whose inverse has the delete
/// rule `noAction`, promise nothing and are not looked at.
struct ReferenceCheck {
  private let changes: PreparedChanges
  private let snapshot: any KeyValueSnapshot
  private let deleted: Set<UInt64>
  private let inserted: Set<UInt64>
  /// Targets that were found to be there.
  private var present: Set<UInt64> = []
  private typealias GuardedSlot = (slot: Int, relationship: String, tree: TreeID)
  private var guardedSlots: [UInt16: [GuardedSlot]] = [:]

  init(_ changes: PreparedChanges, _ snapshot: any KeyValueSnapshot) {
    self.changes = changes
    self.snapshot = snapshot
    deleted = Set(changes.deletes.map(\.objectID.number))
    inserted = Set(changes.inserts.map(\.objectID.number))
  }

  /// Returns the rows that conflict; none when every reference leads somewhere after the commit.
  ///
  /// - Complexity: one lookup for each row that is newly named, and the members of deleted rows.
  mutating func conflicts() throws -> [Conflict] {
    var conflicts: [Conflict] = []
    for insert in changes.inserts { conflicts += try danglingReference(of: insert) }
    for update in changes.updates { conflicts += try danglingReference(of: update) }
    for delete in changes.deletes { conflicts += try remainingReference(to: delete) }
    return conflicts
  }

  private mutating func danglingReference(of insert: PreparedChanges.Insert) throws -> [Conflict] {
    for (slot, relationship, tree) in guardedSlots(of: insert.entity) {
      guard let target = try insert.record.reference(at: slot),
        try !isPresent(target.number, in: tree)
      else { continue }
      return [
        Conflict(insert.objectID, .targetDeleted(relationship: relationship, target: target))
      ]
    }
    return []
  }

  private mutating func danglingReference(of update: PreparedChanges.Update) throws -> [Conflict] {
    let slots = guardedSlots(of: update.entity)
    for (slot, value) in update.values {
      guard case .objectID(let target) = value,
        let (_, relationship, tree) = slots.first(where: { $0.slot == slot }),
        try !isPresent(target.number, in: tree)
      else { continue }
      return [
        Conflict(update.objectID, .targetDeleted(relationship: relationship, target: target))
      ]
    }
    return []
  }

  private mutating func isPresent(_ number: UInt64, in tree: TreeID) throws -> Bool {
    if inserted.contains(number) || present.contains(number) { return true }
    guard !deleted.contains(number), try snapshot.value(ofObject: number, in: tree) != nil else {
      return false
    }
    present.insert(number)
    return true
  }

  /// Returns a conflict when a row outside of the commit's deletes goes on naming a deleted one.
  private func remainingReference(to delete: PreparedChanges.Delete) throws -> [Conflict] {
    let owner = ObjectReference(
      number: delete.objectID.number, entityNumber: delete.entity.number)
    for links in delete.entity.links.values
    where links.form == .derived && links.relationship.relationship?.deleteRule != .noAction {
      var remaining: ObjectReference?
      try snapshot.forEachLink(of: owner, in: links.tree) { key, _ in
        let member = ObjectReference(bits: key.rest)
        let isNamed = !deleted.contains(member.number) && !isReleased(member, by: links)
        if isNamed { remaining = member }
        return !isNamed
      }
      guard let remaining else { continue }
      let relationship = links.entity.inverse(of: links.relationship)?.name ?? ""
      let memberID = try changes.schema.references.objectID(of: remaining)
      return [
        Conflict(delete.objectID, .stillReferenced(relationship: relationship, from: memberID))
      ]
    }
    return []
  }

  /// Tells whether the commit gives a member's column another value.
  private func isReleased(_ member: ObjectReference, by links: StoredLinks) -> Bool {
    guard let slot = links.entity.inverse(of: links.relationship)?.slot else { return true }
    return changes.update(ofObject: member.number)?.values.contains { $0.slot == slot } ?? false
  }

  private mutating func guardedSlots(of entity: StoredEntity) -> [GuardedSlot] {
    if let known = guardedSlots[entity.number] { return known }
    let slots = entity.toOnes.compactMap { slot, _ -> GuardedSlot? in
      let relationship = entity.layout.properties[slot]
      guard let inverse = entity.entity.inverse(of: relationship)?.relationship,
        inverse.deleteRule != .noAction,
        let destination = changes.schema.entity(entity.entity.destination(of: relationship))
      else { return nil }
      return (slot, relationship.name, destination.recordTree)
    }
    guardedSlots[entity.number] = slots
    return slots
  }
}

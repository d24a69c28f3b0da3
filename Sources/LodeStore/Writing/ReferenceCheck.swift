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
  private var guardedSlots: [UInt16: [(slot: Int, tree: TreeID)]] = [:]

  init(_ changes: PreparedChanges, _ snapshot: any KeyValueSnapshot) {
    self.changes = changes
    self.snapshot = snapshot
    deleted = Set(changes.deletes.map(\.objectID.number))
    inserted = Set(changes.inserts.map(\.objectID.number))
  }

  /// Returns the rows that conflict; none when every reference leads somewhere after the commit.
  ///
  /// - Complexity: one lookup for each row that is newly named, and the members of deleted rows.
  mutating func conflicts() throws -> [ManagedObjectID] {
    var conflicts: [ManagedObjectID] = []
    for insert in changes.inserts {
      let slots = guardedSlots(of: insert.entity)
      if slots.isEmpty { continue }
      let dangles = try slots.contains { slot, tree in
        guard let target = try insert.record.reference(at: slot) else { return false }
        return try !isPresent(target.number, in: tree)
      }
      if dangles { conflicts.append(insert.objectID) }
    }
    for update in changes.updates where try dangles(update) { conflicts.append(update.objectID) }
    for delete in changes.deletes where try isStillNamed(delete) {
      conflicts.append(delete.objectID)
    }
    return conflicts
  }

  private mutating func dangles(_ update: PreparedChanges.Update) throws -> Bool {
    let slots = guardedSlots(of: update.entity)
    for (slot, value) in update.values {
      guard case .objectID(let target) = value,
        let tree = slots.first(where: { $0.slot == slot })?.tree
      else { continue }
      if try !isPresent(target.number, in: tree) { return true }
    }
    return false
  }

  private mutating func isPresent(_ number: UInt64, in tree: TreeID) throws -> Bool {
    if inserted.contains(number) || present.contains(number) { return true }
    guard !deleted.contains(number), try snapshot.value(ofObject: number, in: tree) != nil else {
      return false
    }
    present.insert(number)
    return true
  }

  /// Tells whether a row outside of the commit's deletes goes on naming a deleted one.
  private func isStillNamed(_ delete: PreparedChanges.Delete) throws -> Bool {
    let owner = ObjectReference(
      number: delete.objectID.number, entityNumber: delete.entity.number)
    for links in delete.entity.links.values
    where links.form == .derived && links.relationship.relationship?.deleteRule != .noAction {
      var isNamed = false
      try snapshot.forEachLink(of: owner, in: links.tree) { key, _ in
        let member = ObjectReference(bits: key.rest)
        isNamed = !deleted.contains(member.number) && !isReleased(member, by: links)
        return !isNamed
      }
      if isNamed { return true }
    }
    return false
  }

  /// Tells whether the commit gives a member's column another value.
  private func isReleased(_ member: ObjectReference, by links: StoredLinks) -> Bool {
    guard let slot = links.entity.inverse(of: links.relationship)?.slot else { return true }
    return changes.update(ofObject: member.number)?.values.contains { $0.slot == slot } ?? false
  }

  private mutating func guardedSlots(
    of entity: StoredEntity
  ) -> [(slot: Int, tree: TreeID)] {
    if let known = guardedSlots[entity.number] { return known }
    let slots = entity.toOnes.compactMap { slot, _ -> (slot: Int, tree: TreeID)? in
      let relationship = entity.layout.properties[slot]
      guard let inverse = entity.entity.inverse(of: relationship)?.relationship,
        inverse.deleteRule != .noAction,
        let destination = changes.schema.entity(entity.entity.destination(of: relationship))
      else { return nil }
      return (slot, destination.recordTree)
    }
    guardedSlots[entity.number] = slots
    return slots
  }
}

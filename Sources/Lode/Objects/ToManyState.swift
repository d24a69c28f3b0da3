package import LodeModel

/// One object's view of one to-many relationship: its stored members, where they have been asked for,
/// and who joined and left since.
///
/// Joining and leaving an unordered relationship never asks for the stored members, so that its cost
/// doesn't depend on their count. An ordered one keeps the whole list once it is changed, and each
/// change costs a pass over it.
package struct ToManyState {
  /// The stored members; nil until they are needed.
  package private(set) var stored: [ManagedObjectID]? {
    didSet { storedSet = nil }
  }
  private var storedSet: Set<ManagedObjectID>?
  /// The stored members that a pending order was made of, while the present ones are unknown.
  private var formerlyStored: [ManagedObjectID]?
  package private(set) var added: Set<ManagedObjectID> = []
  package private(set) var removed: Set<ManagedObjectID> = []
  /// The whole list of an ordered relationship that was changed.
  package private(set) var order: [ManagedObjectID]?

  /// Makes the state without changes.
  package init(stored: [ManagedObjectID]? = nil) { self.stored = stored }

  /// Whether somebody joined, left or moved since the last save.
  package var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || order != nil }

  /// Returns the members with the pending changes made to the stored ones.
  package func members(of stored: [ManagedObjectID]) -> [ManagedObjectID] {
    if let order { return order }
    guard hasChanges else { return stored }
    // Someone who joined may be stored by now, when another context saved the same link.
    return stored.filter { !removed.contains($0) && !added.contains($0) } + added.sorted()
  }

  /// Lets the stored members be asked for anew; pending changes stay.
  package mutating func forgetStored() {
    if order != nil, let stored { formerlyStored = stored }
    stored = nil
  }

  /// Takes the stored members, and forgets pending changes that are stored by now. A pending order lets go
  /// of those who left elsewhere and puts those who joined elsewhere last.
  package mutating func takeStored(_ members: [ManagedObjectID]) {
    stored = members
    guard let order else {
      if !added.isEmpty { added.subtract(members) }
      if !removed.isEmpty { removed.formIntersection(members) }
      return
    }
    guard let formerlyStored else { return }
    self.formerlyStored = nil
    let (before, now, shown) = (Set(formerlyStored), Set(members), Set(order))
    let stayed = order.filter { now.contains($0) || !before.contains($0) }
    arrange(stayed + members.filter { !before.contains($0) && !shown.contains($0) })
  }

  /// Lets a member join an unordered relationship.
  package mutating func add(_ member: ManagedObjectID) {
    if removed.remove(member) != nil || isStored(member) == true { return }
    added.insert(member)
  }

  /// Lets a member leave an unordered relationship.
  package mutating func remove(_ member: ManagedObjectID) {
    let hadJoined = added.remove(member) != nil
    // Someone who joined while the stored members were unknown may be among them.
    if isStored(member) ?? true || !hadJoined { removed.insert(member) }
  }

  /// Gives an ordered relationship its members; `stored` must be known.
  package mutating func arrange(_ members: [ManagedObjectID]) {
    let before = stored ?? []
    order = members == before ? nil : members
    let now = Set(members)
    let known = Set(before)
    added = now.subtracting(known)
    removed = known.subtracting(now)
  }

  /// Whether a member joined or left since the last save.
  package func concerns(_ member: ManagedObjectID) -> Bool {
    added.contains(member) || removed.contains(member)
  }

  /// Takes back that a member joined or left; in an ordered relationship one who comes back stands behind
  /// those who were saved before it.
  package mutating func takeBack(_ member: ManagedObjectID) {
    if var order {
      if added.contains(member) {
        order.removeAll { $0 == member }
      } else if removed.contains(member) {
        order.insert(member, at: place(of: member, in: order))
      }
      return arrange(order)
    }
    added.remove(member)
    removed.remove(member)
  }

  /// Gives an ordered relationship its saved order again; who joined and left stays so.
  package mutating func takeBackOrder() {
    let saved = (stored ?? []).filter { !removed.contains($0) }
    arrange(saved + (order ?? []).filter(added.contains))
  }

  private func place(of member: ManagedObjectID, in order: [ManagedObjectID]) -> Int {
    let before = Set((stored ?? []).prefix { $0 != member })
    return order.lastIndex(where: before.contains).map { $0 + 1 } ?? 0
  }

  /// Takes back who joined, left and moved.
  package mutating func forgetChanges() {
    added = []
    removed = []
    order = nil
  }

  private mutating func isStored(_ member: ManagedObjectID) -> Bool? {
    guard let stored else { return nil }
    if stored.isEmpty { return false }
    if storedSet == nil { storedSet = Set(stored) }
    return storedSet?.contains(member)
  }
}

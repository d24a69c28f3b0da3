package import LodeModel

/// One object's view of one to-many relationship: its stored members, where they have been asked for,
/// and who joined and left since.
///
/// Joining and leaving an unordered relationship never asks for the stored members, so that its cost
/// doesn't depend on their count. An ordered one keeps the whole list once it is changed, and each
/// change costs a pass over it.
package struct ToManyState {
  /// The stored members; nil until they are needed.
  package var stored: [ManagedObjectID]? {
    didSet { storedSet = nil }
  }
  private var storedSet: Set<ManagedObjectID>?
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

internal import LodeKV
internal import LodeModel

/// Works out what links of a commit change in the trees: both directions of each pair, and only what
/// differs from what is stored.
struct LinkWriter {
  private enum Change {
    case put(member: ObjectReference?)
    case delete
  }

  private struct OrderKey: Hashable {
    let owner: ObjectReference
    let tree: TreeID
  }

  /// Members to add at the end of and to take out of an ordered list that isn't given itself.
  private struct ImpliedOrder {
    var added: [ObjectReference] = []
    var removed: Set<ObjectReference> = []
  }

  private let changes: PreparedChanges
  private let snapshot: any KeyValueSnapshot
  private var trees: [TreeID: [LinkKey: Change]] = [:]
  private var implied: [OrderKey: ImpliedOrder] = [:]
  /// Deleted rows: they get no links.
  private var gone: Set<ObjectReference> = []

  init(_ changes: PreparedChanges, _ snapshot: any KeyValueSnapshot) {
    self.changes = changes
    self.snapshot = snapshot
  }

  /// Adds the writes of all links to a set.
  mutating func write(to writes: inout WriteSet) throws {
    for link in changes.links { write(link) }
    for link in changes.orderedLinks { try write(link) }
    try writeImpliedOrders()
    try removeLinksOfDeletedRows()
    for (tree, links) in trees {
      for (key, change) in links {
        if case .put = change, gone.contains(key.owner) { continue }
        key.withBytes { Self.add(change, $0, &writes[tree]) }
      }
    }
  }

  private static func add(
    _ change: Change, _ key: UnsafeRawBufferPointer, _ writes: inout TreeWrites
  ) {
    switch change {
    case .delete: writes.delete(key)
    case .put(let member):
      LinkValue.bytes(of: key, member: member).withUnsafeBytes { writes.put(key, $0) }
    }
  }

  private mutating func set(
    _ owner: ObjectReference, _ rest: UInt64, in tree: TreeID, _ change: Change
  ) {
    trees[tree, default: [:]][LinkKey(owner: owner, rest: rest)] = change
  }

  // MARK: Unordered links

  private mutating func write(_ link: PreparedChanges.Link) {
    for member in link.removed {
      set(link.owner, member.bits, in: link.links.tree, .delete)
      writeInverse(of: link.links, link.owner, member, isAdded: false)
    }
    for member in link.added {
      set(link.owner, member.bits, in: link.links.tree, .put(member: nil))
      writeInverse(of: link.links, link.owner, member, isAdded: true)
    }
  }

  private mutating func writeInverse(
    of links: StoredLinks, _ owner: ObjectReference, _ member: ObjectReference, isAdded: Bool
  ) {
    guard let tree = links.inverseTree else { return }
    guard links.inverseForm == .ordered else {
      return set(member, owner.bits, in: tree, isAdded ? .put(member: nil) : .delete)
    }
    let key = OrderKey(owner: member, tree: tree)
    if isAdded {
      implied[key, default: ImpliedOrder()].added.append(owner)
    } else {
      implied[key, default: ImpliedOrder()].removed.insert(owner)
    }
  }

  // MARK: Ordered links

  private mutating func write(_ link: PreparedChanges.OrderedLink) throws {
    let old = try snapshot.orderedMembers(of: link.owner, in: link.links.tree)
    setOrder(link.owner, link.links.tree, old, link.members)
    // What is given whole leaves nothing to be implied.
    implied[OrderKey(owner: link.owner, tree: link.links.tree)] = nil
    guard let inverseTree = link.links.inverseTree, link.links.inverseForm == .unordered else {
      return
    }
    let oldMembers = Set(old.map(\.member))
    let newMembers = Set(link.members)
    for member in oldMembers.subtracting(newMembers) {
      set(member, link.owner.bits, in: inverseTree, .delete)
    }
    for member in newMembers.subtracting(oldMembers) {
      set(member, link.owner.bits, in: inverseTree, .put(member: nil))
    }
  }

  private mutating func setOrder(
    _ owner: ObjectReference, _ tree: TreeID, _ old: [OrderedMember], _ members: [ObjectReference]
  ) {
    let new = OrderedPositions.assign(members, old: old)
    let oldByPosition = Dictionary(
      old.map { ($0.position, $0.member) }, uniquingKeysWith: { first, _ in first })
    let newPositions = Set(new.map(\.position))
    for entry in old where !newPositions.contains(entry.position) {
      set(owner, entry.position, in: tree, .delete)
    }
    for entry in new where oldByPosition[entry.position] != entry.member {
      set(owner, entry.position, in: tree, .put(member: entry.member))
    }
  }

  private mutating func writeImpliedOrders() throws {
    for (key, order) in implied {
      let old = try snapshot.orderedMembers(of: key.owner, in: key.tree)
      let added = Set(order.added)
      var members = old.map(\.member).filter { !order.removed.contains($0) || added.contains($0) }
      var present = Set(members)
      members += order.added.filter { present.insert($0).inserted }
      setOrder(key.owner, key.tree, old, members)
    }
  }

  // MARK: Deleted rows

  /// Removes the links that deleted rows own. Derived links follow from the members' rows and stay.
  private mutating func removeLinksOfDeletedRows() throws {
    for delete in changes.deletes where !delete.entity.links.isEmpty {
      let owner = ObjectReference(
        number: delete.objectID.number, entityNumber: delete.entity.number)
      gone.insert(owner)
      for links in delete.entity.links.values where links.form != .derived {
        try snapshot.forEachLink(of: owner, in: links.tree) { key, _ in
          trees[links.tree, default: [:]][key] = .delete
          return true
        }
      }
    }
  }
}

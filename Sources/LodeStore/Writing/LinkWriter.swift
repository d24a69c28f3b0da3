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
  /// The ordered lists that are given whole.
  private var given: [OrderKey: Set<ObjectReference>] = [:]
  /// Deleted rows: they get no links.
  private var gone: Set<ObjectReference> = []

  init(_ changes: PreparedChanges, _ snapshot: any KeyValueSnapshot) {
    self.changes = changes
    self.snapshot = snapshot
  }

  /// Adds the writes of all links to a set.
  ///
  /// - Throws: `StoreError` with code `invalidValue` when two lists are given that disagree about a link.
  mutating func write(to writes: inout WriteSet) throws {
    for link in changes.orderedLinks {
      given[OrderKey(owner: link.owner, tree: link.links.tree)] = Set(link.members)
    }
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
    if given[key] != nil { return }
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
    guard let inverseTree = link.links.inverseTree, link.links.inverseForm != .derived else {
      return
    }
    let oldMembers = Set(old.map(\.member))
    let newMembers = Set(link.members)
    for member in newMembers {
      let list = given[OrderKey(owner: member, tree: inverseTree)]
      guard list?.contains(link.owner) ?? true else { throw disagreement(link, member) }
    }
    for member in oldMembers.subtracting(newMembers) {
      let list = given[OrderKey(owner: member, tree: inverseTree)]
      if list?.contains(link.owner) ?? false { throw disagreement(link, member) }
      writeInverse(of: link.links, link.owner, member, isAdded: false)
    }
    for member in newMembers.subtracting(oldMembers) {
      writeInverse(of: link.links, link.owner, member, isAdded: true)
    }
  }

  private func disagreement(
    _ link: PreparedChanges.OrderedLink, _ member: ObjectReference
  ) -> StoreError {
    StoreError(
      .invalidValue,
      "the lists given for objects \(link.owner.number) and \(member.number) disagree about the link "
        + "between them")
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

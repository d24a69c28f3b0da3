internal import LodeKV
internal import LodeModel

/// Compares a to-many relationship's links with the rows at their ends and with the inverse.
struct LinkCheck {
  private let check: StoreCheck
  private let links: StoredLinks
  private let place: String

  init(_ check: StoreCheck, _ links: StoredLinks) {
    self.check = check
    self.links = links
    place = "\(links.entity.name).\(links.relationship.name)"
  }

  func run() throws {
    let cursor = try check.snapshot.cursor(in: links.tree)
    var list = OrderedList()
    var isPresent = try cursor.first()
    while isPresent {
      check.notes.countLink()
      if let (key, member) = link(cursor.key, cursor.value) {
        try followLink(key, member, &list)
      }
      isPresent = try cursor.next()
    }
    if links.form == .derived { try findMissing() }
  }

  /// The members of the ordered list that is being read.
  private struct OrderedList {
    var owner = ObjectReference(bits: 0)
    var members: Set<ObjectReference> = []

    /// Returns false when the owner has the member already.
    mutating func add(_ member: ObjectReference, of owner: ObjectReference) -> Bool {
      if owner != self.owner { self = OrderedList(owner: owner) }
      return members.insert(member).inserted
    }
  }

  private func note(_ kind: StoreFault.Kind, _ message: String, _ owner: ObjectReference) {
    let objectID = check.objectID(owner)
    let message = objectID == nil ? "\(message), of object \(owner.number)" : message
    check.notes.add(StoreFault(kind, message, objectID: objectID, place: place))
  }

  // MARK: One link

  private func link(
    _ bytes: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) -> (key: LinkKey, member: ObjectReference)? {
    guard let key = try? LinkKey(bytes) else {
      check.notes.add(StoreFault(.link, "a link is damaged", place: place))
      return nil
    }
    if links.form == .ordered {
      if let member = LinkValue.member(value, of: bytes) { return (key, member) }
    } else if (try? LinkValue.check(key, value, links.form)) != nil {
      return (key, ObjectReference(bits: key.rest))
    }
    note(.link, "a link is damaged", key.owner)
    return nil
  }

  private func followLink(
    _ key: LinkKey, _ member: ObjectReference, _ list: inout OrderedList
  ) throws {
    guard links.memberNumbers.contains(member.entityNumber) else {
      return note(.link, "a link leads to an object of another entity", key.owner)
    }
    switch links.form {
    case .derived: try compareWithRow(key.owner, member)
    case .unordered, .ordered:
      if links.form == .ordered, !list.add(member, of: key.owner) {
        note(.link, "object \(member.number) is a member twice", key.owner)
      }
      guard try check.hasRecord(key.owner) else {
        return note(.link, "a link leads from a row that isn't there", key.owner)
      }
      guard try check.hasRecord(member) else {
        guard check.promisesTargets(links.relationship, of: links.entity) else { return }
        return note(.link, "a link leads to object \(member.number), which isn't there", key.owner)
      }
      try compareWithInverse(key.owner, member)
    }
  }

  // MARK: Derived links

  private var column: Property? { links.entity.inverse(of: links.relationship) }

  private func compareWithRow(_ owner: ObjectReference, _ member: ObjectReference) throws {
    guard let column else { return }
    guard let row = try check.row(member) else {
      // A damaged row has been noted already.
      if try !check.hasRecord(member) {
        note(.link, "a link leads to object \(member.number), which isn't there", owner)
      }
      return
    }
    guard row.isNull(at: column.slot) || row.reference(at: column.slot) != owner else { return }
    note(.inverse, "“\(column.name)” of object \(member.number) leads elsewhere", owner)
  }

  /// Looks for the link of every row whose column leads somewhere.
  private func findMissing() throws {
    guard let column else { return }
    let destination = links.entity.destination(of: links.relationship)
    guard let entity = check.schema.entity(destination) else { return }
    let cursor = try check.snapshot.cursor(in: entity.recordTree)
    var isPresent = try cursor.first()
    while isPresent {
      if let number = try? ObjectKey(cursor.key).number,
        let view = try? check.schema.view(cursor.value, of: number, in: entity.recordTree),
        links.memberNumbers.contains(view.layout.entityNumber), !view.isNull(at: column.slot)
      {
        try find(view, view.reference(at: column.slot))
      }
      isPresent = try cursor.next()
    }
  }

  private func find(_ view: RecordView, _ owner: ObjectReference) throws {
    let member = ObjectReference(
      number: view.number, entityNumber: view.layout.entityNumber)
    guard try !has(owner, member.bits, in: links.tree) else { return }
    note(.inverse, "object \(member.number) isn't among the members, but leads here", owner)
  }

  // MARK: Kept links

  private func compareWithInverse(_ owner: ObjectReference, _ member: ObjectReference) throws {
    guard let tree = links.inverseTree, let form = links.inverseForm else { return }
    let isThere =
      form == .ordered
      ? try isOrderedMember(owner, of: member, in: tree) : try has(member, owner.bits, in: tree)
    guard !isThere else { return }
    note(.inverse, "object \(member.number) is a member, but doesn't lead back", owner)
  }

  private func has(_ owner: ObjectReference, _ rest: UInt64, in tree: TreeID) throws -> Bool {
    try LinkKey(owner: owner, rest: rest).withBytes { key in
      try check.snapshot.value(of: key, in: tree) != nil
    }
  }

  private func isOrderedMember(
    _ member: ObjectReference, of owner: ObjectReference, in tree: TreeID
  ) throws -> Bool {
    var isThere = false
    try check.snapshot.forEachLink(of: owner, in: tree) { key, value in
      isThere = key.withBytes { LinkValue.member(value, of: $0) } == member
      return !isThere
    }
    return isThere
  }
}

// Entries of link trees. Unordered: owner (8 bytes), member (8 bytes), no value. Ordered: owner (8 bytes),
// position (8 bytes), the member as value. All are references or numbers in big endian.

internal import LodeKV

/// The key of one link.
struct LinkKey: Hashable, Sendable {
  var owner: ObjectReference
  /// The member's bits, or the position of an ordered member.
  var rest: UInt64

  init(owner: ObjectReference, rest: UInt64) {
    self.owner = owner
    self.rest = rest
  }

  static let byteCount = 16

  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows
    -> Result
  {
    let pair = (owner.bits.bigEndian, rest.bigEndian)
    return try withUnsafeBytes(of: pair, body)
  }

  /// - Throws: `RecordError.malformed` when the bytes are no key of a link tree.
  init(_ bytes: UnsafeRawBufferPointer) throws(RecordError) {
    guard bytes.count == Self.byteCount else {
      throw .malformed(reason: "a link's key of \(bytes.count) bytes")
    }
    owner = ObjectReference(bits: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    rest = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }
}

/// One member of an ordered relationship.
struct OrderedMember: Hashable, Sendable {
  var position: UInt64
  var member: ObjectReference

  init(position: UInt64, member: ObjectReference) {
    self.position = position
    self.member = member
  }
}

extension KeyValueSnapshot {
  /// Calls a closure with each link of an owner, in the order of keys, until it returns false.
  func forEachLink(
    of owner: ObjectReference, in tree: TreeID,
    _ body: (LinkKey, UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    let cursor = try cursor(in: tree)
    var isPresent = try LinkKey(owner: owner, rest: 0).withBytes { try cursor.seek($0) }
    while isPresent {
      let key = try LinkKey(cursor.key)
      guard key.owner == owner, try body(key, cursor.value) else { return }
      isPresent = try cursor.next()
    }
  }

  /// Returns the members of an unordered or derived relationship, by object number.
  func unorderedMembers(
    of owner: ObjectReference, in tree: TreeID
  ) throws -> [ObjectReference] {
    var members: [ObjectReference] = []
    try forEachLink(of: owner, in: tree) { key, _ in
      members.append(ObjectReference(bits: key.rest))
      return true
    }
    return members
  }

  /// Returns the members of an ordered relationship in their order.
  func orderedMembers(
    of owner: ObjectReference, in tree: TreeID
  ) throws -> [OrderedMember] {
    var members: [OrderedMember] = []
    try forEachLink(of: owner, in: tree) { key, value in
      guard value.count == 8 else { throw RecordError.malformed(reason: "an ordered link") }
      let bits = UInt64(bigEndian: value.loadUnaligned(as: UInt64.self))
      members.append(OrderedMember(position: key.rest, member: ObjectReference(bits: bits)))
      return true
    }
    return members
  }

  /// Returns the members of a to-many relationship whose rows exist.
  func members(
    of owner: ObjectReference, through links: StoredLinks, schema: StoreSchema
  ) throws -> [ObjectReference] {
    switch links.form {
    // Entries of a derived tree follow from the members' own rows.
    case .derived: try unorderedMembers(of: owner, in: links.tree)
    case .unordered:
      try unorderedMembers(of: owner, in: links.tree).filter { try hasRow($0, schema) }
    case .ordered:
      try orderedMembers(of: owner, in: links.tree).map(\.member).filter { try hasRow($0, schema) }
    }
  }

  private func hasRow(_ reference: ObjectReference, _ schema: StoreSchema) throws -> Bool {
    guard let entity = schema.entity(number: reference.entityNumber) else {
      throw RecordError.malformed(reason: "a link to no known entity")
    }
    return try record(of: reference.number, entity) != nil
  }

  /// Finds a row of exactly one entity; nil when there is none.
  func record(of number: UInt64, _ entity: StoredEntity) throws -> RecordView? {
    guard let value = try value(ofObject: number, in: entity.recordTree),
      RecordView.entityNumber(of: value) == entity.number
    else { return nil }
    return try RecordView(value, layout: entity.layout)
  }

  /// Finds the record of an object number, whatever its entity.
  func value(
    ofObject number: UInt64, in tree: TreeID
  ) throws(EngineError) -> UnsafeRawBufferPointer? {
    try ObjectKey(number).withBytes {
      (key: UnsafeRawBufferPointer) throws(EngineError) -> UnsafeRawBufferPointer? in
      try value(of: key, in: tree)
    }
  }
}

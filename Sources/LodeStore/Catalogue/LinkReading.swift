// Entries of link trees. Derived: owner (8 bytes), member (8 bytes), no value. Unordered: the same, the
// value is a checksum. Ordered: owner (8 bytes), position (8 bytes), the value is the member and a
// checksum. All are references or numbers in big endian; checksums are over the key and what stands
// before them.

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

/// The value of a link that doesn't follow from a row: an ordered one's member, then a checksum.
enum LinkValue {
  private static let checksumByteCount = 4
  private static let memberByteCount = 8

  static func bytes(of key: UnsafeRawBufferPointer, member: ObjectReference?) -> [UInt8] {
    var bytes: [UInt8] = []
    if let member { bytes.appendBigEndian(member.bits) }
    bytes.appendInteger(checksum(key, bytes.withUnsafeBytes { CRC32C.checksum(of: $0) }))
    return bytes
  }

  /// Returns the member that an ordered link's value holds; nil when it or its key is damaged.
  static func member(
    _ value: UnsafeRawBufferPointer, of key: UnsafeRawBufferPointer
  ) -> ObjectReference? {
    guard value.count == memberByteCount + checksumByteCount, isSound(value, of: key) else {
      return nil
    }
    return ObjectReference(bits: UInt64(bigEndian: value.loadUnaligned(as: UInt64.self)))
  }

  /// Tells whether the value and key of a link are as they were written.
  static func isSound(
    _ value: UnsafeRawBufferPointer, of key: UnsafeRawBufferPointer
  ) -> Bool {
    let place = value.count - checksumByteCount
    guard place == 0 || place == memberByteCount else { return false }
    let member = CRC32C.checksum(of: value.part(0, place))
    return checksum(key, member) == value.integer(at: place, as: UInt32.self)
  }

  /// Checks a link without order.
  static func check(
    _ key: LinkKey, _ value: UnsafeRawBufferPointer, _ form: StoredLinks.Form
  ) throws(RecordError) {
    let isAsWritten =
      form == .derived
      ? value.isEmpty
      : key.withBytes { value.count == checksumByteCount && isSound(value, of: $0) }
    guard isAsWritten else { throw damagedLink(key) }
  }

  static func damagedLink(_ key: LinkKey) -> RecordError {
    .malformed(reason: "a link of object \(key.owner.number) is damaged")
  }

  private static func checksum(_ key: UnsafeRawBufferPointer, _ member: UInt32) -> UInt32 {
    CRC32C.checksum(of: key, seed: member)
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
  ///
  /// - Throws: `RecordError.malformed` when a link is damaged.
  func unorderedMembers(
    of owner: ObjectReference, through links: StoredLinks
  ) throws -> [ObjectReference] {
    var members: [ObjectReference] = []
    try forEachLink(of: owner, in: links.tree) { key, value in
      try LinkValue.check(key, value, links.form)
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
      guard let member = key.withBytes({ LinkValue.member(value, of: $0) }) else {
        throw LinkValue.damagedLink(key)
      }
      members.append(OrderedMember(position: key.rest, member: member))
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
    case .derived: try unorderedMembers(of: owner, through: links)
    case .unordered:
      try unorderedMembers(of: owner, through: links).filter { try hasRow($0, schema) }
    case .ordered:
      try orderedMembers(of: owner, in: links.tree).map(\.member).filter { try hasRow($0, schema) }
    }
  }

  private func hasRow(_ reference: ObjectReference, _ schema: StoreSchema) throws -> Bool {
    guard let entity = schema.entity(number: reference.entityNumber) else {
      throw RecordError.malformed(reason: "a link to no known entity")
    }
    return try record(of: reference.number, entity, schema) != nil
  }

  /// Finds a row of exactly one entity; nil when there is none.
  ///
  /// - Throws: `RecordError.damaged` when the row is damaged, be it in its key, by which it is looked for.
  func record(
    of number: UInt64, _ entity: StoredEntity, _ schema: StoreSchema
  ) throws -> RecordView? {
    guard let value = try value(ofObject: number, in: entity.recordTree) else {
      try checkNeighbours(of: number, in: entity.recordTree, schema)
      return nil
    }
    guard RecordView.entityNumber(of: value) != entity.number else {
      return try RecordView(value, of: number, layout: entity.layout)
    }
    _ = try schema.view(value, of: number, in: entity.recordTree)
    return nil
  }

  /// Checks the records between which a missing one would stand: one of them is the missing one when a bit
  /// of its key has flipped.
  private func checkNeighbours(
    of number: UInt64, in tree: TreeID, _ schema: StoreSchema
  ) throws {
    let cursor = try cursor(in: tree)
    let isBefore = try ObjectKey(number).withBytes { try cursor.seekBefore($0) }
    if isBefore { try check(cursor, beside: number, tree, schema) }
    let isAfter = try isBefore ? cursor.next() : cursor.first()
    if isAfter { try check(cursor, beside: number, tree, schema) }
  }

  private func check(
    _ cursor: any KeyValueCursor, beside number: UInt64, _ tree: TreeID, _ schema: StoreSchema
  ) throws {
    guard let found = try? ObjectKey(cursor.key).number else {
      throw schema.damaged(number, in: tree, "its key, or that of the row beside it, is damaged")
    }
    _ = try schema.view(cursor.value, of: found, in: tree)
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

internal import LodeKV
internal import LodeModel

/// A change set whose objects have been found in the schema and whose new rows are encoded: what can
/// be done before the commit has its turn.
struct PreparedChanges: Sendable {
  struct Insert: Sendable {
    let objectID: ManagedObjectID
    let entity: StoredEntity
    let record: Record
  }

  struct Update: Sendable {
    let objectID: ManagedObjectID
    let entity: StoredEntity
    let baseVersion: UInt32
    let values: [(slot: Int, value: Value)]
  }

  struct Delete: Sendable {
    let objectID: ManagedObjectID
    let entity: StoredEntity
    let baseVersion: UInt32
  }

  struct Link: Sendable {
    let links: StoredLinks
    let owner: ObjectReference
    let added: [ObjectReference]
    let removed: [ObjectReference]
  }

  struct OrderedLink: Sendable {
    let links: StoredLinks
    let owner: ObjectReference
    let members: [ObjectReference]
  }

  let schema: StoreSchema
  private(set) var inserts: [Insert] = []
  private(set) var updates: [Update] = []
  private(set) var deletes: [Delete] = []
  private(set) var links: [Link] = []
  private(set) var orderedLinks: [OrderedLink] = []
  /// Dictionaries learned from this change set's own rows, to be stored with them.
  private(set) var dictionaries: [UInt16: TailDictionary] = [:]
  private var seen: Set<UInt64> = []
  private var updatePositions: [UInt64: Int] = [:]
  /// The ordered relationships given so far: owner and tree.
  private var seenOrders: Set<LinkKey> = []

  /// Checks and encodes a change set.
  ///
  /// - Throws: `StoreError` with code `invalidValue` for what no store could carry out: unknown
  ///   entities, values that don't fit, an object named twice.
  init(_ changes: ChangeSet, schema: StoreSchema) throws(StoreError) {
    self.schema = schema
    try encode(changes.inserts)
    for update in changes.updates { try add(update) }
    for delete in changes.deletes {
      let entity = try entity(of: delete.objectID)
      deletes.append(
        Delete(objectID: delete.objectID, entity: entity, baseVersion: delete.baseVersion))
    }
    for link in changes.links { try add(link) }
    for link in changes.orderedLinks { try add(link) }
  }

  // MARK: Rows

  private mutating func encode(_ inserts: [ChangeSet.Insert]) throws(StoreError) {
    self.inserts.reserveCapacity(inserts.count)
    var entities: [StoredEntity] = []
    entities.reserveCapacity(inserts.count)
    for insert in inserts { entities.append(try checkedEntity(of: insert)) }
    try learnDictionaries(inserts, entities)
    var encoder = RecordEncoder()
    encoder.dictionaries = dictionaries
    for (insert, entity) in zip(inserts, entities) {
      do throws(RecordError) {
        let record = try encoder.record(
          insert.values, of: insert.objectID.number, version: 1, layout: entity.layout)
        self.inserts.append(Insert(objectID: insert.objectID, entity: entity, record: record))
      } catch {
        throw StoreError(error, objectIDs: [insert.objectID])
      }
    }
  }

  private mutating func checkedEntity(
    of insert: ChangeSet.Insert
  ) throws(StoreError) -> StoredEntity {
    let entity = try entity(of: insert.objectID)
    guard !entity.entity.isAbstract else {
      throw invalid(insert.objectID, "“\(entity.entity.name)” is abstract: it has no objects")
    }
    guard insert.values.count == entity.layout.fields.count else {
      throw invalid(insert.objectID, "a row needs a value for each slot of its entity")
    }
    for (slot, numbers) in entity.toOnes {
      try checkReference(insert.values[slot], numbers, slot, entity, insert.objectID)
    }
    return entity
  }

  /// Learns dictionaries for entities that have none and get enough rows for one by this change set.
  private mutating func learnDictionaries(
    _ inserts: [ChangeSet.Insert], _ entities: [StoredEntity]
  ) throws(StoreError) {
    guard inserts.count >= TailSamples.countMin else { return }
    var samples: [UInt16: TailSamples] = [:]
    var encoder = RecordEncoder()
    for (insert, entity) in zip(inserts, entities) where entity.layout.tails.learns {
      var taken = samples[entity.number] ?? TailSamples()
      guard !taken.isFull else { continue }
      samples[entity.number] = nil
      do throws(RecordError) {
        try encoder.encode(
          insert.values, of: insert.objectID.number, version: 1, layout: entity.layout)
      } catch {
        throw StoreError(error, objectIDs: [insert.objectID])
      }
      encoder.tail.withUnsafeBytes { taken.add($0) }
      samples[entity.number] = taken
    }
    for (number, taken) in samples {
      guard let bytes = taken.dictionary(), let entity = schema.entity(number: number) else {
        continue
      }
      dictionaries[number] = entity.layout.tails.add(bytes)
    }
  }

  private mutating func add(_ update: ChangeSet.Update) throws(StoreError) {
    let entity = try entity(of: update.objectID)
    for (slot, value) in update.values {
      guard entity.layout.fields.indices.contains(slot) else {
        throw invalid(update.objectID, "“\(entity.entity.name)” has no slot \(slot)")
      }
      let kind = entity.layout.fields[slot].kind
      guard kind != .none || value.isNull else {
        throw invalid(
          update.objectID, "“\(entity.layout.properties[slot].name)” is not kept in rows")
      }
      if kind == .reference, let toOne = entity.toOnes.first(where: { $0.slot == slot }) {
        try checkReference(value, toOne.numbers, slot, entity, update.objectID)
      }
    }
    updatePositions[update.objectID.number] = updates.count
    updates.append(
      Update(
        objectID: update.objectID, entity: entity, baseVersion: update.baseVersion,
        values: update.values))
  }

  /// Returns the update of an object number, in O(1); nil when the change set has none.
  func update(ofObject number: UInt64) -> Update? {
    updatePositions[number].map { updates[$0] }
  }

  private func checkReference(
    _ value: Value, _ numbers: Set<UInt16>, _ slot: Int, _ entity: StoredEntity,
    _ objectID: ManagedObjectID
  ) throws(StoreError) {
    guard case .objectID(let target) = value else { return }
    guard let reference = schema.references.reference(to: target),
      numbers.contains(reference.entityNumber)
    else {
      throw invalid(
        objectID,
        "“\(entity.layout.properties[slot].name)” can't lead to an object of "
          + "“\(target.entityName.string)”, or of another store")
    }
  }

  /// Finds the entity of an object that the change set names for the first time.
  private mutating func entity(of objectID: ManagedObjectID) throws(StoreError) -> StoredEntity {
    guard let entity = schema.entity(of: objectID) else {
      throw invalid(objectID, "“\(objectID.entityName.string)” is no entity of this store")
    }
    guard seen.insert(objectID.number).inserted else {
      throw invalid(objectID, "a change set names each row once")
    }
    return entity
  }

  private func invalid(_ objectID: ManagedObjectID, _ message: String) -> StoreError {
    StoreError(.invalidValue, message, objectIDs: [objectID])
  }

  // MARK: Links

  private mutating func add(_ link: ChangeSet.Link) throws(StoreError) {
    let (links, owner) = try relationship(link.owner, link.slot)
    guard links.form == .unordered else {
      throw invalid(
        link.owner,
        links.form == .ordered
          ? "the members of “\(links.relationship.name)” have an order and are given whole"
          : "the members of “\(links.relationship.name)” follow from their to-one relationship")
    }
    self.links.append(
      Link(
        links: links, owner: owner, added: try members(link.added, links, link.owner),
        removed: try members(link.removed, links, link.owner)))
  }

  private mutating func add(_ link: ChangeSet.OrderedLink) throws(StoreError) {
    let (links, owner) = try relationship(link.owner, link.slot)
    guard links.form == .ordered else {
      throw invalid(link.owner, "the members of “\(links.relationship.name)” have no order")
    }
    let members = try members(link.members, links, link.owner)
    guard Set(members).count == members.count else {
      throw invalid(link.owner, "“\(links.relationship.name)” can't have a member twice")
    }
    let key = LinkKey(owner: owner, rest: UInt64(links.tree.number))
    guard seenOrders.insert(key).inserted else {
      throw invalid(link.owner, "“\(links.relationship.name)” is given twice")
    }
    orderedLinks.append(OrderedLink(links: links, owner: owner, members: members))
  }

  private func relationship(
    _ objectID: ManagedObjectID, _ slot: Int
  ) throws(StoreError) -> (StoredLinks, ObjectReference) {
    guard let entity = schema.entity(of: objectID),
      let reference = schema.references.reference(to: objectID)
    else { throw invalid(objectID, "“\(objectID.entityName.string)” is no entity of this store") }
    guard let links = entity.links[slot] else {
      throw invalid(objectID, "slot \(slot) of “\(entity.entity.name)” is no to-many relationship")
    }
    return (links, reference)
  }

  private func members(
    _ objectIDs: [ManagedObjectID], _ links: StoredLinks, _ owner: ManagedObjectID
  ) throws(StoreError) -> [ObjectReference] {
    var members: [ObjectReference] = []
    members.reserveCapacity(objectIDs.count)
    for objectID in objectIDs {
      guard let member = schema.references.reference(to: objectID),
        links.memberNumbers.contains(member.entityNumber)
      else {
        throw invalid(
          owner,
          "“\(links.relationship.name)” can't have a member of "
            + "“\(objectID.entityName.string)”, or of another store")
      }
      members.append(member)
    }
    return members
  }
}

extension RecordEncoder {
  /// Encodes a row into a record of its own.
  mutating func record(
    _ values: [Value], of number: UInt64, version: UInt32, layout: RecordLayout
  ) throws(RecordError) -> Record {
    try encode(values, of: number, version: version, layout: layout)
    return bytes.withUnsafeBytes { Record(written: $0, of: number, layout: layout) }
  }

  /// Encodes a changed row into a record of its own.
  mutating func record(
    _ changes: [(slot: Int, value: Value)], to old: RecordView, version: UInt32
  ) throws(RecordError) -> Record {
    try encode(changes, to: old, version: version)
    return bytes.withUnsafeBytes { Record(written: $0, of: old.number, layout: old.layout) }
  }
}

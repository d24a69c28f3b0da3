internal import LodeKV
internal import LodeModel

/// Reads every row with all its values, follows its to-one relationships, and counts.
struct RecordCheck {
  private let check: StoreCheck
  private let tails = TailScratch()
  private var counters: [UInt16: EntityCounters] = [:]
  /// Entities of which a record is damaged, so that no count of theirs can be right.
  private var unsure: Set<TreeID> = []

  init(_ check: StoreCheck) { self.check = check }

  mutating func run() throws {
    let end = (try? check.snapshot.nextObjectNumber()) ?? .max
    for tree in Set(check.schema.entities.map(\.recordTree)).sorted() {
      let cursor = try check.snapshot.cursor(in: tree)
      var isPresent = try cursor.first()
      while isPresent {
        try checkRecord(cursor.key, cursor.value, tree, end: end)
        isPresent = try cursor.next()
      }
    }
  }

  /// How many sound rows of an entity and its descendants there are; nil when a record is damaged.
  func rowCount(under entity: Entity) -> Int? {
    guard let stored = check.schema.entity(entity), !unsure.contains(stored.recordTree) else {
      return nil
    }
    return entity.selfAndDescendants.reduce(0) { sum, entity in
      let number = check.schema.entity(entity)?.number ?? 0
      return sum + Int(counters[number]?.rowCount ?? 0)
    }
  }

  private mutating func checkRecord(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, _ tree: TreeID, end: UInt64
  ) throws {
    check.notes.countRow()
    do throws(RecordError) {
      let number = try ObjectKey(key).number
      let view = try check.schema.view(value, of: number, in: tree)
      tails.moveOn()
      for slot in view.layout.fields.indices { _ = try view.value(at: slot, tails: tails) }
      count(view)
      if number >= end { note(view, "its number has never been given out") }
    } catch {
      unsure.insert(tree)
      check.notes.add(fault(error, tree))
      return
    }
    let number = try ObjectKey(key).number
    try followReferences(try check.schema.view(value, of: number, in: tree))
  }

  private func fault(_ error: RecordError, _ tree: TreeID) -> StoreFault {
    switch error {
    case .damaged(let objectID, let reason): StoreFault(.record, reason, objectID: objectID)
    default:
      StoreFault(
        .record, StoreError(error).message,
        place: check.schema.entities.first { $0.recordTree == tree }?.entity.root.name)
    }
  }

  private func note(_ view: RecordView, _ message: String) {
    check.notes.add(StoreFault(.record, message, objectID: objectID(view)))
  }

  private func objectID(_ view: RecordView) -> ManagedObjectID? {
    check.objectID(reference(view))
  }

  private func reference(_ view: RecordView) -> ObjectReference {
    ObjectReference(number: view.number, entityNumber: view.layout.entityNumber)
  }

  // MARK: References

  private func followReferences(_ view: RecordView) throws {
    guard let entity = check.schema.entity(number: view.layout.entityNumber) else { return }
    for (slot, numbers) in entity.toOnes where !view.isNull(at: slot) {
      let target = view.reference(at: slot)
      let property = entity.layout.properties[slot]
      let place = "\(entity.entity.name).\(property.name)"
      guard numbers.contains(target.entityNumber) else {
        check.notes.add(
          StoreFault(
            .reference, "it leads to an object of another entity", objectID: objectID(view),
            place: place))
        continue
      }
      guard try check.hasRecord(target) else {
        guard check.promisesTargets(property, of: entity.entity) else { continue }
        check.notes.add(
          StoreFault(
            .reference, "it leads to object \(target.number), which isn't there",
            objectID: objectID(view), place: place))
        continue
      }
      try compareWithInverse(view, property, entity, target, place)
    }
  }

  /// Compares a one-to-one relationship with its inverse; a to-many inverse follows from this side.
  private func compareWithInverse(
    _ view: RecordView, _ property: Property, _ entity: StoredEntity, _ target: ObjectReference,
    _ place: String
  ) throws {
    guard let inverse = entity.entity.inverse(of: property), inverse.isToOne,
      let row = try check.row(target)
    else { return }
    guard row.isNull(at: inverse.slot) || row.reference(at: inverse.slot) != reference(view) else {
      return
    }
    check.notes.add(
      StoreFault(
        .inverse, "“\(inverse.name)” of object \(target.number) doesn't lead back",
        objectID: objectID(view), place: place))
  }

  // MARK: Counters

  private mutating func count(_ view: RecordView) {
    var one = EntityCounters()
    one.rowCount = 1
    one.rawByteCount = Int64(view.rawByteCount)
    one.storedByteCount = Int64(view.bytes.count)
    counters[view.layout.entityNumber, default: EntityCounters()] += one
  }

  /// Compares what was counted with the counters of the catalogue.
  func compareCounters() throws {
    for entity in check.schema.entities where !unsure.contains(entity.recordTree) {
      let counted = counters[entity.number] ?? EntityCounters()
      do {
        let kept = try check.snapshot.counters(ofEntity: entity.number)
        guard kept != counted else { continue }
        check.notes.add(
          StoreFault(
            .catalogue,
            "the counters say \(kept.rowCount) rows of \(kept.storedByteCount) bytes, there are "
              + "\(counted.rowCount) of \(counted.storedByteCount)", place: entity.entity.name))
      } catch is RecordError {
        check.notes.add(
          StoreFault(.catalogue, "the counters are damaged", place: entity.entity.name))
      }
    }
  }
}

extension StoreCheck {
  /// Tells whether the rows at the other end of a relationship are promised to be there.
  func promisesTargets(_ property: Property, of entity: Entity) -> Bool {
    guard let inverse = entity.inverse(of: property)?.relationship else { return false }
    return inverse.deleteRule != .noAction
  }
}

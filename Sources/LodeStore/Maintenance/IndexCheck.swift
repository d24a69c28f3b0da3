internal import LodeKV
internal import LodeModel

/// Compares an index or a constraint with the rows that it follows from.
///
/// Each entry must be the one that its row makes. Entries being different from each other, there are then
/// as many as rows exactly when none is missing; only otherwise is each row's entry looked for.
struct IndexCheck {
  private let check: StoreCheck
  private let index: StoredIndex
  /// Sound rows of the index's entities; nil when that isn't known.
  private let rowCount: Int?
  private let tails = TailScratch()
  private var key = OrderedKey()
  private var soundCount = 0
  private var isUnsure = false
  /// The values of the last entry, and the objects that have them.
  private var group = Group()

  private struct Group {
    var prefix: [UInt8] = []
    var isCut = false
    var numbers: [UInt64] = []
  }

  init(_ check: StoreCheck, _ index: StoredIndex, rowCount: Int?) {
    self.check = check
    self.index = index
    self.rowCount = rowCount
  }

  private var place: String { "\(index.entity.name).\(index.name)" }

  mutating func run() throws {
    let cursor = try check.snapshot.cursor(in: index.tree)
    var isPresent = try cursor.first()
    while isPresent {
      check.notes.countIndexEntry()
      try checkEntry(cursor.key, cursor.value)
      isPresent = try cursor.next()
    }
    try closeGroup()
    if isUnsure || rowCount != soundCount { try findMissing() }
  }

  private mutating func checkEntry(
    _ bytes: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer
  ) throws {
    guard value.count == 2, let shape = try? index.key.shape(of: bytes),
      let number = try? ObjectKey(bytes, from: shape.end).number
    else {
      isUnsure = true
      return check.notes.add(StoreFault(.index, "an entry is damaged", place: place))
    }
    let reference = ObjectReference(
      number: number, entityNumber: value.integer(at: 0, as: UInt16.self))
    guard let row = try row(reference) else { return }
    tails.moveOn()
    do throws(RecordError) {
      try index.key.make(row, number: number, tails: tails, into: &key)
    } catch {
      isUnsure = true
      return
    }
    guard key.bytes.withUnsafeBytes({ compareBytes($0, bytes) == 0 }) else {
      return note("an entry has other values than its row", reference)
    }
    soundCount += 1
    if index.isUnique, !shape.hasNull { try addToGroup(bytes, shape, number) }
  }

  /// Returns an entry's row; nil after noting why there is none.
  private mutating func row(_ reference: ObjectReference) throws -> RecordView? {
    if let row = try check.row(reference) { return row }
    isUnsure = true
    // A damaged row has been noted already.
    if try !check.hasRecord(reference) { note("an entry leads to no row", reference) }
    return nil
  }

  private mutating func note(_ message: String, _ reference: ObjectReference) {
    isUnsure = true
    let objectID = check.objectID(reference)
    let message = objectID == nil ? "\(message): object \(reference.number)" : message
    check.notes.add(StoreFault(.index, message, objectID: objectID, place: place))
  }

  // MARK: Rows without an entry

  private mutating func findMissing() throws {
    guard let entity = check.schema.entity(index.entity) else { return }
    let numbers = Set(
      index.entity.selfAndDescendants.compactMap { check.schema.entity($0)?.number })
    let cursor = try check.snapshot.cursor(in: entity.recordTree)
    var isPresent = try cursor.first()
    while isPresent {
      if let number = try? ObjectKey(cursor.key).number,
        let view = try? check.schema.view(cursor.value, of: number, in: entity.recordTree),
        numbers.contains(view.layout.entityNumber)
      {
        try find(view)
      }
      isPresent = try cursor.next()
    }
  }

  private mutating func find(_ view: RecordView) throws {
    tails.moveOn()
    do throws(RecordError) {
      try index.key.make(view, number: view.number, tails: tails, into: &key)
    } catch {
      return
    }
    guard try check.snapshot.value(ofKey: key.bytes, in: index.tree) == nil else { return }
    note(
      "the row has no entry",
      ObjectReference(number: view.number, entityNumber: view.layout.entityNumber))
  }

  // MARK: Unique values

  private mutating func addToGroup(
    _ bytes: UnsafeRawBufferPointer, _ shape: IndexKey.Shape, _ number: UInt64
  ) throws {
    let prefix = bytes.part(0, shape.end)
    if !group.prefix.withUnsafeBytes({ compareBytes($0, prefix) == 0 }) {
      try closeGroup()
      group = Group(prefix: Array(prefix), isCut: shape.cutEnd != nil)
    }
    group.numbers.append(number)
  }

  private mutating func closeGroup() throws {
    guard group.numbers.count > 1 else { return }
    guard group.isCut else { return noteCollision(group.numbers) }
    var groups: [[UInt8]: [UInt64]] = [:]
    for number in group.numbers {
      guard let view = try view(number), let uncut = try? index.key.makeUncut(view, tails: tails)
      else { continue }
      groups[uncut, default: []].append(number)
    }
    for numbers in groups.values where numbers.count > 1 { noteCollision(numbers.sorted()) }
  }

  private func view(_ number: UInt64) throws -> RecordView? {
    guard let tree = check.schema.entity(index.entity)?.recordTree,
      let value = try check.snapshot.value(ofObject: number, in: tree)
    else { return nil }
    tails.moveOn()
    return try? check.schema.view(value, of: number, in: tree)
  }

  private func noteCollision(_ numbers: [UInt64]) {
    guard let first = numbers.first else { return }
    for number in numbers.dropFirst() {
      let view = try? view(number)
      let objectID = view.flatMap { view in
        check.objectID(
          ObjectReference(number: number, entityNumber: view.layout.entityNumber))
      }
      check.notes.add(
        StoreFault(
          .constraint, "it has the same values as object \(first)", objectID: objectID,
          place: place))
    }
  }
}

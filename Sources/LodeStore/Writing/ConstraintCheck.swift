internal import LodeKV
internal import LodeModel

/// Finds the uniqueness constraints that a commit would break.
///
/// Reads the sorted writes of each constraint's tree in runs of equal values: what a run puts must be
/// alone among the run's puts and the stored entries that the run doesn't delete.
struct ConstraintCheck {
  private let schema: StoreSchema
  private let snapshot: any KeyValueSnapshot
  /// Returns the record that the commit gives to an object; nil for objects it doesn't write.
  private let newRecord: (UInt64) -> Record?
  private var violations: [StoreError.ConstraintViolation] = []
  private var run = Run()

  /// Writes whose keys have the same values.
  private struct Run {
    var prefix: [UInt8] = []
    var isCut = false
    var puts: [UInt64] = []
    var deletes: Set<UInt64> = []
  }

  /// The most violations that an error lists.
  static let violationCountMax = 100

  init(
    _ schema: StoreSchema, _ snapshot: any KeyValueSnapshot,
    newRecord: @escaping (UInt64) -> Record?
  ) {
    self.schema = schema
    self.snapshot = snapshot
    self.newRecord = newRecord
  }

  /// - Parameter writes: sorted.
  /// - Throws: `StoreError` with code `constraint`, listing the objects that collide.
  mutating func check(_ writes: WriteSet) throws {
    for index in Self.constraints(of: schema) {
      let treeWrites = writes[index.tree]
      guard treeWrites.count > 0 else { continue }
      let cursor = try snapshot.cursor(in: index.tree)
      try treeWrites.forEach { key, isPut in try take(key, isPut, index, cursor) }
      try close(index, cursor)
      guard violations.count < Self.violationCountMax else { break }
    }
    guard !violations.isEmpty else { return }
    throw Self.error(violations)
  }

  static func constraints(of schema: StoreSchema) -> [StoredIndex] {
    schema.entities.flatMap { entity in
      entity.indexes.filter { $0.isUnique && $0.entity == entity.entity }
    }
  }

  static func error(_ violations: [StoreError.ConstraintViolation]) -> StoreError {
    let names = Set(
      violations.map { "\($0.entityName)(\($0.propertyNames.joined(separator: ", ")))" })
    return StoreError(
      .constraint,
      "objects have values that must be unique: \(names.sorted().joined(separator: ", "))",
      objectIDs: violations.map(\.objectID), constraintViolations: violations)
  }

  // MARK: Runs

  private mutating func take(
    _ key: UnsafeRawBufferPointer, _ isPut: Bool, _ index: StoredIndex,
    _ cursor: any KeyValueCursor
  ) throws {
    let shape = try index.key.shape(of: key)
    let number = try ObjectKey(key, from: shape.end).number
    guard !shape.hasNull else { return }
    if !key.prefix(shape.end).elementsEqual(run.prefix) {
      try close(index, cursor)
      run.prefix = Array(key.prefix(shape.end))
      run.isCut = shape.cutEnd != nil
    }
    if isPut { run.puts.append(number) } else { run.deletes.insert(number) }
  }

  private mutating func close(_ index: StoredIndex, _ cursor: any KeyValueCursor) throws {
    defer { run = Run() }
    guard !run.puts.isEmpty, violations.count < Self.violationCountMax else { return }
    let stored = try storedNumbers(index, cursor)
    guard run.isCut else {
      return try report(run.puts, stored, index)
    }
    var groups: [[UInt8]: (puts: [UInt64], stored: [UInt64])] = [:]
    for number in run.puts {
      groups[try uncutKey(number, index), default: ([], [])].puts.append(number)
    }
    for number in stored {
      groups[try uncutKey(number, index), default: ([], [])].stored.append(number)
    }
    for group in groups.values { try report(group.puts, group.stored, index) }
  }

  /// Returns the objects that have the run's values in the store and keep them.
  private func storedNumbers(
    _ index: StoredIndex, _ cursor: any KeyValueCursor
  ) throws -> [UInt64] {
    var numbers: [UInt64] = []
    var isPresent = try run.prefix.withUnsafeBytes { try cursor.seek($0) }
    while isPresent, cursor.key.starts(with: run.prefix) {
      let number = try ObjectKey(cursor.key, from: run.prefix.count).number
      if !run.deletes.contains(number) { numbers.append(number) }
      isPresent = try cursor.next()
    }
    return numbers
  }

  private mutating func report(
    _ puts: [UInt64], _ stored: [UInt64], _ index: StoredIndex
  ) throws {
    guard let first = puts.first else { return }
    if let holder = stored.first {
      for number in puts { try report(number, holder, index) }
    } else {
      for number in puts.dropFirst() { try report(number, first, index) }
    }
  }

  private mutating func report(_ number: UInt64, _ other: UInt64, _ index: StoredIndex) throws {
    guard violations.count < Self.violationCountMax else { return }
    violations.append(
      StoreError.ConstraintViolation(
        entityName: index.entity.name, propertyNames: index.propertyNames,
        objectID: try objectID(number, index), conflictingID: try objectID(other, index)))
  }

  // MARK: Rows

  private func withRow<Result>(
    _ number: UInt64, _ index: StoredIndex, _ body: (RecordView) throws -> Result
  ) throws -> Result {
    if let record = newRecord(number) { return try record.withView(body) }
    guard let tree = schema.entity(index.entity)?.recordTree,
      let value = try snapshot.value(ofObject: number, in: tree)
    else {
      throw RecordError.malformed(reason: "an index entry without a row")
    }
    return try body(try schema.view(value, of: number, in: tree))
  }

  private func uncutKey(_ number: UInt64, _ index: StoredIndex) throws -> [UInt8] {
    try withRow(number, index) { view in
      try index.key.makeUncut(view, tails: TailScratch())
    }
  }

  private func objectID(_ number: UInt64, _ index: StoredIndex) throws -> ManagedObjectID {
    try withRow(number, index) { view in
      try schema.references.objectID(
        of: ObjectReference(number: number, entityNumber: view.layout.entityNumber))
    }
  }
}

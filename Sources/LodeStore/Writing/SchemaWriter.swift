internal import LodeKV
internal import LodeModel

/// Writes what opening a store with a model comes to: catalogue entries, new indexes and constraints
/// filled from the rows that exist, trees of dropped ones emptied.
struct SchemaWriter {
  private let opening: SchemaOpening
  private let snapshot: any KeyValueSnapshot
  private var writes = WriteSet()

  init(_ opening: SchemaOpening, _ snapshot: any KeyValueSnapshot) {
    self.opening = opening
    self.snapshot = snapshot
  }

  /// Makes the write list.
  ///
  /// - Complexity: all rows of the entities that have gained an index or a constraint.
  /// - Throws: `StoreError` with code `constraint` when rows collide under a new constraint.
  mutating func writeList() throws -> WriteList {
    for (key, value) in opening.puts { writes[CatalogueKey.tree].put(key, value) }
    for key in opening.removals { writes[CatalogueKey.tree].delete(key) }
    for tree in opening.dropped { try empty(tree) }
    try fill(opening.added)
    writes.sort()
    var check = ConstraintCheck(opening.schema, snapshot) { _ in nil }
    try check.check(writes)
    return writes.list
  }

  private mutating func empty(_ tree: TreeID) throws {
    let cursor = try snapshot.cursor(in: tree)
    var isPresent = try cursor.first()
    while isPresent {
      writes[tree].delete(cursor.key)
      isPresent = try cursor.next()
    }
  }

  private mutating func fill(_ indexes: [StoredIndex]) throws {
    for index in indexes {
      guard let entity = opening.schema.entity(index.entity) else { continue }
      let numbers = Set(
        entity.entity.selfAndDescendants.compactMap { opening.schema.entity($0)?.number })
      try fill(index, entity.recordTree, numbers)
    }
  }

  private mutating func fill(
    _ index: StoredIndex, _ tree: TreeID, _ entityNumbers: Set<UInt16>
  ) throws {
    let cursor = try snapshot.cursor(in: tree)
    let tails = TailScratch()
    var key = OrderedKey()
    var isPresent = try cursor.first()
    while isPresent {
      let number = try ObjectKey(cursor.key).number
      let view = try opening.schema.view(cursor.value, of: number, in: tree)
      let entityNumber = view.layout.entityNumber
      if entityNumbers.contains(entityNumber) {
        try index.key.make(view, number: number, tails: tails, into: &key)
        key.bytes.withUnsafeBytes { key in
          withUnsafeBytes(of: entityNumber.littleEndian) { writes[index.tree].put(key, $0) }
        }
      }
      isPresent = try cursor.next()
    }
  }
}

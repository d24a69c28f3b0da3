internal import LodeKV
internal import LodeModel

/// A row that a source has found, not yet tested; valid as long as the query's snapshot.
struct Candidate {
  let reference: ObjectReference
  /// nil where the source found the row without its record.
  let view: RecordView?
}

/// Reads a plan's source: finds candidates of the plan's entities.
final class CandidateReader {
  private let plan: QueryPlan
  private let schema: StoreSchema
  private let snapshot: any KeyValueSnapshot
  /// By entity number, whether rows of the entity are meant.
  private let isMeant: [Bool]
  /// The last record's entity and layout: most records are like the one before.
  private var lastEntityNumber: UInt16
  private var lastLayout: RecordLayout

  init(_ plan: QueryPlan, _ schema: StoreSchema, _ snapshot: any KeyValueSnapshot) {
    self.plan = plan
    self.schema = schema
    lastEntityNumber = plan.entity.number
    lastLayout = plan.entity.layout
    self.snapshot = snapshot
    var isMeant = [Bool](repeating: false, count: Int(plan.entityNumbers.max() ?? 0) + 1)
    for number in plan.entityNumbers { isMeant[Int(number)] = true }
    self.isMeant = isMeant
  }

  /// Tells whether rows of an entity are meant.
  func means(_ entityNumber: UInt16) -> Bool {
    Int(entityNumber) < isMeant.count && isMeant[Int(entityNumber)]
  }

  /// Calls a closure with each candidate, in the order of the source, until it returns false.
  func forEach(_ body: (Candidate) throws -> Bool) throws {
    switch plan.source {
    case .nothing: return
    case .scan: try scan(body)
    case .numbers(let numbers): try read(numbers, body)
    case .links(let links, let owners): try read(links, owners, body)
    case .index(let index, let ranges):
      let scan = IndexScan(index, ranges, snapshot)
      try scan.forEachEntry(backwards: false) { entry in
        try means(entry.reference.entityNumber)
          ? body(Candidate(reference: entry.reference, view: nil)) : true
      }
    }
  }

  /// Finds a candidate's record.
  ///
  /// - Throws: `RecordError.malformed` when an index leads to a row that isn't there.
  func view(of candidate: Candidate) throws -> RecordView {
    if let view = candidate.view { return view }
    guard let entity = schema.entity(number: candidate.reference.entityNumber),
      let view = try snapshot.record(of: candidate.reference.number, entity, schema)
    else { throw RecordError.malformed(reason: "an index entry without its row") }
    return view
  }

  private func scan(_ body: (Candidate) throws -> Bool) throws {
    let cursor = try snapshot.cursor(in: plan.entity.recordTree)
    var isPresent = try cursor.first()
    while isPresent {
      if let candidate = try candidate(try ObjectKey(cursor.key).number, cursor.value) {
        guard try body(candidate) else { return }
      }
      isPresent = try cursor.next()
    }
  }

  private func candidate(
    _ number: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws -> Candidate? {
    let view = try view(bytes, of: number)
    let entityNumber = view.layout.entityNumber
    guard means(entityNumber) else { return nil }
    return Candidate(
      reference: ObjectReference(number: number, entityNumber: entityNumber), view: view)
  }

  /// Checks records of entities that aren't meant too: the damage may be in the entity's number.
  private func view(
    _ bytes: UnsafeRawBufferPointer, of number: UInt64
  ) throws(RecordError) -> RecordView {
    if RecordView.entityNumber(of: bytes) == lastEntityNumber {
      return try RecordView(bytes, of: number, layout: lastLayout)
    }
    let view = try schema.view(bytes, of: number, in: plan.entity.recordTree)
    (lastEntityNumber, lastLayout) = (view.layout.entityNumber, view.layout)
    return view
  }

  private func read(_ numbers: [UInt64], _ body: (Candidate) throws -> Bool) throws {
    for number in numbers {
      guard let bytes = try snapshot.value(ofObject: number, in: plan.entity.recordTree),
        let candidate = try candidate(number, bytes)
      else { continue }
      guard try body(candidate) else { return }
    }
  }

  private func read(
    _ links: StoredLinks, _ owners: [ObjectReference], _ body: (Candidate) throws -> Bool
  ) throws {
    var isGoingOn = true
    for owner in owners where isGoingOn {
      try snapshot.forEachLink(of: owner, in: links.tree) { key, value in
        try LinkValue.check(key, value, links.form)
        let reference = ObjectReference(bits: key.rest)
        if means(reference.entityNumber) {
          isGoingOn = try body(Candidate(reference: reference, view: nil))
        }
        return isGoingOn
      }
    }
  }
}

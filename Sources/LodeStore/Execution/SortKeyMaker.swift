internal import LodeModel

/// Makes sort keys of rows: the ordered keys of all terms, then the object number.
struct SortKeyMaker {
  private let terms: [BoundSortTerm]
  private let context: RowContext
  private var key = OrderedKey()

  init(_ terms: [BoundSortTerm], _ context: RowContext) {
    self.terms = terms
    self.context = context
  }

  /// Calls a closure with a row's key.
  mutating func withKey(
    _ reference: ObjectReference, _ view: RecordView, _ body: ([UInt8]) throws -> Void
  ) throws {
    key.removeAll()
    for term in terms { try append(term, reference, view) }
    key.append(number: reference.number)
    try body(key.bytes)
  }

  private mutating func append(
    _ term: BoundSortTerm, _ reference: ObjectReference, _ view: RecordView
  ) throws {
    if let slot = term.plainSlot {
      return try key.append(
        view, slot: slot, isAscending: term.isAscending, textBudget: OrderedKey.unlimited,
        tails: context.tails)
    }
    let value = try term.value(
      on: RowSource(context: context, number: reference.number, view: view))
    let isAppended = key.append(
      value, as: term.path.attributeType.map { RecordLayout.Kind($0) } ?? .reference,
      isAscending: term.isAscending, textBudget: OrderedKey.unlimited,
      references: context.schema.references)
    guard isAppended else { throw RecordError.malformed(reason: "a sort key of another kind") }
  }
}

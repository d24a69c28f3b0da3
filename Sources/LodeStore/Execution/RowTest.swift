internal import LodeModel

/// A query's condition made ready for records: single fields are tested on bytes, cheap tests first, and
/// the evaluator is asked for the rest.
final class RowTest {
  private enum Form {
    case constant(Bool)
    case all([RowTest])
    case any([RowTest])
    case not(RowTest)
    case field(FieldTest)
    case evaluated(BoundPredicate)
  }

  private let form: Form
  /// Set for a field's test, so that it is found without looking into the enumeration.
  private let field: FieldTest?
  /// Set when all of some tests must hold: those of numbers, then the others.
  private let ordinals: [OrdinalTest]
  private let others: [RowTest]

  private init(_ form: Form) {
    self.form = form
    field = if case .field(let field) = form { field } else { nil }
    let parts: [RowTest] = if case .all(let parts) = form { parts } else { [] }
    ordinals = parts.compactMap { $0.field?.ordinalTest }
    others = parts.filter { $0.field?.ordinalTest == nil }
  }

  /// Makes the test of a condition on rows of an entity and of those that inherit from it, which keep
  /// its fields at the same slots.
  convenience init(_ predicate: BoundPredicate, _ layout: RecordLayout) {
    self.init(predicate.root, predicate, layout)
  }

  private convenience init(
    _ node: BoundPredicate.Node, _ predicate: BoundPredicate, _ layout: RecordLayout
  ) {
    self.init(Self.form(node, predicate, layout))
  }

  private static func form(
    _ node: BoundPredicate.Node, _ predicate: BoundPredicate, _ layout: RecordLayout
  ) -> Form {
    let kinds = layout.fields.map(\.kind)
    if let condition = SlotCondition(node, kinds), let test = FieldTest(condition, layout) {
      return .field(test)
    }
    return switch node {
    case .constant(let constant): .constant(constant)
    case .and(let parts): .all(ordered(parts, predicate, layout))
    case .or(let parts): .any(ordered(parts, predicate, layout))
    case .not(let part): .not(RowTest(part, predicate, layout))
    case .comparison(let comparison): form(comparison, predicate, layout)
    }
  }

  private static func form(
    _ comparison: BoundComparison, _ predicate: BoundPredicate, _ layout: RecordLayout
  ) -> Form {
    if let test = FieldTest(comparison, layout) { return .field(test) }
    if comparison.operator == .notEqual {
      // Two-valued logic: what isn't equal is unequal, null included.
      var equal = comparison
      equal.operator = .equal
      let kinds = layout.fields.map(\.kind)
      if let condition = SlotCondition(.comparison(equal), kinds),
        let test = FieldTest(condition, layout)
      {
        return .not(RowTest(.field(test)))
      }
    }
    return .evaluated(
      BoundPredicate(
        entity: predicate.entity, predicate: predicate.predicate, root: .comparison(comparison),
        traversedEntities: predicate.traversedEntities))
  }

  private static func ordered(
    _ nodes: [BoundPredicate.Node], _ predicate: BoundPredicate, _ layout: RecordLayout
  ) -> [RowTest] {
    let tests = nodes.map { RowTest($0, predicate, layout) }
    return (0...2).flatMap { rank in tests.filter { $0.rank == rank } }
  }

  /// How costly a test is: 0 for fixed fields, 1 for text, 2 for the evaluator.
  private var rank: Int {
    switch form {
    case .constant: 0
    case .field(let test): test.readsText ? 1 : 0
    case .not(let test): test.rank
    case .all(let tests), .any(let tests): tests.map(\.rank).max() ?? 0
    case .evaluated: 2
    }
  }

  /// Tells whether a row satisfies the condition.
  func holds(_ view: RecordView, number: UInt64, _ context: RowContext) throws -> Bool {
    if let field { return try field.holds(view, context.tails) }
    switch form {
    case .all:
      for test in ordinals where !test.holds(view) { return false }
      for test in others where try !test.holds(view, number: number, context) { return false }
      return true
    case .any(let tests):
      for test in tests where try test.holds(view, number: number, context) { return true }
      return false
    case .not(let test): return try !test.holds(view, number: number, context)
    case .evaluated(let predicate):
      return try predicate.evaluate(on: RowSource(context: context, number: number, view: view))
    case .constant(let constant): return constant
    case .field: return true
    }
  }
}

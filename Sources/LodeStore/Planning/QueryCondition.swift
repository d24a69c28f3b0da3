internal import LodeModel

/// A query's condition taken apart: what it says of columns, of the object itself, and the rest.
struct QueryCondition {
  /// The comparisons that must all hold.
  let nodes: [BoundPredicate.Node]
  /// What they say of columns, by slot.
  private(set) var slots: [Int: SlotBounds] = [:]
  /// The objects that the row may be, with the node that says so.
  private(set) var objects: (objectIDs: [ManagedObjectID], node: Int)?
  /// Whether a comparison can't be satisfied by any row.
  private(set) var isNever = false
  private let predicate: BoundPredicate?

  init(_ predicate: BoundPredicate?, _ entity: StoredEntity) {
    self.predicate = predicate
    nodes =
      switch predicate?.root {
      case nil, .constant(true): []
      case .and(let parts): parts
      case let node?: [node]
      }
    let kinds = entity.layout.fields.map(\.kind)
    for (index, node) in nodes.enumerated() { add(node, index, kinds) }
  }

  private mutating func add(
    _ node: BoundPredicate.Node, _ index: Int, _ kinds: [RecordLayout.Kind]
  ) {
    if case .constant(false) = node { isNever = true }
    if let objectIDs = Self.objectIDs(node) {
      if objects == nil { objects = (objectIDs, index) }
    } else if let condition = SlotCondition(node, kinds) {
      if condition.test == .never { isNever = true }
      slots[condition.slot, default: SlotBounds()].add(condition.test, index)
    }
  }

  /// The columns that can have one value only, which order nothing.
  var constantSlots: Set<Int> {
    Set(slots.filter { $0.value.points?.values.count == 1 }.keys)
  }

  /// Reads `SELF == id` and `SELF IN {…}`.
  private static func objectIDs(_ node: BoundPredicate.Node) -> [ManagedObjectID]? {
    guard case .comparison(let comparison) = node, comparison.quantifier == .direct,
      case .selfObject = comparison.left, case .constant(let constant) = comparison.right
    else { return nil }
    switch (comparison.operator, constant) {
    case (.equal, .objectID(let objectID)): return [objectID]
    case (.in, .list(let values)):
      return values.compactMap { if case .objectID(let objectID) = $0 { objectID } else { nil } }
    default: return nil
    }
  }

  /// Returns what is still to be tested when a source answers some comparisons exactly; nil for nothing.
  func residual(without answered: Set<Int>) -> BoundPredicate? {
    guard let predicate, answered.count < nodes.count else { return nil }
    guard !answered.isEmpty else { return predicate }
    let rest = nodes.indices.filter { !answered.contains($0) }.map { nodes[$0] }
    return BoundPredicate(
      entity: predicate.entity, predicate: predicate.predicate,
      root: rest.count == 1 ? rest[0] : .and(rest),
      traversedEntities: predicate.traversedEntities)
  }
}

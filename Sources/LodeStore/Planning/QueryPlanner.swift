internal import LodeModel

/// Finds the cheapest way to run a query.
///
/// Plans depend on the model and the query alone, not on the rows: costs are those of a store of nominal
/// size, so that a query has one plan that tests and people can know.
struct QueryPlanner {
  private let schema: StoreSchema

  init(_ schema: StoreSchema) { self.schema = schema }

  /// Plans a query.
  ///
  /// - Throws: `StoreError` with code `predicate` when the query asks for what stores don't have.
  func plan(
    _ query: StoreQuery, for purpose: PlanPurpose = .rows
  ) throws(StoreError) -> QueryPlan {
    try builder(query, purpose).cheapest()
  }

  /// Returns every plan that the planner weighs, the scan first.
  func plans(_ query: StoreQuery, for purpose: PlanPurpose) throws(StoreError) -> [QueryPlan] {
    try builder(query, purpose).candidates().map(\.plan)
  }

  private func builder(
    _ query: StoreQuery, _ purpose: PlanPurpose
  ) throws(StoreError) -> PlanBuilder {
    guard let entity = schema.entity(query.entity) else {
      throw StoreError(.predicate, "“\(query.entity.name)” is no entity of this store")
    }
    try checkTransients(query)
    let condition = QueryCondition(query.predicate, entity)
    let sort =
      purpose == .count
      ? [] : Self.distinct(query.sort, constants: condition.constantSlots)
    return PlanBuilder(
      schema: schema, entity: entity, entityNumbers: entityNumbers(query, entity),
      condition: condition, sort: sort, purpose: purpose,
      reach: query.limit > 0 ? Double(query.limit) + Double(max(query.offset, 0)) : nil)
  }

  private func checkTransients(_ query: StoreQuery) throws(StoreError) {
    let keyPath =
      query.predicate?.transientKeyPaths.first
      ?? query.sort.lazy.compactMap(\.transientKeyPath).first
    guard let keyPath else { return }
    throw StoreError(
      .predicate, "“\(keyPath)” of “\(query.entity.name)” is transient: no store keeps its values")
  }

  private func entityNumbers(_ query: StoreQuery, _ entity: StoredEntity) -> Set<UInt16> {
    guard query.includesSubentities else { return [entity.number] }
    return Set(entity.entity.selfAndDescendants.compactMap { schema.entity($0)?.number })
  }

  /// Leaves out terms that order nothing: by a column with one value, or by one used before.
  private static func distinct(
    _ sort: [BoundSortTerm], constants: Set<Int>
  ) -> [BoundSortTerm] {
    var slots = constants
    return sort.filter { $0.plainSlot.map { slots.insert($0).inserted } ?? true }
  }
}

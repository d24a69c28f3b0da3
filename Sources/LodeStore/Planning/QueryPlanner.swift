internal import LodeModel

/// Finds the cheapest way to run a query.
struct QueryPlanner {
  private let schema: StoreSchema

  init(_ schema: StoreSchema) { self.schema = schema }

  /// Plans a query.
  ///
  /// - Throws: `StoreError` with code `predicate` when the query asks for what stores don't have.
  func plan(_ query: StoreQuery) throws(StoreError) -> QueryPlan {
    guard let entity = schema.entity(query.entity) else {
      throw StoreError(.predicate, "“\(query.entity.name)” is no entity of this store")
    }
    try checkTransients(query)
    return QueryPlan(
      entity: entity, entityNumbers: entityNumbers(query, entity),
      source: query.predicate?.isNever == true ? .nothing : .scan,
      residual: query.predicate?.isAlways == true ? nil : query.predicate, sort: query.sort)
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
}

extension BoundPredicate {
  var isAlways: Bool { root == .constant(true) }
  var isNever: Bool { root == .constant(false) }
}

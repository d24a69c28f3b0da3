public import LodeModel

/// What is asked of a store: which rows of which entity, in which order, and which window of them.
public struct StoreQuery: Sendable {
  /// The entity whose rows are asked for.
  public var entity: Entity

  /// Whether rows of the entity's sub-entities are meant as well.
  public var includesSubentities: Bool

  /// The condition; nil for all rows. Bound to `entity`.
  public var predicate: BoundPredicate?

  /// The order; rows that it leaves equal are ordered by object number.
  public var sort: [BoundSortTerm]

  /// The largest count of rows wanted; 0 for all.
  public var limit: Int

  /// How many rows of the ordered result are passed over first.
  public var offset: Int

  /// Makes a query.
  public init(
    entity: Entity, includesSubentities: Bool = true, predicate: BoundPredicate? = nil,
    sort: [BoundSortTerm] = [], limit: Int = 0, offset: Int = 0
  ) {
    self.entity = entity
    self.includesSubentities = includesSubentities
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.offset = offset
  }
}

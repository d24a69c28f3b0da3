internal import LodeModel

/// How a query will be run: where candidates come from, what is still to be tested, how they are ordered.
struct QueryPlan: Sendable {
  /// Where the candidates come from.
  enum Source: Sendable {
    /// Nothing can match.
    case nothing
    /// All records of the entity's inheritance tree.
    case scan
  }

  let entity: StoredEntity
  /// The entities whose rows are meant.
  let entityNumbers: Set<UInt16>
  let source: Source
  /// What each candidate must still satisfy; nil when the source gives matches only.
  let residual: BoundPredicate?
  /// The order that the matches must be brought into; empty when the source gives them in theirs.
  let sort: [BoundSortTerm]
}

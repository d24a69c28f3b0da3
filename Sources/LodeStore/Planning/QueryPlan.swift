internal import LodeModel

/// What is asked of a plan, which decides whether it needs records and an order.
enum PlanPurpose: Sendable {
  case rows, objectIDs, count
}

/// How a query will be run: where candidates come from, what is still to be tested, how they are ordered.
struct QueryPlan: Sendable {
  /// Where the candidates come from.
  enum Source: Sendable {
    /// Nothing can match.
    case nothing
    /// All records of the entity's inheritance tree.
    case scan
    /// The rows with these numbers, ascending.
    case numbers([UInt64])
    /// Entries of an index in some ranges of keys.
    case index(StoredIndex, [KeyRange])
    /// Members of owners, by a derived link tree.
    case links(StoredLinks, [ObjectReference])
  }

  /// How the matches come into the query's order.
  enum Order: Sendable {
    /// They come in it.
    case source
    /// The index gives it, backwards or with rows that it leaves equal in groups, which are sorted by
    /// the terms where the index has cut text, else by object number.
    case index(elementCount: Int, isReversed: Bool, groupTerms: [BoundSortTerm])
    /// They are sorted by object number.
    case number
    /// They are sorted by terms, then by object number.
    case terms([BoundSortTerm])
  }

  let entity: StoredEntity
  /// The entities whose rows are meant.
  let entityNumbers: Set<UInt16>
  let source: Source
  /// What each candidate must still satisfy; nil when the source gives matches only.
  let residual: BoundPredicate?
  let order: Order
  /// How the index's elements are used, for the plan's text.
  var uses: [(slot: Int, use: IndexMatch.Use)] = []
}

extension BoundSortTerm {
  /// The slot of a term that sorts by a property of the row itself, unfolded.
  var plainSlot: Int? {
    guard options.isEmpty, path.properties.count == 1, path.elementNames.isEmpty else { return nil }
    return path.properties[0].slot
  }
}

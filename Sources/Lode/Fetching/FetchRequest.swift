public import Foundation
public import LodeModel
package import LodeStore

/// What is asked of a context: objects of one entity that satisfy a predicate, in an order.
public final class FetchRequest<Object: ManagedObject> {
  /// The entity's name; nil takes the entity of the class `Object`.
  public var entityName: String?

  /// Whether objects of sub-entities are meant as well.
  public var includesSubentities = true

  /// The condition; nil for all objects.
  public var predicate: ObjectPredicate? {
    didSet { loweringError = nil }
  }

  /// The order; objects that it leaves equal come in the order of their creation.
  public var sortTerms: [SortTerm] {
    didSet { sortLoweringError = nil }
  }

  /// The largest count of objects wanted; 0 for all.
  public var fetchLimit = 0

  /// How many objects of the ordered result are passed over first.
  public var fetchOffset = 0

  /// How many rows are read at once when the first fault of a batch fires; 0 reads all rows with the fetch.
  public var fetchBatchSize = 0

  /// Whether unsaved changes of the context count: inserted objects that match appear, changed ones are
  /// judged by their new values, deleted ones are left out.
  public var includesPendingChanges = true

  /// Whether objects that the context has already take the values of their rows; unsaved changes stay.
  public var shouldRefreshRefetchedObjects = false

  /// Relationships, from the fetched objects on, whose objects are read in one go with the fetch:
  /// `team`, `team.league`.
  public var relationshipKeyPathsForPrefetching: [String] = []

  /// Why the Swift predicate or sort of the initializer can't be used; the fetch throws it.
  private(set) var loweringError: ObjectPredicateError?
  private(set) var sortLoweringError: ObjectPredicateError?

  /// Makes a request for all objects of an entity.
  public init(
    entityName: String? = nil, predicate: ObjectPredicate? = nil, sortTerms: [SortTerm] = []
  ) {
    self.entityName = entityName
    self.predicate = predicate
    self.sortTerms = sortTerms
  }

  /// Makes a request of Swift's own predicate and sort descriptors.
  ///
  /// What can't be expressed as an `ObjectPredicate` makes the fetch throw `ObjectPredicateError`.
  public init(predicate: Predicate<Object>? = nil, sortBy: [SortDescriptor<Object>]) {
    do throws(ObjectPredicateError) {
      self.predicate = try predicate.map { value throws(ObjectPredicateError) in
        try ObjectPredicate(lowering: value)
      }
    } catch {
      loweringError = error
    }
    do throws(ObjectPredicateError) {
      var terms: [SortTerm] = []
      for descriptor in sortBy { terms.append(try SortTerm(lowering: descriptor)) }
      sortTerms = terms
    } catch {
      sortTerms = []
      sortLoweringError = error
    }
  }

  /// Makes a request of Swift's own predicate, in the order of creation.
  public convenience init(predicate: Predicate<Object>) {
    self.init(predicate: predicate, sortBy: [])
  }
}

/// The parts of a request that its context has found in the model.
package struct BoundRequest {
  /// The entity that is asked for.
  package let entity: Entity
  /// What the backing is asked when no unsaved changes matter.
  package let query: StoreQuery
  let includesPendingChanges: Bool
}

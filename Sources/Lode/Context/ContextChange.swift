package import LodeModel

/// The net changes of a context's objects since the last cycle; each object is in one list only.
package struct ContextChange {
  /// Objects that are new in this context.
  package var inserted: [ManagedObject] = []
  /// Objects of whose values one at least differs from before.
  package var updated: [ManagedObject] = []
  /// Objects that were deleted here or elsewhere.
  package var deleted: [ManagedObject] = []
  /// Rows that changed elsewhere and have no object in this context.
  package var insertedIDs: [ManagedObjectID] = []
  /// Rows that changed elsewhere.
  package var updatedIDs: [ManagedObjectID] = []
  /// Rows that were deleted elsewhere.
  package var deletedIDs: [ManagedObjectID] = []
  /// Whether every object of the context has become invalid.
  package var invalidatesAll = false

  /// Makes an empty change.
  package init() {}

  /// Whether there is nothing to tell.
  package var isEmpty: Bool {
    inserted.isEmpty && updated.isEmpty && deleted.isEmpty && insertedIDs.isEmpty
      && updatedIDs.isEmpty && deletedIDs.isEmpty && !invalidatesAll
  }
}

/// Someone who is told of a context's changes, on the context's executor.
package protocol ContextObserver: AnyObject {
  func context(_ context: ManagedObjectContext, didChange change: ContextChange)
}

struct WeakContextObserver {
  weak var observer: (any ContextObserver)?
}

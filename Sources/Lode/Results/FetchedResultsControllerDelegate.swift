public import Foundation

/// What happened to a section or a row, as a delegate is told.
public enum FetchedResultsChangeType: Hashable, Sendable {
  case insert
  case delete
  /// The row has another place; `updated` tells whether the object's own values changed as well.
  case move(updated: Bool)
  case update
}

/// Someone who is told of every change to fetched results, on the executor of their context.
///
/// Each batch is told as one will-change, the section changes, the row changes and one did-change. Inside
/// will-change the controller still answers with the old list, afterwards with the new one. Every method
/// has an empty default.
public protocol FetchedResultsControllerDelegate<Object>: AnyObject {
  associatedtype Object: ManagedObject

  /// Called before the list changes.
  func controllerWillChangeContent(_ controller: FetchedResultsController<Object>)

  /// Called for each section that went or came, before any row of the batch.
  ///
  /// - Parameters:
  ///   - section: the section; one that went has its name and no objects.
  ///   - index: its place in the old list for a delete, in the new one for an insert.
  func controller(
    _ controller: FetchedResultsController<Object>,
    didChange section: FetchedResultsSection<Object>,
    atSectionIndex index: Int, for type: FetchedResultsChangeType)

  /// Called once for each row that went, came, moved or changed.
  ///
  /// - Parameters:
  ///   - object: the row's object; one whose row is gone from the store answers nil for its values.
  ///   - indexPath: its path in the old list; nil for an insert.
  ///   - newIndexPath: its path in the new list; nil for a delete.
  func controller(
    _ controller: FetchedResultsController<Object>, didChange object: Object,
    at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?)

  /// Called after all changes of a batch.
  func controllerDidChangeContent(_ controller: FetchedResultsController<Object>)

  /// Called when a change could not be followed; the list stays as it was until the next fetch.
  func controller(
    _ controller: FetchedResultsController<Object>, didFailWith error: FetchedResultsError)

  /// Returns the index title of a section; nil, the default, for the first letter of its name.
  func controller(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String?
}

extension FetchedResultsControllerDelegate {
  /// Does nothing.
  public func controllerWillChangeContent(_ controller: FetchedResultsController<Object>) {}

  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Object>,
    didChange section: FetchedResultsSection<Object>,
    atSectionIndex index: Int, for type: FetchedResultsChangeType
  ) {}

  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Object>, didChange object: Object,
    at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?
  ) {}

  /// Does nothing.
  public func controllerDidChangeContent(_ controller: FetchedResultsController<Object>) {}

  /// Does nothing.
  public func controller(
    _ controller: FetchedResultsController<Object>, didFailWith error: FetchedResultsError
  ) {}

  /// Returns nil: the default title.
  public func controller(
    _ controller: FetchedResultsController<Object>, sectionIndexTitleForSectionName name: String
  ) -> String? { nil }
}

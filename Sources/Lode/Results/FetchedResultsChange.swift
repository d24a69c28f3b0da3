public import Foundation
public import LodeModel

/// What one batch of changes did to fetched results, as plain values that may go anywhere.
///
/// Paths of deletes and of `from` count in the list before the batch, all others in the list after it.
/// Deleting the deleted and moved rows and the deleted sections, then inserting the inserted sections and
/// the inserted and moved rows, turns the old list into the new one. A row that goes with its section, or
/// comes with it, is listed as well. Rows that only shifted are not mentioned; each object is mentioned
/// once.
public struct FetchedResultsChange: Sendable, Hashable {
  /// A section that went or came.
  public enum Section: Sendable, Hashable {
    case delete(name: String, at: Int)
    case insert(name: String, at: Int)
  }

  /// What happened to one row.
  public enum Row: Sendable, Hashable {
    case delete(ManagedObjectID, at: IndexPath)
    case insert(ManagedObjectID, at: IndexPath)
    /// The row has another place; `updated` tells whether values of the object changed as well, which
    /// is false when it was a related object that changed.
    case move(ManagedObjectID, from: IndexPath, to: IndexPath, updated: Bool)
    /// The object changed where it stands; the paths differ when rows before it came or went.
    case update(ManagedObjectID, from: IndexPath, to: IndexPath)
  }

  /// Deletes from the last to the first, then inserts from the first to the last.
  public let sections: [Section]

  /// Deletes from the last to the first, then inserts, moves and updates, each from the first to the last
  /// by new paths.
  public let rows: [Row]
}

extension FetchedResultsChange.Row {
  /// The object whose row it is.
  public var objectID: ManagedObjectID {
    switch self {
    case .delete(let id, _), .insert(let id, _), .move(let id, _, _, _), .update(let id, _, _): id
    }
  }

  /// The row's path before the batch; nil when it was inserted.
  public var oldIndexPath: IndexPath? {
    switch self {
    case .delete(_, let path), .move(_, let path, _, _), .update(_, let path, _): path
    case .insert: nil
    }
  }

  /// The row's path after the batch; nil when it was deleted.
  public var newIndexPath: IndexPath? {
    switch self {
    case .insert(_, let path), .move(_, _, let path, _), .update(_, _, let path): path
    case .delete: nil
    }
  }
}

extension IndexPath {
  /// Makes the path of a row of fetched results; both indexes count from 0.
  public init(row: Int, section: Int) { self.init(indexes: [section, row]) }

  /// The index of the section: the first of the path's two indexes.
  public var section: Int { self[0] }

  /// The index of the row in its section: the second of the path's two indexes.
  public var row: Int { self[1] }
}

extension FetchedResultsChange {
  /// Makes the public form of what a table reported.
  package init(_ change: TableChange) {
    sections = change.sections.map(Section.init)
    rows = change.rows.map(Row.init)
  }
}

extension FetchedResultsChange.Section {
  fileprivate init(_ section: TableChange.Section) {
    switch section {
    case .delete(let name, let index): self = .delete(name: name, at: index)
    case .insert(let name, let index): self = .insert(name: name, at: index)
    }
  }
}

extension FetchedResultsChange.Row {
  fileprivate init(_ row: TableChange.Row) {
    switch row {
    case .delete(let id, let path): self = .delete(id, at: IndexPath(path))
    case .insert(let id, let path): self = .insert(id, at: IndexPath(path))
    case .move(let id, let old, let new, let updated):
      self = .move(id, from: IndexPath(old), to: IndexPath(new), updated: updated)
    case .update(let id, let old, let new):
      self = .update(id, from: IndexPath(old), to: IndexPath(new))
    }
  }
}

extension IndexPath {
  /// Makes the public form of a table's path.
  init(_ path: TablePath) { self.init(row: path.row, section: path.section) }
}

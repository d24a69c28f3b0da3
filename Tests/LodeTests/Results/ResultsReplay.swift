import Foundation
import Lode
import LodeModel

/// The rows of a table by section, as plain arrays.
struct PlainSection: Equatable, CustomStringConvertible {
  var name: String
  var rows: [ManagedObjectID]

  var description: String { "\(name):\(rows.map(\.number))" }
}

extension SectionTable {
  var plainSections: [PlainSection] {
    (0..<sectionCount).map { section in
      let rows = (0..<rowCount(inSectionAt: section)).compactMap {
        objectID(at: TablePath(section: section, row: $0))
      }
      return PlainSection(name: sectionName(at: section), rows: rows)
    }
  }
}

extension FetchedResultsChange {
  /// Applies the replay rule: deletes by old paths, then inserts by new ones, a move being both.
  ///
  /// - Returns: nil when a path is out of range or a deleted section keeps rows.
  func replayed(over old: [PlainSection]) -> [PlainSection]? {
    var sections = old
    for (objectID, path) in rows.compactMap(\.removal).sorted(by: { $0.1 > $1.1 }) {
      guard sections.indices.contains(path.section),
        sections[path.section].rows.indices.contains(path.row),
        sections[path.section].rows.remove(at: path.row) == objectID
      else { return nil }
    }
    for case .delete(let name, let index) in self.sections {
      guard sections.indices.contains(index),
        sections.remove(at: index) == PlainSection(name: name, rows: [])
      else { return nil }
    }
    for case .insert(let name, let index) in self.sections {
      guard index <= sections.count else { return nil }
      sections.insert(PlainSection(name: name, rows: []), at: index)
    }
    for (objectID, path) in rows.compactMap(\.addition).sorted(by: { $0.1 < $1.1 }) {
      guard sections.indices.contains(path.section),
        path.row <= sections[path.section].rows.count
      else { return nil }
      sections[path.section].rows.insert(objectID, at: path.row)
    }
    return sections
  }
}

extension FetchedResultsChange.Row {
  /// Where the replay rule takes a row out.
  var removal: (ManagedObjectID, IndexPath)? {
    switch self {
    case .delete(let id, let path), .move(let id, let path, _, _): (id, path)
    case .insert, .update: nil
    }
  }

  /// Where the replay rule puts a row in.
  var addition: (ManagedObjectID, IndexPath)? {
    switch self {
    case .insert(let id, let path), .move(let id, _, let path, _): (id, path)
    case .delete, .update: nil
    }
  }
}

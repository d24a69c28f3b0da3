import Foundation
import LodeMacros

/// How many changes of each kind an observer was told of.
struct EventCounts: Codable, Equatable {
  var sectionInsert = 0
  var sectionDelete = 0
  var insert = 0
  var delete = 0
  var update = 0
  var move = 0
}

/// Watches the league's players by team, and counts and keeps what it is told.
final class LeagueObserver: FetchedResultsControllerDelegate {
  private(set) var counts = EventCounts()
  /// Why a change could not be followed, if one could not.
  private(set) var failure: FetchedResultsError?
  private let paint: Paint
  private var lines: [String] = []
  /// A deleted player's values are gone when the observer is told, so names are kept here.
  private var names: [ManagedObjectID: String] = [:]

  init(paint: Paint) {
    self.paint = paint
  }

  /// Returns what was told since the last call, a line a change, in the order it was told.
  func takeLines() -> [String] {
    defer { lines = [] }
    return lines
  }

  /// Remembers a player that was shown.
  func know(_ player: Player) {
    names[player.objectID] = player.name
  }

  func controller(
    _ controller: FetchedResultsController<Player>,
    didChange section: FetchedResultsSection<Player>,
    atSectionIndex index: Int, for type: FetchedResultsChangeType
  ) {
    if type == .insert {
      counts.sectionInsert += 1
      lines.append(paint(.green, "  + section \(index)  \(section.name)"))
    } else {
      counts.sectionDelete += 1
      lines.append(paint(.red, "  - section \(index)  \(section.name)"))
    }
  }

  func controller(
    _ controller: FetchedResultsController<Player>, didChange object: Player,
    at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let old = indexPath.map(text) ?? ""
    let new = newIndexPath.map(text) ?? ""
    if type != .delete { know(object) }
    let name = names[object.objectID] ?? "\(object.objectID)"
    switch type {
    case .insert:
      counts.insert += 1
      lines.append(paint(.green, "  + row \(new)  \(name)"))
    case .delete:
      counts.delete += 1
      lines.append(paint(.red, "  - row \(old)  \(name)"))
    case .update:
      counts.update += 1
      lines.append(paint(.yellow, "  * row \(new)  \(name)"))
    case .move:
      counts.move += 1
      lines.append(paint(.cyan, "  > row \(old) to \(new)  \(name)"))
    }
  }

  func controller(
    _ controller: FetchedResultsController<Player>, didFailWith error: FetchedResultsError
  ) {
    failure = error
  }

  private func text(_ path: IndexPath) -> String { "\(path.section)/\(path.row)" }
}

import Foundation
import LodeMacros

/// What a run of the demonstration found and did, for machines.
struct LeagueReport: Codable, Equatable {
  /// Teams and players as they are at the end.
  var teams: Int
  var players: Int
  /// Whether the store was empty at the start.
  var imported: Bool
  var events: EventCounts
  var bytesRaw: UInt64
  var bytesStored: UInt64
  /// Frames and syncs of the journal in this run.
  var journalFrames: UInt64
  var journalSyncs: UInt64
  /// The data file and the journal's files.
  var fileBytes: UInt64

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }
}

/// The store's figures for a person.
struct LeagueFigures {
  let statistics: StoreStatistics
  let paint: Paint

  var lines: [String] {
    let rows = statistics.rowCounts.sorted { $0.key < $1.key }
      .map { "\($0.value) of \($0.key)" }.joined(separator: ", ")
    return [
      line("rows", rows),
      line("records", "\(bytes(statistics.rawByteCount)), stored in \(storedText)"),
      line(
        "journal",
        "\(statistics.journalFrameCount) frames and \(statistics.journalSyncCount) syncs in this run"
      ),
      line(
        "files",
        "data \(bytes(statistics.dataFileByteCount)), journal \(bytes(statistics.journalFileByteCount))"
      ),
    ]
  }

  private var storedText: String {
    let stored = bytes(statistics.storedByteCount)
    guard statistics.rawByteCount > 0 else { return stored }
    let share = Double(statistics.storedByteCount) / Double(statistics.rawByteCount)
    return stored + String(format: " (%.0f %%)", share * 100)
  }

  private func line(_ name: String, _ text: String) -> String {
    "  " + paint(.dim, name.padding(toLength: 10, withPad: " ", startingAt: 0)) + text
  }

  private func bytes(_ count: UInt64) -> String {
    switch count {
    case ..<10_000: "\(count) bytes"
    case ..<10_000_000: "\(count / 1_000) kB"
    default: "\(count / 1_000_000) MB"
    }
  }
}

import Foundation

/// Reads squads from tab-separated text.
///
/// A line that starts with `#` is a comment. A line whose first field is `T` starts a team: code, name,
/// group, confederation, continent. The lines after it are its players: number, position, name, date of
/// birth (year-month-day), club, the club's country.
enum SquadFile {
  /// The squads that come with the command.
  ///
  /// - Throws: `SquadFileError` when the file is missing beside the program or damaged.
  static func bundled() throws -> [Squad] {
    guard let url = Bundle.module.url(forResource: "squads", withExtension: "tsv") else {
      throw SquadFileError(line: 0, message: "squads.tsv is not beside the program")
    }
    return try squads(in: String(contentsOf: url, encoding: .utf8))
  }

  /// Reads a text.
  ///
  /// - Throws: `SquadFileError` with the first line that is wrong.
  static func squads(in text: String) throws(SquadFileError) -> [Squad] {
    var squads: [Squad] = []
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !line.isEmpty && !line.hasPrefix("#") {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
      let row = Row(line: index + 1, fields: fields)
      if fields[0] == "T" {
        squads.append(try row.team())
      } else {
        guard !squads.isEmpty else { throw row.wrong("a player before the first team") }
        squads[squads.count - 1].players.append(try row.player())
      }
    }
    return squads
  }
}

/// What is wrong in a squad file, and where.
struct SquadFileError: Error, Equatable, CustomStringConvertible {
  /// From 1; 0 for the file as a whole.
  var line: Int
  var message: String

  var description: String { "squad file, line \(line): \(message)" }
}

private struct Row {
  let line: Int
  let fields: [String]

  func team() throws(SquadFileError) -> Squad {
    try requireFields(6)
    return Squad(
      code: fields[1], name: fields[2], group: fields[3], confederation: fields[4],
      continent: fields[5])
  }

  func player() throws(SquadFileError) -> Squad.Player {
    try requireFields(6)
    guard let number = Int(fields[0]), number > 0 else {
      throw wrong("“\(fields[0])” is no shirt number")
    }
    return Squad.Player(
      number: number, position: fields[1], name: fields[2], dateOfBirth: try date(fields[3]),
      club: fields[4], clubCountry: fields[5])
  }

  func wrong(_ message: String) -> SquadFileError {
    SquadFileError(line: line, message: message)
  }

  private func requireFields(_ count: Int) throws(SquadFileError) {
    guard fields.count == count else { throw wrong("\(fields.count) fields, \(count) expected") }
    if fields.contains(where: \.isEmpty) { throw wrong("an empty field") }
  }

  private func date(_ text: String) throws(SquadFileError) -> Date {
    let format = Date.ISO8601FormatStyle().year().month().day()
    guard text.count == 10, let date = try? Date(text, strategy: format) else {
      throw wrong("“\(text)” is no date")
    }
    return date
  }
}

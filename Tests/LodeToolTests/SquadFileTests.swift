import Foundation
import Testing

@testable import LodeTool

struct SquadFileTests {
  @Test func `the bundled file has 48 teams of 26 players`() throws {
    let squads = try SquadFile.bundled()
    #expect(squads.count == 48)
    #expect(Set(squads.map(\.code)).count == 48)
    #expect(squads.allSatisfy { $0.players.count == 26 })
    #expect(squads.reduce(0) { $0 + $1.players.count } == 1_248)
    let clubs = squads.flatMap(\.players).map { [$0.club, $0.clubCountry] }
    #expect(Set(clubs).count == 451)
  }

  @Test func `groups, positions and shirt numbers are those of a tournament`() throws {
    let squads = try SquadFile.bundled()
    let groups = Dictionary(grouping: squads, by: \.group)
    #expect(groups.keys.sorted() == "ABCDEFGHIJKL".map(String.init))
    #expect(groups.values.allSatisfy { $0.count == 4 })
    for squad in squads {
      #expect(squad.players.map(\.number) == Array(1...26), "\(squad.name)")
      #expect(squad.players.allSatisfy { ["GK", "DF", "MF", "FW"].contains($0.position) })
    }
  }

  @Test func `names keep their marks and dates are days in UTC`() throws {
    let squads = try SquadFile.bundled()
    let team = try #require(squads.first { $0.code == "CZE" })
    let player = try #require(team.players.first)
    #expect(player.name == "Matěj Kovář")
    #expect(player.dateOfBirth.timeIntervalSince1970 == 958_521_600)
    #expect(player.club == "PSV Eindhoven")
  }

  @Test(arguments: [
    ("1\tGK\tA\t2000-01-01\tClub\tENG", 1, "a player before the first team"),
    ("T\tENG\tEngland", 1, "3 fields, 6 expected"),
    ("T\tENG\t\tA\tUEFA\tEurope", 1, "an empty field"),
    ("\(team)\nx\tGK\tA\t2000-01-01\tClub\tENG", 2, "“x” is no shirt number"),
    ("\(team)\n# fine\n1\tGK\tA\t2000-13-01\tClub\tENG", 3, "“2000-13-01” is no date"),
    ("\(team)\n1\tGK\tA\tlong ago\tClub\tENG", 2, "“long ago” is no date"),
  ])
  func `a wrong line is named`(text: String, line: Int, message: String) {
    #expect(throws: SquadFileError(line: line, message: message)) {
      try SquadFile.squads(in: text)
    }
  }

  @Test func `an empty text has no squads`() throws {
    #expect(try SquadFile.squads(in: "").isEmpty)
    #expect(try SquadFile.squads(in: "# nothing\n\n").isEmpty)
  }
}

private let team = "T\tENG\tEngland\tA\tUEFA\tEurope"

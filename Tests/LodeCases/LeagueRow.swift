import Foundation
package import LodeModel

/// One object of the league that predicate cases are asked about.
package struct LeagueRow: Sendable {
  /// What the object is called in answers.
  package let tag: String
  /// The name of its entity.
  package let entityName: String
  /// Its attributes.
  package let values: [String: Value]
  /// The tags of the objects that its relationships lead to, of one side of each pair.
  package let related: [String: [String]]

  private init(
    _ tag: String, _ entityName: String, _ values: [String: Value] = [:],
    _ related: [String: [String]] = [:]
  ) {
    self.tag = tag
    self.entityName = entityName
    self.values = values
    self.related = related
  }

  /// All objects; agents and teams before the players that they are related to.
  package static let all: [LeagueRow] = [
    LeagueRow("zoe", "Agent", ["name": .string("Zoe")]),
    LeagueRow("yan", "Agent", ["name": .string("Yan")]),
    LeagueRow(
      "crew", "Team",
      [
        "name": .string("Crew"), "founded": .integer(1994),
        "address": .composite(["city": .string("Columbus"), "number": .integer(1)]),
      ]),
    LeagueRow("united", "Team", ["name": .string("United")]),
    LeagueRow("empty", "Team", ["name": .string("Empty FC"), "founded": .integer(2020)]),
    LeagueRow("ann", "Player", ann, ["team": ["crew"], "agent": ["zoe"]]),
    LeagueRow("bob", "Player", bob, ["team": ["crew"]]),
    LeagueRow(
      "cid", "Player", ["name": .string("Cid"), "salary": .decimal(200)],
      ["team": ["crew"], "agent": ["zoe"]]),
    LeagueRow("dee", "Player", dee, ["team": ["united"], "agent": ["yan"]]),
    LeagueRow(
      "eve", "Player",
      [
        "name": .string("Eve"), "age": .integer(25),
        "joined": .date(Date(timeIntervalSinceReferenceDate: 1000)),
      ]),
    LeagueRow("fay", "Player"),
  ]

  /// The ordered bench of each team that has one.
  package static let benches = ["crew": ["bob", "ann", "eve"]]

  private static let ann: [String: Value] = [
    "name": .string("Ann"), "age": .integer(19), "salary": .decimal(Decimal(201) / 2),
    "rating": .double(4.5), "joined": .date(Date(timeIntervalSinceReferenceDate: 0)),
    "isCaptain": .boolean(true), "photo": .data(Data([1, 2])), "nickname": .string("Annie"),
    "page": URL(string: "urn:player:ann").map { .uri($0) } ?? .null,
    "key": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F").map { .uuid($0) } ?? .null,
  ]

  private static let bob: [String: Value] = [
    "name": .string("Bob"), "age": .integer(25), "rating": .double(3),
    "joined": .date(Date(timeIntervalSinceReferenceDate: 1000)), "isCaptain": .boolean(false),
  ]

  private static let dee: [String: Value] = [
    "name": .string("Dee"), "age": .integer(31), "salary": .decimal(Decimal(1) / 10),
    "rating": .double(0.1), "joined": .date(Date(timeIntervalSinceReferenceDate: -5.5)),
  ]
}

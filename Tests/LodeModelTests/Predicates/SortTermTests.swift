import Foundation
import LodeModel
import Testing

struct SortTermTests {
  private let tables: LeagueTables
  private let player: Entity

  init() throws {
    tables = try LeagueTables()
    player = try #require(tables.graph.model.entitiesByName["Player"])
  }

  private func sorted(_ terms: SortTerm...) throws -> String {
    let terms = try terms.map { try $0.bound(to: player) }
    let keys = try tables.tags.filter { $0.objectID.entityName.string == "Player" }.map { tag in
      (tag.tag, try terms.map { try $0.value(on: tables.graph.source(tag.objectID)) })
    }
    return keys.sorted { BoundSortTerm.order($0.1, $1.1, by: terms) == .orderedAscending }
      .map(\.0).joined(separator: " ")
  }

  @Test func `nil comes first, or last when descending`() throws {
    #expect(try sorted(SortTerm("age"), SortTerm("name")) == "fay cid ann bob eve dee")
    #expect(
      try sorted(SortTerm("age", ascending: false), SortTerm("name")) == "dee bob eve ann fay cid")
  }

  @Test func `a key path leads through to-one relationships`() throws {
    #expect(
      try sorted(SortTerm("team.name"), SortTerm("name", ascending: false))
        == "eve fay cid bob ann dee")
    #expect(
      try sorted(SortTerm("team.address.city"), SortTerm("name"))
        == "fay dee eve ann bob cid")
  }

  @Test func `options fold the keys`() throws {
    let term = try SortTerm("name", options: [.caseInsensitive, .diacriticInsensitive])
      .bound(to: player)
    let objectID = tables.graph.insert("Player", ["name": .string("ÉMILE")])
    #expect(try term.value(on: tables.graph.source(objectID)) == .string("emile"))
  }

  @Test(arguments: [
    ("nam", ObjectPredicateError.Code.unknownKey), ("team.players.name", .toManyKey),
    ("team.players", .toManyKey), ("photo", .typeMismatch), ("team.address", .typeMismatch),
  ])
  func `a key path without an order is refused`(
    _ keyPath: String, _ code: ObjectPredicateError.Code
  ) throws {
    let error = #expect(throws: ObjectPredicateError.self) {
      try SortTerm(keyPath).bound(to: player)
    }
    #expect(error?.code == code && error?.keyPath == keyPath && error?.entity == "Player")
  }

  @Test func `options need strings and transience is told`() throws {
    #expect(throws: ObjectPredicateError.self) {
      try SortTerm("age", options: .caseInsensitive).bound(to: player)
    }
    #expect(try SortTerm("nickname").bound(to: player).transientKeyPath == "nickname")
    #expect(try SortTerm("name").bound(to: player).transientKeyPath == nil)
  }
}

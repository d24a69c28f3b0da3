import Foundation
import LodeCases
import LodeModel
import Testing

/// A small league in memory, asked by format: each answer is the tags of the objects that match, and
/// each question is put to bound and to plain evaluation, which must agree.
struct LeagueTables {
  let graph: ObjectGraph
  private var plainValues: [ManagedObjectID: Value] = [:]
  private(set) var tags: [(tag: String, objectID: ManagedObjectID)] = []

  init() throws {
    graph = ObjectGraph(try League.model())
    for row in LeagueRow.all { tags.append((row.tag, graph.insert(row.entityName, row.values))) }
    for row in LeagueRow.all {
      let objectID = try objectID(row.tag)
      if let team = row.related["team"]?.first { try relate(objectID, "team", team, "players") }
      if let agent = row.related["agent"]?.first { try relate(objectID, "agent", agent, "clients") }
    }
    for (team, bench) in LeagueRow.benches {
      for tag in bench { try relate(objectID(tag), "benchOf", team, "bench") }
    }
    plainValues = nestedValues()
  }

  /// The objects as plain values, as deep as the longest key path of a case.
  private func nestedValues() -> [ManagedObjectID: Value] {
    Dictionary(
      uniqueKeysWithValues: tags.map { ($0.objectID, graph.plainValue($0.objectID, depth: 6)) })
  }

  private func relate(
    _ objectID: ManagedObjectID, _ name: String, _ tag: String, _ inverseName: String
  ) throws {
    let other = try self.objectID(tag)
    graph.set(objectID, name, .objectID(other))
    var members: [Value] = []
    if case .list(let old) = graph.values[other]?[inverseName] { members = old }
    graph.set(other, inverseName, .list(members + [.objectID(objectID)]))
  }

  func objectID(_ tag: String) throws -> ManagedObjectID {
    try #require(tags.first { $0.tag == tag }).objectID
  }

  /// Returns the tags of an entity's objects that match, in the order above.
  func matches(
    _ entityName: String, _ format: String, _ arguments: [(any PredicateArgument)?] = []
  ) throws -> String {
    let predicate = try ObjectPredicate(format, arguments: arguments)
    #expect(try ObjectPredicate(predicate.format) == predicate, "\(predicate.format)")
    let entity = try #require(graph.model.entitiesByName[entityName])
    let bound = try predicate.bound(to: entity)
    let matching = try tags.filter { $0.objectID.entityName.string == entityName }.filter {
      let answer = try bound.evaluate(on: graph.source($0.objectID))
      let plain = try predicate.evaluate(with: plainValues[$0.objectID] ?? .null)
      #expect(answer == plain, "\(format) on \($0.tag)")
      return answer
    }
    return matching.map(\.tag).joined(separator: " ")
  }

  /// Returns the code of the error that binding a format gives.
  func refusal(_ entityName: String, _ format: String) throws -> ObjectPredicateError? {
    let predicate = try ObjectPredicate(format)
    let entity = try #require(graph.model.entitiesByName[entityName])
    do throws(ObjectPredicateError) {
      _ = try predicate.bound(to: entity)
      return nil
    } catch { return error }
  }
}

func date(_ seconds: Double) -> Value { .date(Date(timeIntervalSinceReferenceDate: seconds)) }

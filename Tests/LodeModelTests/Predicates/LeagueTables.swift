import Foundation
import LodeModel
import Testing

/// A small league in memory, asked by format: each answer is the tags of the objects that match, and
/// each question is put to bound and to plain evaluation, which must agree.
struct LeagueTables {
  let graph: ObjectGraph
  private(set) var tags: [(tag: String, objectID: ManagedObjectID)] = []

  init() throws {
    graph = ObjectGraph(try League.model())
    let zoe = insert("zoe", "Agent", ["name": .string("Zoe")])
    let yan = insert("yan", "Agent", ["name": .string("Yan")])
    let crew = insert(
      "crew", "Team",
      [
        "name": .string("Crew"), "founded": .integer(1994),
        "address": .composite(["city": .string("Columbus"), "number": .integer(1)]),
      ])
    let united = insert("united", "Team", ["name": .string("United")])
    insert("empty", "Team", ["name": .string("Empty FC"), "founded": .integer(2020)])
    let ann = insert("ann", "Player", Self.ann(crew, zoe))
    let bob = insert("bob", "Player", Self.bob(crew))
    let cid = insert("cid", "Player", Self.cid(crew, zoe))
    let dee = insert("dee", "Player", Self.dee(united, yan))
    insert("eve", "Player", ["name": .string("Eve"), "age": .integer(25), "joined": date(1000)])
    insert("fay", "Player")
    graph.set(crew, "players", .list([ann, bob, cid].map { .objectID($0) }))
    graph.set(united, "players", .list([.objectID(dee)]))
    graph.set(zoe, "clients", .list([.objectID(ann), .objectID(cid)]))
    graph.set(yan, "clients", .list([.objectID(dee)]))
  }

  private static func ann(_ team: ManagedObjectID, _ agent: ManagedObjectID) -> [String: Value] {
    [
      "name": .string("Ann"), "age": .integer(19), "salary": .decimal(Decimal(201) / 2),
      "rating": .double(4.5), "joined": date(0), "isCaptain": .boolean(true),
      "photo": .data(Data([1, 2])), "nickname": .string("Annie"),
      "page": URL(string: "urn:player:ann").map { .uri($0) } ?? .null,
      "key": UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F").map { .uuid($0) } ?? .null,
      "team": .objectID(team), "agent": .objectID(agent),
    ]
  }

  private static func bob(_ team: ManagedObjectID) -> [String: Value] {
    [
      "name": .string("Bob"), "age": .integer(25), "rating": .double(3), "joined": date(1000),
      "isCaptain": .boolean(false), "team": .objectID(team),
    ]
  }

  private static func cid(_ team: ManagedObjectID, _ agent: ManagedObjectID) -> [String: Value] {
    [
      "name": .string("Cid"), "salary": .decimal(200), "team": .objectID(team),
      "agent": .objectID(agent),
    ]
  }

  private static func dee(_ team: ManagedObjectID, _ agent: ManagedObjectID) -> [String: Value] {
    [
      "name": .string("Dee"), "age": .integer(31), "salary": .decimal(Decimal(1) / 10),
      "rating": .double(0.1), "joined": date(-5.5), "team": .objectID(team),
      "agent": .objectID(agent),
    ]
  }

  @discardableResult
  private mutating func insert(
    _ tag: String, _ entityName: String, _ values: [String: Value] = [:]
  ) -> ManagedObjectID {
    let objectID = graph.insert(entityName, values)
    tags.append((tag, objectID))
    return objectID
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
      let plain = try predicate.evaluate(with: graph.plainValue($0.objectID))
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

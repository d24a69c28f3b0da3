import LodeRandom
import Foundation
import LodeKV
import LodeModel
import Testing

@testable import LodeStore

/// Plans of every kind against an obviously right answer: all rows, tested and sorted one by one.
@Suite struct PlanAnswerTests {
  @Test(arguments: EngineStoreKind.allCases)
  func `every plan answers what a look at each row does`(kind: EngineStoreKind) throws {
    try withSeed { random in
      try kind.withStore(Self.model) { store in
        try Self.fill(store, count: 150, &random)
        let rows = try store.rows(try store.query("Thing"))
        for _ in 0..<120 {
          try Self.check(try Self.query(store, &random), store, rows)
        }
      }
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `indexes follow updates and deletes`(kind: EngineStoreKind) throws {
    try withSeed { random in
      try kind.withStore(Self.model) { store in
        try Self.fill(store, count: 80, &random)
        for _ in 0..<10 {
          try Self.change(store, &random)
          let rows = try store.rows(try store.query("Thing"))
          for _ in 0..<10 { try Self.check(try Self.query(store, &random), store, rows) }
        }
      }
    }
  }

  // MARK: The model

  private static let types: [AttributeType] = [
    .boolean, .integer16, .integer32, .integer64, .double, .float, .date, .decimal, .string, .uri,
    .uuid,
  ]

  /// Things with an attribute of each ordered type and an index on each, some descending, some
  /// compound; special things inherit; owners own things.
  private static let model: ManagedObjectModel = {
    var thing = EntityDescription(
      "Thing",
      attributes: types.map { AttributeDescription($0.rawValue, $0) }
        + [AttributeDescription("other", .integer16)],
      relationships: [RelationshipDescription("owner", to: "Owner", inverse: "things")])
    thing.indexes = types.enumerated().map { index, type in
      FetchIndexDescription(
        type.rawValue, elements: [.init(type.rawValue, isAscending: index % 3 != 0)])
    }
    thing.indexes += [
      FetchIndexDescription(
        "pair", elements: [.init("boolean"), .init("integer16", isAscending: false)]),
      FetchIndexDescription(
        "triple", elements: [.init("integer32"), .init("string"), .init("double")]),
      FetchIndexDescription(
        "texts", elements: [.init("string", isAscending: false), .init("uri")]),
      FetchIndexDescription("owned", elements: [.init("owner"), .init("date")]),
    ]
    let special = EntityDescription(
      "Special", superentityName: "Thing", attributes: [AttributeDescription("extra", .string)],
      indexes: [FetchIndexDescription("special", elements: [.init("extra"), .init("integer16")])])
    let owner = EntityDescription(
      "Owner", attributes: [AttributeDescription("name", .string)],
      relationships: [
        RelationshipDescription("things", to: "Thing", inverse: "owner", isToMany: true)
      ])
    do {
      return try ManagedObjectModel(entities: [thing, special, owner])
    } catch {
      fatalError("the test's model is wrong: \(error)")
    }
  }()

  private static func values(
    _ owners: [ManagedObjectID], _ random: inout SeededGenerator
  ) -> [String: Value] {
    var values: [String: Value] = [:]
    for type in types where !random.chance(15) {
      values[type.rawValue] = TroublesomeValues.value(of: type, &random)
    }
    values["other"] = .integer(Int64(random.pick([1, 2, 3])))
    if random.chance(70) { values["owner"] = .objectID(random.pick(owners)) }
    return values
  }

  private static func fill(
    _ store: EngineStore, count: Int, _ random: inout SeededGenerator
  ) throws {
    let owners = try (0..<4).map { try store.add("Owner", ["name": .string("owner \($0)")]) }
    var changes = ChangeSet()
    for index in 0..<count {
      var values = values(owners, &random)
      let isSpecial = index % 4 == 0
      if isSpecial { values["extra"] = TroublesomeValues.value(of: .string, &random) }
      changes.inserts.append(try store.insert(isSpecial ? "Special" : "Thing", values))
    }
    _ = try store.commit(changes)
  }

  private static func change(_ store: EngineStore, _ random: inout SeededGenerator) throws {
    let owners = try store.objectIDs(try store.query("Owner"))
    var changes = ChangeSet()
    for row in try store.rows(try store.query("Thing")) {
      let name = row.objectID.entityName.string
      if random.chance(5) {
        changes.deletes.append(.init(objectID: row.objectID, baseVersion: row.version))
        changes.inserts.append(try store.insert(name, values(owners, &random)))
      } else if random.chance(30) {
        let values = values(owners, &random).filter { _ in random.chance(40) }
        changes.updates.append(
          .init(
            objectID: row.objectID, baseVersion: row.version,
            values: values.map { (store.property(name, $0).slot, $1) }))
      }
    }
    _ = try store.commit(changes)
  }

  // MARK: Queries

  private static func query(
    _ store: EngineStore, _ random: inout SeededGenerator
  ) throws -> StoreQuery {
    let entity = random.pick(["Thing", "Thing", "Special"])
    let owners = try store.objectIDs(try store.query("Owner"))
    let things = try store.objectIDs(try store.query("Thing", limit: 5))
    let parts = (0..<random.pick([0, 1, 1, 2, 3])).map { _ in
      part(owners, things, &random)
    }
    let sort = (0..<random.pick([0, 0, 1, 1, 2, 3])).map { _ in
      SortTerm(
        random.pick(types.map(\.rawValue) + ["other", "owner", "owner.name"]),
        ascending: random.chance(50))
    }
    return try store.query(
      entity, .and(parts), sort: sort, limit: random.pick([0, 0, 1, 3, 20, 1_000]),
      offset: random.pick([0, 0, 1, 5]), includesSubentities: random.chance(80))
  }

  private static func part(
    _ owners: [ManagedObjectID], _ things: [ManagedObjectID], _ random: inout SeededGenerator
  ) -> ObjectPredicate {
    if random.chance(10) { return compareSelf(things, &random) }
    if random.chance(20) { return compareOwner(owners, &random) }
    let type = random.pick(types)
    let path = ObjectExpression.keyPath(ObjectKeyPath(type.rawValue))
    func constant() -> Value {
      if random.chance(8) { return .null }
      // Numbers of another type compare by value.
      let isNumber = ![.string, .uri, .uuid, .date].contains(type)
      let other: [AttributeType] = [.integer64, .double, .decimal, .boolean, .float]
      return TroublesomeValues.value(
        of: isNumber && random.chance(40) ? random.pick(other) : type, &random)
    }
    var comparison: ObjectComparison
    switch random.pick([0, 0, 1, 1, 1, 2, 3, 4, 5]) {
    case 0: comparison = ObjectComparison(path, .equal, .constant(constant()))
    case 1:
      comparison = ObjectComparison(
        path, random.pick([.less, .lessOrEqual, .greater, .greaterOrEqual]),
        .constant(constant()))
    case 2:
      comparison = ObjectComparison(
        path, .in, .constant(.list((0..<random.pick([0, 1, 3, 8])).map { _ in constant() })))
    case 3:
      comparison = ObjectComparison(
        path, .between, .constant(.list([constant(), constant()])))
    case 4: comparison = ObjectComparison(path, .notEqual, .constant(constant()))
    default:
      let text = random.pick(TroublesomeValues.strings)
      let length = random.pick([0, 1, 2, 250, 400, 1_000])
      let part = String(random.chance(50) ? text.prefix(length) : text.suffix(length))
      comparison = ObjectComparison(
        .keyPath(ObjectKeyPath("string")), random.pick([.beginsWith, .contains, .endsWith]),
        .constant(.string(part)))
    }
    let predicate = ObjectPredicate.comparison(comparison)
    switch random.pick([0, 0, 0, 0, 1, 2]) {
    case 1: return .not(predicate)
    case 2: return .or([predicate, compare("other", .equal, .integer(2))])
    default: return predicate
    }
  }

  private static func compareSelf(
    _ things: [ManagedObjectID], _ random: inout SeededGenerator
  ) -> ObjectPredicate {
    random.chance(50)
      ? .comparison(
        ObjectComparison(.selfObject, .equal, .constant(.objectID(random.pick(things)))))
      : .comparison(
        ObjectComparison(
          .selfObject, .in, .constant(.list(things.prefix(3).map { .objectID($0) }))))
  }

  private static func compareOwner(
    _ owners: [ManagedObjectID], _ random: inout SeededGenerator
  ) -> ObjectPredicate {
    let path = ObjectExpression.keyPath(ObjectKeyPath("owner"))
    let value = random.chance(15) ? Value.null : .objectID(random.pick(owners))
    return random.chance(70)
      ? .comparison(ObjectComparison(path, .equal, .constant(value)))
      : .comparison(
        ObjectComparison(
          path, .in, .constant(.list(owners.prefix(2).map { .objectID($0) } + [value]))))
  }

  // MARK: The right answer

  private static func check(
    _ query: StoreQuery, _ store: EngineStore, _ rows: [ObjectRow]
  ) throws {
    let expected = try answer(query, store, rows)
    let plan = try store.explain(query)
    let text = "\(plan) — \(query.predicate?.predicate.description ?? "all")"
    #expect(try store.objectIDs(query) == expected, "IDs: \(text)")
    #expect(try store.rows(query).map(\.objectID) == expected, "rows: \(text)")
    #expect(try store.count(query) == expected.count, "count: \(text)")
    for plan in try QueryPlanner(store.schema).plans(query, for: .rows) {
      let answer = try store.engine.read { try QueryRun(plan, query, store.schema, $0).objectIDs() }
      #expect(answer == expected, "\(plan) — \(query.predicate?.predicate.description ?? "all")")
    }
  }

  private static func answer(
    _ query: StoreQuery, _ store: EngineStore, _ rows: [ObjectRow]
  ) throws -> [ManagedObjectID] {
    var matches: [(source: PlainRow, keys: [Value])] = []
    for row in rows {
      let entity = store.entity(row.objectID.entityName.string)
      let isMeant =
        query.includesSubentities ? entity.isKind(of: query.entity) : entity == query.entity
      guard isMeant else { continue }
      let source = PlainRow(store: store, row: row)
      guard try query.predicate?.evaluate(on: source) ?? true else { continue }
      matches.append((source, try query.sort.map { try $0.value(on: source) }))
    }
    matches.sort { left, right in
      let order = BoundSortTerm.order(left.keys, right.keys, by: query.sort)
      return order == .orderedSame
        ? left.source.row.objectID < right.source.row.objectID : order == .orderedAscending
    }
    let ids = matches.map(\.source.row.objectID).dropFirst(query.offset)
    return Array(query.limit > 0 ? ids.prefix(query.limit) : ids)
  }
}

/// A row read through the store's public face alone.
struct PlainRow: PredicateSource {
  let store: EngineStore
  let row: ObjectRow

  var objectID: ManagedObjectID? { row.objectID }

  func value(of property: Property) throws -> Value {
    guard property.isToMany else { return try row.value(at: property.slot) }
    return .list(
      try store.members(of: property, owner: row.objectID).map { Value.objectID($0) })
  }

  func source(for objectID: ManagedObjectID) throws -> PlainRow? {
    try store.row(objectID).map { PlainRow(store: store, row: $0) }
  }
}

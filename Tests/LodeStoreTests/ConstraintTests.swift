import LodeModel
import Testing

@testable import LodeStore

@Suite struct ConstraintTests {
  /// Members with a unique name, a unique pair, and a sub-entity with a constraint of its own.
  private static let model: ManagedObjectModel = {
    do {
      return try ManagedObjectModel(entities: [
        EntityDescription(
          "Member",
          attributes: ["name", "group", "seat", "label"].map { AttributeDescription($0, .string) },
          uniquenessConstraints: [["name"], ["group", "seat"]]),
        EntityDescription(
          "Guest", superentityName: "Member", uniquenessConstraints: [["label"]]),
      ])
    } catch {
      fatalError("the test's model is wrong: \(error)")
    }
  }()

  private static func commit(
    _ store: EngineStore, insert: [(String, [String: String])] = [],
    update: [(ManagedObjectID, [String: String?])] = [], delete: [ManagedObjectID] = []
  ) throws -> [ManagedObjectID] {
    var changes = ChangeSet()
    changes.inserts = try insert.map { entity, values in
      try store.insert(entity, values.mapValues { .string($0) })
    }
    changes.updates = try update.map { objectID, values in
      try store.update(objectID, values.mapValues { $0.map { .string($0) } ?? .null })
    }
    changes.deletes = try delete.map {
      .init(objectID: $0, baseVersion: try store.row($0)?.version ?? 0)
    }
    _ = try store.commit(changes)
    return changes.inserts.map(\.objectID)
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `two equal values collide, in the store and in one commit`(kind: EngineStoreKind) throws {
    try kind.withStore(Self.model) { store in
      let first = try Self.commit(store, insert: [("Member", ["name": "a"])])[0]
      let error = #expect(throws: StoreError.self) {
        try Self.commit(store, insert: [("Guest", ["name": "a"]), ("Member", ["name": "b"])])
      }
      #expect(error?.code == .constraint)
      #expect(error?.constraintViolations.map(\.conflictingID) == [first])
      #expect(error?.constraintViolations.first?.entityName == "Member")
      #expect(error?.constraintViolations.first?.propertyNames == ["name"])
      #expect(error?.constraintViolations.first?.objectID.entityName.string == "Guest")
      let both = #expect(throws: StoreError.self) {
        try Self.commit(store, insert: [("Member", ["name": "c"]), ("Member", ["name": "c"])])
      }
      #expect(both?.constraintViolations.count == 1)
      #expect(try store.count(try store.query("Member")) == 1)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `values that a commit gives free may be taken in it`(kind: EngineStoreKind) throws {
    try kind.withStore(Self.model) { store in
      let ids = try Self.commit(
        store, insert: [("Member", ["name": "a"]), ("Member", ["name": "b"])])
      // A swap, then a hand-over from a deleted row, then one by way of nil.
      _ = try Self.commit(store, update: [(ids[0], ["name": "b"]), (ids[1], ["name": "a"])])
      _ = try Self.commit(store, insert: [("Member", ["name": "a"])], delete: [ids[1]])
      _ = try Self.commit(
        store, insert: [("Member", ["name": "b"])], update: [(ids[0], ["name": nil])])
      #expect(try store.count(try store.query("Member")) == 3)
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a tuple with a nil in it collides with nothing`(kind: EngineStoreKind) throws {
    try kind.withStore(Self.model) { store in
      _ = try Self.commit(
        store,
        insert: [
          ("Member", ["group": "g"]), ("Member", ["group": "g"]), ("Member", ["seat": "1"]),
          ("Member", ["group": "g", "seat": "1"]), ("Member", ["group": "g", "seat": "2"]),
        ])
      #expect(throws: StoreError.self) {
        try Self.commit(store, insert: [("Member", ["group": "g", "seat": "2"])])
      }
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `a constraint of a sub-entity leaves the others alone`(kind: EngineStoreKind) throws {
    try kind.withStore(Self.model) { store in
      _ = try Self.commit(
        store,
        insert: [
          ("Member", ["label": "x"]), ("Member", ["label": "x"]), ("Guest", ["label": "x"]),
        ])
      #expect(throws: StoreError.self) {
        try Self.commit(store, insert: [("Guest", ["label": "x"])])
      }
    }
  }

  @Test(arguments: EngineStoreKind.allCases)
  func `canonically equal strings are one and long ones are told apart by their ends`(
    kind: EngineStoreKind
  ) throws {
    try kind.withStore(Self.model) { store in
      let long = String(repeating: "long ", count: 300)
      _ = try Self.commit(
        store,
        insert: [
          ("Member", ["name": "\u{E9}"]), ("Member", ["name": long + "1"]),
          ("Member", ["name": long + "2"]),
        ])
      for name in ["e\u{301}", long + "1", long + "2"] {
        #expect(throws: StoreError.self) {
          try Self.commit(store, insert: [("Member", ["name": name])])
        }
      }
      #expect(throws: StoreError.self) {
        try Self.commit(
          store, insert: [("Member", ["name": long + "3"]), ("Member", ["name": long + "3"])])
      }
      _ = try Self.commit(
        store, insert: [("Member", ["name": long + "4"]), ("Member", ["name": long + "5"])])
    }
  }
}

import Foundation
import LodeModel
import LodeStore

/// What a store answers, as text that can be compared.
struct StoreAnswers {
  var rows: [ManagedObjectID: String] = [:]
  var members: [String: [ManagedObjectID]] = [:]
  var queries: [String: [ManagedObjectID]] = [:]
  var counts: [String: Int] = [:]
}

/// One store whose data file is damaged again and again.
struct FlipProbe {
  private let folder: URL
  private let data: URL
  private let expected: StoreAnswers

  init(_ folder: URL) throws {
    self.folder = folder
    data = folder.appendingPathComponent("data.mdb")
    let store = try Self.open(folder)
    var answers = StoreAnswers()
    for entity in store.model.entities where !entity.isAbstract {
      for row in try store.rows(Self.all(entity)) {
        answers.rows[row.objectID] = try Self.text(row, entity)
        for relationship in entity.properties where relationship.isToMany {
          answers.members["\(row.objectID) \(relationship.name)"] =
            try store.members(of: relationship, owner: row.objectID)
        }
      }
      answers.counts[entity.name] = try store.count(Self.all(entity))
    }
    for (name, query) in try Self.queries(store) {
      answers.queries[name] = try store.objectIDs(query)
    }
    expected = answers
    try store.close()
  }

  private static func open(_ folder: URL) throws -> EngineStore {
    var options = StoreOptions()
    options.access = .readOnly
    options.mapByteCount = 1 << 30
    return try EngineStore.lmdb(existingAt: folder, options: options)
  }

  private static func all(_ entity: Entity) -> StoreQuery {
    StoreQuery(entity: entity, includesSubentities: false)
  }

  private static func queries(_ store: EngineStore) throws -> [(String, StoreQuery)] {
    guard let player = store.model.entitiesByName["Player"] else { return [] }
    return try (20..<40).map { age in
      let predicate = try ObjectPredicate("age == \(age)")
      return ("age \(age)", StoreQuery(entity: player, predicate: try predicate.bound(to: player)))
    }
  }

  private static func text(_ row: ObjectRow, _ entity: Entity) throws -> String {
    let values = try entity.properties.map { "\(try row.value(at: $0.slot))" }
    return "\(row.version) \(values)"
  }

  // MARK: One flip

  /// Damages a byte, asks, and mends it.
  ///
  /// - Returns: `refused`, `same`, `told` when an error named what is damaged, `found` when an answer was
  ///   another and the check says why; or what is wrong, after `WRONG`.
  func outcome(flipping position: UInt64, bit: UInt8) throws -> String {
    let file = try FileHandle(forUpdating: data)
    defer { try? file.close() }
    try file.seek(toOffset: position)
    guard let byte = try file.read(upToCount: 1)?.first else { return "WRONG no such byte" }
    try Self.write(byte ^ 1 << bit, at: position, file)
    defer { try? Self.write(byte, at: position, file) }
    let store: EngineStore
    do {
      store = try Self.open(folder)
    } catch let error as StoreError {
      let isFitting = error.code == .corrupt || error.code == .newerFormat
      return isFitting ? "refused" : "WRONG refusal: \(error)"
    }
    defer { try? store.close() }
    return outcome(of: store)
  }

  private static func write(_ byte: UInt8, at position: UInt64, _ file: FileHandle) throws {
    try file.seek(toOffset: position)
    try file.write(contentsOf: [byte])
  }

  private func outcome(of store: EngineStore) -> String {
    var state = Differences()
    compareRows(store, &state)
    compareMembers(store, &state)
    compareQueries(store, &state)
    if let wrong = state.wrong { return "WRONG \(wrong)" }
    guard let first = state.derived else { return state.wasTold ? "told" : "same" }
    // What follows from rows may be wrong without anybody noticing while it is read, but not for the check.
    let isFound = (try? store.check().isSound) == false
    return isFound ? "found" : "WRONG and unnoticed: \(first)"
  }

  private struct Differences {
    var wasTold = false
    /// A wrong value or a row that is missing in silence.
    var wrong: String?
    /// A wrong answer that an index gave.
    var derived: String?
  }

  private func compareRows(_ store: EngineStore, _ state: inout Differences) {
    var damaged: Set<ManagedObjectID> = []
    for (objectID, text) in expected.rows {
      guard let entity = store.model.entitiesByName[objectID.entityName.string] else {
        state.wrong = "\(objectID) has lost its entity"
        return
      }
      do {
        guard let row = try store.rows(for: [objectID])[0] else {
          state.wrong = "\(objectID) is gone in silence"
          return
        }
        guard try Self.text(row, entity) == text else {
          state.wrong = "\(objectID) has other values"
          return
        }
      } catch {
        state.wasTold = true
        guard let id = (error as? StoreError)?.objectIDs.first else {
          state.wrong = "an error without an object: \(error)"
          return
        }
        damaged.insert(id)
      }
    }
    // A key that has become another is told as the row that it pretends to be.
    if damaged.count > 1 { state.wrong = "\(damaged.count) rows for one bit: \(damaged)" }
    compareScans(store, &state)
  }

  private func compareScans(_ store: EngineStore, _ state: inout Differences) {
    for entity in store.model.entities where !entity.isAbstract {
      do {
        let rows = try store.rows(Self.all(entity))
        guard rows.count == expected.rows.keys.count(where: { $0.entityName == entity.entityName })
        else {
          state.wrong = "a scan of \(entity.name) found \(rows.count) rows"
          return
        }
        for row in rows where try expected.rows[row.objectID] != Self.text(row, entity) {
          state.wrong = "a scan found other values of \(row.objectID)"
        }
      } catch {
        state.wasTold = true
      }
      do {
        let count = try store.count(Self.all(entity))
        if count != expected.counts[entity.name] { state.wrong = "\(entity.name): \(count) rows" }
      } catch {
        state.wasTold = true
      }
    }
  }

  private func compareMembers(_ store: EngineStore, _ state: inout Differences) {
    for objectID in expected.rows.keys {
      guard let entity = store.model.entitiesByName[objectID.entityName.string] else { continue }
      for relationship in entity.properties where relationship.isToMany {
        let name = "\(objectID) \(relationship.name)"
        do {
          guard try store.members(of: relationship, owner: objectID) != expected.members[name]
          else { continue }
          state.derived = state.derived ?? name
        } catch {
          state.wasTold = true
        }
      }
    }
  }

  private func compareQueries(_ store: EngineStore, _ state: inout Differences) {
    guard let queries = try? Self.queries(store) else { return }
    for (name, query) in queries {
      do {
        guard try store.objectIDs(query) != expected.queries[name] else { continue }
        state.derived = state.derived ?? name
      } catch {
        state.wasTold = true
      }
    }
  }
}

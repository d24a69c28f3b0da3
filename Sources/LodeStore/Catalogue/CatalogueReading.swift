internal import Foundation
internal import LodeKV

/// The catalogue of a store as it was found.
struct Catalogue {
  var store: StoreEntry
  var entities: [EntityEntry] = []
  var trees: [TreeEntry] = []
  /// Compression dictionaries by entity number; without bytes where those are damaged.
  var dictionaries: [UInt16: [(number: UInt16, bytes: [UInt8]?)]] = [:]

  /// Reads the catalogue; nil when the engine has never been written.
  ///
  /// - Throws: `StoreError` with code `notAStore` when the engine holds something else, `newerFormat`,
  ///   `olderFormat` or `corrupt`; `EngineError`.
  init?(_ snapshot: any KeyValueSnapshot) throws {
    guard let value = try snapshot.value(ofKey: CatalogueKey.store, in: CatalogueKey.tree) else {
      guard try snapshot.count(of: CatalogueKey.tree) == 0 else { throw Self.notAStore }
      return nil
    }
    store = try Self.storeEntry(value)
    try readEntries(snapshot)
  }

  /// Looks at the format first, since other formats may seal their entries in another way or not at all.
  private static func storeEntry(_ value: UnsafeRawBufferPointer) throws -> StoreEntry {
    struct Format: Decodable { var format: Int }
    let text = value.prefix { $0 != UInt8(ascii: "}") }
    let json = Data(text) + Data([UInt8(ascii: "}")])
    if let found = (try? JSONDecoder().decode(Format.self, from: json))?.format {
      if found > CatalogueKey.format { throw newerFormat(found) }
      // A damaged digit doesn't make a store old: an older one has nothing behind its entry.
      if found < CatalogueKey.format, text.count + 1 == value.count { throw olderFormat(found) }
    }
    return try CatalogueKey.store.withUnsafeBytes { key in
      try decode(StoreEntry.self, key, value, "the store's entry")
    }
  }

  private static func newerFormat(_ format: Int) -> StoreError {
    StoreError(
      .newerFormat,
      "the store has format \(format), this version of Lode reads format \(CatalogueKey.format); "
        + "open it with a newer version")
  }

  private static func olderFormat(_ format: Int) -> StoreError {
    StoreError(
      .olderFormat,
      "the store has format \(format), this version of Lode reads format \(CatalogueKey.format); "
        + "copy its objects with the version that wrote it")
  }

  private static let notAStore = StoreError(
    .notAStore, "the data file holds no store of Lode; choose another place")

  private mutating func readEntries(_ snapshot: any KeyValueSnapshot) throws {
    let cursor = try snapshot.cursor(in: CatalogueKey.tree)
    var isPresent = try cursor.first()
    while isPresent {
      try read(cursor.key, cursor.value)
      isPresent = try cursor.next()
    }
  }

  private mutating func read(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) throws
  {
    switch key.first {
    case CatalogueKey.entityMark:
      entities.append(try Self.decode(EntityEntry.self, key, value, "an entity"))
    case CatalogueKey.treeMark:
      trees.append(try Self.decode(TreeEntry.self, key, value, "a tree"))
    case CatalogueKey.dictionaryMark:
      guard key.count == 5 else { throw Self.corrupt("a dictionary's key") }
      let entity = UInt16(key[1]) << 8 | UInt16(key[2])
      let number = UInt16(key[3]) << 8 | UInt16(key[4])
      let bytes = SealedValue.open(value, of: key).map { Array($0) }
      dictionaries[entity, default: []].append((number, bytes))
    default: break
    }
  }

  private static func decode<Entry: Decodable>(
    _ type: Entry.Type, _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer,
    _ subject: String
  ) throws -> Entry {
    guard let bytes = SealedValue.open(value, of: key) else { throw corrupt(subject) }
    do {
      return try JSONDecoder().decode(type, from: Data(bytes))
    } catch {
      throw corrupt(subject, error)
    }
  }

  private static func corrupt(_ subject: String, _ underlying: (any Error)? = nil) -> StoreError {
    StoreError(
      .corrupt, "in the catalogue, \(subject) can't be read; restore the store from a copy",
      underlying: underlying)
  }

  /// Checks what the rest of the store relies on: numbers unique and in range, trees present.
  ///
  /// - Throws: `StoreError` with code `corrupt`.
  func check() throws {
    let treeNumbers = trees.map(\.number)
    let entityNumbers = entities.map(\.number)
    guard Set(treeNumbers).count == trees.count, treeNumbers.allSatisfy({ $0 > 1 }),
      Set(entityNumbers).count == entities.count, !entityNumbers.contains(0),
      Set(entities.map(\.description.name)).count == entities.count
    else { throw Self.corrupt("the numbering") }
    guard treeNumbers.allSatisfy({ $0 < store.nextTree }), store.nextTree < 1 << 31,
      entityNumbers.allSatisfy({ $0 < store.nextEntity }), store.nextEntity <= 1 << 16
    else { throw Self.corrupt("the numbering") }
    let recordTrees = Set(trees.filter { $0.purpose == .records }.map(\.number))
    guard entities.allSatisfy({ recordTrees.contains($0.recordTree) }) else {
      throw Self.corrupt("the list of trees")
    }
  }
}

extension KeyValueSnapshot {
  func value(
    ofKey key: [UInt8], in tree: TreeID
  ) throws(EngineError) -> UnsafeRawBufferPointer? {
    // The value's bytes belong to the snapshot and outlive the key's.
    let result = key.withUnsafeBytes { raw -> Result<UnsafeRawBufferPointer?, EngineError> in
      do throws(EngineError) { return .success(try value(of: raw, in: tree)) } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// Reads a value of the catalogue; nil when there is none.
  ///
  /// - Throws: `RecordError.malformed` when its checksum is wrong.
  private func catalogueValue(
    of key: [UInt8], _ subject: String
  ) throws -> UnsafeRawBufferPointer? {
    guard let value = try value(ofKey: key, in: CatalogueKey.tree) else { return nil }
    guard let bytes = key.withUnsafeBytes({ SealedValue.open(value, of: $0) }) else {
      throw RecordError.malformed(reason: subject)
    }
    return bytes
  }

  /// Reads the counters of one entity; zeros when it has never had a row.
  func counters(ofEntity number: UInt16) throws -> EntityCounters {
    let key = CatalogueKey.counters(ofEntity: number)
    guard let value = try catalogueValue(of: key, "the counters of entity \(number)") else {
      return EntityCounters()
    }
    return try EntityCounters(value)
  }

  /// Reads the first object number that hasn't been given out.
  ///
  /// - Throws: `RecordError.malformed` when the catalogue is damaged.
  func nextObjectNumber() throws -> UInt64 {
    guard let value = try catalogueValue(of: CatalogueKey.objectNumber, "the object counter")
    else { return 1 }
    guard value.count == 8 else { throw RecordError.malformed(reason: "the object counter") }
    return value.integer(at: 0, as: UInt64.self)
  }
}

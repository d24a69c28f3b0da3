internal import Foundation
internal import LodeKV
internal import LodeModel

/// What opening a store with a model comes to: the schema, and what has to be written for it.
struct SchemaOpening: Sendable {
  let schema: StoreSchema
  /// Catalogue entries that are new or differ.
  var puts: [(key: [UInt8], value: [UInt8])] = []
  /// Catalogue entries of trees that the model no longer has.
  var removals: [[UInt8]] = []
  /// Indexes and constraints that are new in a store that may have rows.
  var added: [StoredIndex] = []
  /// Trees to empty.
  var dropped: [TreeID] = []

  /// How many trees the store has, the engine's own and the catalogue included.
  var treeCount = 2

  var isWrite: Bool { !puts.isEmpty || !removals.isEmpty }
}

/// Fits a model to a catalogue: finds the numbers that exist and gives out those that are missing.
struct SchemaBuilder {
  /// What a tree is for, which is how it is found again.
  private struct Signature: Hashable {
    var purpose: TreeEntry.Purpose
    var entity: UInt16
    var name: String
    var elements: [IndexCoding.Element]
  }

  private let model: ManagedObjectModel
  private let old: Catalogue?
  private let compressesTails: Bool
  private var store: StoreEntry
  private var numbers: [EntityName: UInt16] = [:]
  private var known: [Signature: UInt32] = [:]
  private var used: [UInt32: TreeEntry] = [:]
  private var indexes: [Int: [StoredIndex]] = [:]
  private var links: [Int: [StoredLinks]] = [:]
  private var added: [StoredIndex] = []

  /// Builds the schema of a model for a store.
  ///
  /// - Parameters:
  ///   - catalogue: what the store holds; nil for a new one.
  ///   - uuid: the identity of a new store.
  ///   - compressesTails: whether new records have compressed tails.
  /// - Throws: `StoreError` with code `incompatibleModel`, or `invalidValue` for an index that no key can
  ///   hold.
  static func open(
    _ model: ManagedObjectModel, _ catalogue: Catalogue?, newUUID uuid: UUID,
    compressesTails: Bool = false
  ) throws(StoreError) -> SchemaOpening {
    var builder = SchemaBuilder(model, catalogue, uuid, compressesTails)
    if let catalogue { try builder.checkHashes(catalogue) }
    builder.numberEntities()
    return try builder.build()
  }

  private init(
    _ model: ManagedObjectModel, _ catalogue: Catalogue?, _ uuid: UUID, _ compressesTails: Bool
  ) {
    self.model = model
    // Nor is any dictionary learned: its number might be that of a damaged one, which records name.
    let isSound = catalogue.map { $0.dictionaries.values.joined().allSatisfy { $0.bytes != nil } }
    self.compressesTails = compressesTails && isSound ?? true
    old = catalogue
    store =
      catalogue?.store
      ?? StoreEntry(format: CatalogueKey.format, uuid: uuid, nextTree: 2, nextEntity: 1)
    for tree in catalogue?.trees ?? [] {
      let signature = Signature(
        purpose: tree.purpose, entity: tree.entity, name: tree.name, elements: tree.elements)
      known[signature] = tree.number
    }
    for entity in catalogue?.entities ?? [] {
      numbers[EntityName(entity.description.name)] = entity.number
    }
  }

  // MARK: Compatibility

  private func checkHashes(_ catalogue: Catalogue) throws(StoreError) {
    var stored = Dictionary(
      catalogue.entities.map { ($0.description.name, $0.versionHash) },
      uniquingKeysWith: { first, _ in first })
    var differences: [String] = []
    for entity in model.entities {
      switch stored.removeValue(forKey: entity.name) {
      case nil: differences.append("“\(entity.name)” is only in the model")
      case entity.versionHash.description: break
      default: differences.append("“\(entity.name)” differs")
      }
    }
    differences += stored.keys.map { "“\($0)” is only in the store" }
    guard !differences.isEmpty else { return }
    throw StoreError(
      .incompatibleModel,
      "the store was written with another model: \(differences.sorted().joined(separator: ", ")); "
        + "open it with its own model or migrate it")
  }

  // MARK: Numbers

  private mutating func numberEntities() {
    for entity in model.entities where numbers[entity.entityName] == nil {
      // A model has at most 65,535 entities, and a store no others than its model.
      numbers[entity.entityName] = UInt16(truncatingIfNeeded: store.nextEntity)
      store.nextEntity += 1
    }
  }

  private func number(_ entity: Entity) -> UInt16 { numbers[entity.entityName] ?? 0 }

  private mutating func tree(
    _ purpose: TreeEntry.Purpose, _ entity: Entity, _ name: String,
    _ elements: [IndexCoding.Element] = []
  ) -> (tree: TreeID, isNew: Bool) {
    let signature = Signature(
      purpose: purpose, entity: number(entity), name: name, elements: elements)
    let found = known[signature]
    let treeNumber = found ?? store.nextTree
    if found == nil {
      store.nextTree += 1
      known[signature] = treeNumber
    }
    used[treeNumber] = TreeEntry(
      number: treeNumber, purpose: purpose, entity: number(entity), name: name, elements: elements)
    return (TreeID(treeNumber), found == nil)
  }

  // MARK: Parts

  private mutating func build() throws(StoreError) -> SchemaOpening {
    for entity in model.entities {
      indexes[entity.definition.index] = try ownIndexes(of: entity)
      links[entity.definition.index] = ownLinks(of: entity)
    }
    let references = ReferenceTable(store: StoreIdentifier(store.uuid), numbers: numbers)
    var stored: [StoredEntity] = []
    for entity in model.entities { stored.append(storedEntity(entity, references)) }
    let schema = StoreSchema(model: model, references: references, entities: stored)
    return opening(schema)
  }

  private mutating func ownIndexes(of entity: Entity) throws(StoreError) -> [StoredIndex] {
    var result: [StoredIndex] = []
    for index in entity.description.indexes {
      let elements = index.elements.map {
        IndexCoding.Element(property: $0.propertyName, isAscending: $0.isAscending)
      }
      result.append(try self.index(.index, entity, index.name, elements))
    }
    for names in Self.distinct(entity.description.uniquenessConstraints) {
      let elements = names.map { IndexCoding.Element(property: $0, isAscending: true) }
      let name = names.joined(separator: ", ")
      result.append(try self.index(.constraint, entity, name, elements))
    }
    return result
  }

  private static func distinct(_ constraints: [[String]]) -> [[String]] {
    var seen: Set<[String]> = []
    return constraints.filter { seen.insert($0).inserted }
  }

  private mutating func index(
    _ purpose: TreeEntry.Purpose, _ entity: Entity, _ name: String,
    _ elements: [IndexCoding.Element]
  ) throws(StoreError) -> StoredIndex {
    let parts = elements.compactMap { element in
      entity.property(named: element.property).map {
        (slot: $0.slot, kind: RecordLayout.Kind($0), isAscending: element.isAscending)
      }
    }
    guard parts.count == elements.count, let key = IndexKey(parts) else {
      throw StoreError(
        .invalidValue,
        "the \(purpose.rawValue) “\(name)” of “\(entity.name)” has more properties than a key of "
          + "\(IndexKey.byteCountMax) bytes can hold; leave some out")
    }
    let (tree, isNew) = self.tree(purpose, entity, name, elements)
    let index = StoredIndex(
      tree: tree, name: name, entity: entity, isUnique: purpose == .constraint,
      propertyNames: elements.map(\.property), key: key)
    if isNew { added.append(index) }
    return index
  }

  private mutating func ownLinks(of entity: Entity) -> [StoredLinks] {
    entity.description.relationships.sorted { $0.name < $1.name }.compactMap { description in
      guard description.isToMany, let relationship = entity.property(named: description.name) else {
        return nil
      }
      let destination = entity.destination(of: relationship)
      let inverse = entity.inverse(of: relationship).flatMap { $0.isToMany ? $0 : nil }
      return StoredLinks(
        tree: tree(.links, entity, description.name).tree, entity: entity,
        relationship: relationship, form: StoredLinks.form(of: relationship, entity),
        inverseTree: inverse.map { tree(.links, destination, $0.name).tree },
        inverseForm: inverse.map { StoredLinks.form(of: $0, destination) },
        memberNumbers: Set(destination.selfAndDescendants.map(number)))
    }
  }

  private func tails(of entity: Entity) -> TailCodec {
    TailCodec(isEnabled: compressesTails, dictionaries: old?.dictionaries[number(entity)] ?? [])
  }

  private mutating func storedEntity(
    _ entity: Entity, _ references: ReferenceTable
  ) -> StoredEntity {
    let line = sequence(first: entity, next: \.superentity).reversed()
    let ownLinks = line.flatMap { links[$0.definition.index] ?? [] }
    return StoredEntity(
      entity: entity, number: number(entity),
      layout: RecordLayout(
        entity: entity, entityNumber: number(entity), references: references,
        tails: tails(of: entity)),
      recordTree: tree(.records, entity.root, "").tree,
      indexes: line.flatMap { indexes[$0.definition.index] ?? [] },
      feeds: feeds(of: entity),
      links: Dictionary(
        ownLinks.map { ($0.relationship.slot, $0) }, uniquingKeysWith: { first, _ in first }),
      toOnes: entity.properties.filter(\.isToOne).map { property in
        (property.slot, Set(entity.destination(of: property).selfAndDescendants.map(number)))
      })
  }

  private func feeds(of entity: Entity) -> [(slot: Int, tree: StoredLinks)] {
    entity.properties.compactMap { property in
      guard property.isToOne, let inverse = entity.inverse(of: property), inverse.isToMany else {
        return nil
      }
      // A relationship's inverse leads back to the entity that declares it, so that the inverse is
      // declared by the destination itself.
      let candidates = links[entity.destination(of: property).definition.index] ?? []
      return candidates.first { $0.relationship.name == inverse.name && $0.form == .derived }
        .map { (property.slot, $0) }
    }
  }

  // MARK: What to write

  private func opening(_ schema: StoreSchema) -> SchemaOpening {
    var opening = SchemaOpening(schema: schema)
    let hadRows = old != nil
    if old?.store != store { opening.put(CatalogueKey.store, store) }
    let oldEntities = Dictionary(
      (old?.entities ?? []).map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    for entity in schema.entities {
      let entry = EntityEntry(entity)
      if oldEntities[entity.number] != entry {
        opening.put(CatalogueKey.entity(entity.number), entry)
      }
    }
    let oldTrees = Set((old?.trees ?? []).map(\.number))
    for (number, entry) in used.sorted(by: { $0.key < $1.key }) where !oldTrees.contains(number) {
      opening.put(CatalogueKey.tree(number), entry)
    }
    for number in oldTrees.subtracting(used.keys).sorted() {
      opening.removals.append(CatalogueKey.tree(number))
      opening.dropped.append(TreeID(number))
    }
    if hadRows { opening.added = added }
    opening.treeCount += used.count
    return opening
  }
}

extension SchemaOpening {
  mutating func put(_ key: [UInt8], _ entry: some Encodable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // The entries have strings, numbers and Booleans alone, which always have a JSON form.
    guard let value = try? encoder.encode(entry) else {
      preconditionFailure("a catalogue entry has no JSON form")
    }
    puts.append((key, SealedValue.seal(Array(value), of: key)))
  }
}

extension EntityEntry {
  init(_ entity: StoredEntity) {
    number = entity.number
    versionHash = entity.entity.versionHash.description
    recordTree = entity.recordTree.number
    revision = 1
    fields = entity.layout.properties.map {
      Field(name: $0.name, kind: "\(entity.layout.fields[$0.slot].kind)")
    }
    description = EntityCoding(entity.entity.description)
  }
}

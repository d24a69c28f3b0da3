internal import Foundation
internal import LodeKV
internal import LodeModel

extension EngineStore {
  /// Takes figures of the store and its files.
  ///
  /// - Complexity: the catalogue and the list of free pages; no row is read.
  /// - Throws: `StoreError` when the store can't be read.
  public func figures() throws(StoreError) -> StoreFigures {
    do {
      let engineFigures = try engine.statistics()
      let pages = try (engine as? any DataFileEngine)?.dataFileFigures() ?? DataFileFigures()
      return try engine.read { snapshot in
        guard let catalogue = try Catalogue(snapshot) else {
          throw StoreError(.notAStore, "the store has no catalogue")
        }
        return StoreFigures(
          engineFigures, pages, catalogue, entities: try entityFigures(catalogue, snapshot))
      }
    } catch {
      throw StoreError(wrapping: error, path: url?.path)
    }
  }

  private func entityFigures(
    _ catalogue: Catalogue, _ snapshot: any KeyValueSnapshot
  ) throws -> [StoreFigures.EntityFigures] {
    try catalogue.entities.map { entity in
      let counters = try snapshot.counters(ofEntity: entity.number)
      let dictionaries = catalogue.dictionaries[entity.number] ?? []
      return StoreFigures.EntityFigures(
        name: entity.description.name, rowCount: Int(counters.rowCount),
        rawByteCount: Int(counters.rawByteCount), storedByteCount: Int(counters.storedByteCount),
        dictionaryCount: dictionaries.count,
        dictionaryByteCount: dictionaries.reduce(0) { $0 + ($1.bytes?.count ?? 0) })
    }.sorted { $0.name < $1.name }
  }
}

extension StoreFigures {
  fileprivate init(
    _ engine: EngineStatistics, _ pages: DataFileFigures, _ catalogue: Catalogue,
    entities: [EntityFigures]
  ) {
    identifier = catalogue.store.uuid
    format = catalogue.store.format
    lastSequence = engine.lastSequence
    durableSequence = engine.durableSequence
    self.entities = entities
    dataFileByteCount = engine.dataFileByteCount
    pageByteCount = pages.pageByteCount
    pageCount = pages.pageCount
    livePageCount = pages.livePageCount + pages.overheadPageCount
    freePageCount = pages.freePageCount
    trees = pages.trees.filter { $0.pairCount > 0 }.map {
      TreeFigures(
        name: catalogue.treeName($0.number), entryCount: $0.pairCount, depth: $0.depth,
        pageCount: $0.pageCount)
    }
    readers = pages.readers.map {
      Reader(processID: Int($0.processID), commitsBehind: Int($0.commitsBehind))
    }
    journalFileByteCount = engine.journalFileByteCount
    journalUsedByteCount = engine.journalUsedByteCount
    journalByteCountMax = engine.journalByteCountMax
    growthByteCount = engine.growthByteCount
    growthByteCountMax = engine.growthByteCountMax
  }
}

extension Catalogue {
  /// Says what a tree holds.
  func treeName(_ number: UInt32) -> String {
    if number == 0 { return "engine" }
    if number == CatalogueKey.tree.number { return "catalogue" }
    guard let tree = trees.first(where: { $0.number == number }) else { return "tree \(number)" }
    let entity =
      entities.first { $0.number == tree.entity }?.description.name ?? "entity \(tree.entity)"
    return switch tree.purpose {
    case .records: "records of \(entity)"
    case .index, .constraint, .links: "\(tree.purpose.rawValue) \(entity).\(tree.name)"
    }
  }
}

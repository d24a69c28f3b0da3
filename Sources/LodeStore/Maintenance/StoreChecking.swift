public import Foundation
internal import LodeKV
internal import LodeModel

extension EngineStore {
  /// Compares everything that the store holds: rows with their checksums, index entries with rows,
  /// relationships with their inverses, unique values, counters.
  ///
  /// Reads one snapshot, while others read and write; nothing is changed. The data file's pages are looked
  /// at when a store is opened, not here.
  ///
  /// - Parameter faultCountMax: how many faults are described; all are counted.
  /// - Complexity: all rows and links, and as many look-ups as there are index entries and links.
  /// - Throws: `StoreError` when the store can't be read at all.
  public func check(faultCountMax: Int = 1_000) throws(StoreError) -> StoreCheckReport {
    let notes = CheckNotes(faultCountMax: faultCountMax)
    do {
      try engine.read { try StoreCheck(schema, $0, notes).run() }
    } catch {
      throw StoreError(wrapping: error, path: url?.path)
    }
    return notes.report
  }

  /// Checks a store that nobody writes, pages first; nothing in its folder is changed.
  ///
  /// Where a page is damaged the rest isn't looked at, since nothing that it leads to can be trusted.
  ///
  /// - Parameters:
  ///   - url: the folder of the store; its own description takes the place of a model.
  ///   - faultCountMax: how many faults are described; all are counted, but for pages, where the check
  ///     ends then.
  /// - Throws: `StoreError` when the store can't be read at all: `notAStore`, `locked`, `corrupt` when the
  ///   journal or the catalogue is damaged.
  public static func check(
    at url: URL, faultCountMax: Int = 1_000
  ) throws(StoreError) -> StoreCheckReport {
    let pages = try checkPages(at: url, faultCountMax)
    var report = StoreCheckReport()
    if pages.faults.isEmpty {
      var options = StoreOptions()
      options.access = .readOnly
      let store = try lmdb(existingAt: url, options: options)
      report = try store.check(faultCountMax: faultCountMax)
      try store.close()
    } else {
      let places = PagePlaces(pages.pairs)
      report.faults = pages.faults.map(places.fault)
      report.faultCount = report.faults.count
    }
    report.pageCount = pages.pageCount
    return report
  }
}

extension EngineStore {
  /// Looks at the pages, unless processes that share the store have it open: they have done so.
  private static func checkPages(
    at url: URL, _ faultCountMax: Int
  ) throws(StoreError) -> PageCheckResult {
    do throws(EngineError) {
      return try LMDBEngine.checkPages(
        in: url, faultCountMax: faultCountMax, gathering: CatalogueKey.tree)
    } catch {
      if case .locked = error { return PageCheckResult() }
      throw StoreError(wrapping: error, path: url.path)
    }
  }
}

/// Says what damaged pages hold, as far as what is left of the catalogue tells.
private struct PagePlaces {
  private var trees: [UInt32: TreeEntry] = [:]
  private var entityNames: [UInt16: String] = [:]

  init(_ pairs: [[UInt8]: [UInt8]]) {
    for (key, value) in pairs {
      switch key.first {
      case CatalogueKey.treeMark:
        if let tree = Self.decode(TreeEntry.self, key, value) { trees[tree.number] = tree }
      case CatalogueKey.entityMark:
        guard let entity = Self.decode(EntityEntry.self, key, value) else { continue }
        entityNames[entity.number] = entity.description.name
      default: break
      }
    }
  }

  private static func decode<Entry: Decodable>(
    _ type: Entry.Type, _ key: [UInt8], _ value: [UInt8]
  ) -> Entry? {
    key.withUnsafeBytes { key in
      value.withUnsafeBytes { value in
        SealedValue.open(value, of: key).flatMap {
          try? JSONDecoder().decode(type, from: Data($0))
        }
      }
    }
  }

  func fault(_ page: PageFault) -> StoreFault {
    let range = isRecords(page.tree) ? Self.objects(page) : nil
    return StoreFault(
      .page, page.reason + (range.map { "; \($0)" } ?? ""), place: place(of: page.tree),
      position: page.position)
  }

  private func isRecords(_ number: UInt32?) -> Bool {
    number.flatMap { trees[$0] }?.purpose == .records
  }

  private func place(of number: UInt32?) -> String {
    guard let number else { return "engine" }
    guard number != CatalogueKey.tree.number else { return "catalogue" }
    guard let tree = trees[number], let entity = entityNames[tree.entity] else {
      return "tree \(number)"
    }
    return tree.purpose == .records
      ? "records of \(entity)" : "\(tree.purpose.rawValue) \(entity).\(tree.name)"
  }

  /// Says whose records are on a page or below it.
  private static func objects(_ page: PageFault) -> String {
    let first = number(page.lowerKey).map { "from \($0)" } ?? "from the first"
    let end = page.upperKey.flatMap(number).map { "up to \($0 - 1)" } ?? "up to the last"
    return "it holds the objects \(first) \(end)"
  }

  private static func number(_ key: [UInt8]) -> UInt64? {
    key.withUnsafeBytes { try? ObjectKey($0).number }
  }
}

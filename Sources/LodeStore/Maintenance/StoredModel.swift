public import Foundation
internal import LodeKV
internal import LodeModel

extension EngineStore {
  /// Opens the store in a folder with the model that it keeps itself, for tools that don't have the model;
  /// recovers it after a crash.
  ///
  /// - Parameter url: the folder of a store; nothing is made where there is none.
  /// - Throws: `StoreError` with code `notAStore` when there is none, `newerFormat` when the store's model
  ///   has types that this version doesn't know, and what opening with a model throws.
  public static func lmdb(
    existingAt url: URL, options: StoreOptions = StoreOptions()
  ) throws(StoreError) -> EngineStore {
    guard FileManager.default.fileExists(atPath: url.appendingPathComponent("data.mdb").path) else {
      throw StoreError(
        .notAStore, "there is no store here: a store is a folder with a file “data.mdb”",
        path: url.path)
    }
    let engine = try openEngine(at: url, options: options, treeCount: treeCountMax)
    do {
      let model = try engine.read { try storedModel($0) }
      return try EngineStore(
        engine: engine, type: .lmdb, url: url, model: model, options: options)
    } catch {
      // The failure to open is what the caller must hear of; closing twice is allowed.
      try? engine.close()
      throw StoreError(wrapping: error, path: url.path)
    }
  }

  /// As many trees as a model can lead to, when the model isn't known yet.
  private static let treeCountMax = 1 << 12

  private static func storedModel(
    _ snapshot: any KeyValueSnapshot
  ) throws -> ManagedObjectModel {
    guard let catalogue = try Catalogue(snapshot) else {
      throw StoreError(.notAStore, "the store is empty: it was never opened with a model")
    }
    try catalogue.check()
    let descriptions = try catalogue.entities.sorted { $0.number < $1.number }.map { entry in
      guard let description = EntityDescription(entry.description) else {
        throw StoreError(
          .newerFormat,
          "“\(entry.description.name)” has properties of types that this version of Lode doesn't know"
        )
      }
      return description
    }
    do {
      return try ManagedObjectModel(entities: descriptions)
    } catch {
      throw StoreError(.corrupt, "the catalogue's entities are no model: \(error)")
    }
  }
}

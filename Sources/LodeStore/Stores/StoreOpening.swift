internal import Foundation
internal import LodeKV
internal import LodeModel

/// Opens a store: compares the model with the catalogue, and writes what the model has gained or lost.
struct StoreOpening {
  private let engine: any KeyValueEngine
  private let model: ManagedObjectModel
  private let options: StoreOptions

  init(_ engine: any KeyValueEngine, _ model: ManagedObjectModel, _ options: StoreOptions) {
    self.engine = engine
    self.model = model
    self.options = options
  }

  /// Returns the schema; the engine is written only when something differs.
  ///
  /// - Throws: `StoreError`, `EngineError` or `RecordError`.
  func run() throws -> StoreSchema {
    let uuid = UUID()
    let opening = try engine.read { try Self.opening($0, model, uuid, options) }
    guard opening.isWrite else { return opening.schema }
    // Prepared anew inside of the commit, where nobody else can have opened the store in between.
    try engine.commit { [model, options] snapshot in
      let opening = try Self.opening(snapshot, model, uuid, options)
      var writer = SchemaWriter(opening, snapshot)
      return try writer.writeList()
    }
    return try engine.read { try Self.opening($0, model, uuid, options) }.schema
  }

  private static func opening(
    _ snapshot: any KeyValueSnapshot, _ model: ManagedObjectModel, _ uuid: UUID,
    _ options: StoreOptions
  ) throws -> SchemaOpening {
    let catalogue = try Catalogue(snapshot)
    try catalogue?.check()
    return try SchemaBuilder.open(
      model, catalogue, newUUID: uuid, compressesTails: options.compressesLongValues)
  }
}

public import LodeModel
internal import LodeKV

extension EngineStore {
  /// Makes an empty store that lives in memory and goes with its last reference.
  ///
  /// - Throws: `StoreError` with code `invalidValue` for an index that no key can hold.
  public static func inMemory(model: ManagedObjectModel) throws(StoreError) -> EngineStore {
    try EngineStore(engine: MemoryEngine(), type: .inMemory, url: nil, model: model)
  }
}

import LodeModel

/// The objects of a context by ID: one for each, which keeps no object alive.
struct ObjectRegistry {
  // An entry is valid because every object takes itself out in its deinit, on the executor that alone
  // reads the registry.
  private var entries: [ManagedObjectID: Unmanaged<ManagedObject>] = [:]

  subscript(objectID: ManagedObjectID) -> ManagedObject? {
    entries[objectID]?.takeUnretainedValue()
  }

  var objects: [ManagedObject] { entries.values.map { $0.takeUnretainedValue() } }

  mutating func register(_ object: ManagedObject) {
    entries[object.objectID] = Unmanaged.passUnretained(object)
  }

  mutating func forget(_ objectID: ManagedObjectID) { entries[objectID] = nil }

  mutating func forgetAll() { entries = [:] }

  mutating func reserve(_ count: Int) { entries.reserveCapacity(entries.count + count) }
}

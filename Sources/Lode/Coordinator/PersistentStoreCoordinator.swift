public import Foundation
public import LodeModel
public import LodeStore
import Synchronization

/// Stands between contexts and the store: gives out IDs, reads rows, carries out saves and tells the
/// other contexts of them.
///
/// May be used from any thread.
public final class PersistentStoreCoordinator: Sendable {
  /// The entities that the store keeps.
  public let model: ManagedObjectModel
  /// The store that everything comes from and goes to.
  public let store: any PersistentStore

  private struct Numbers {
    var next: UInt64 = 0
    var end: UInt64 = 0
    var blockCount = PersistentStoreCoordinator.blockCountMin
  }

  private static let blockCountMin = 1_024
  private static let blockCountMax = 65_536

  private let numbers = Mutex(Numbers())
  /// The contexts that hear of every save.
  package let saveListeners = SaveListeners()

  /// Makes a coordinator of an open store.
  public init(store: any PersistentStore) {
    self.store = store
    model = store.model
  }

  /// Returns the ID that a URI stands for.
  ///
  /// - Returns: nil when the URI is no object's, or one of another store or of an entity that the model
  ///   doesn't have. Whether the object exists is not looked up.
  public func managedObjectID(forURIRepresentation uri: URL) -> ManagedObjectID? {
    let parts = uri.path.split(separator: "/")
    guard uri.scheme == "x-lode", parts.count == 2,
      uri.host.flatMap(UUID.init(uuidString:)) == store.identifier.uuid,
      let entity = model.entitiesByName[String(parts[0])], let number = UInt64(parts[1]),
      (1...ManagedObjectID.numberMax).contains(number)
    else { return nil }
    return ManagedObjectID(
      store: store.identifier, entityName: entity.entityName, number: number)
  }
}

extension PersistentStoreCoordinator: ContextBacking {
  /// Takes the next number of a reserved block; blocks double in size up to 65,536 numbers.
  ///
  /// When a block can't be reserved, numbers are given out beyond the last one: the store fails the save
  /// that would use them or raises its counter with it, so that none is ever stored twice.
  package func newObjectID(for entity: Entity) -> ManagedObjectID {
    let number = numbers.withLock { numbers in
      if numbers.next >= numbers.end { reserve(&numbers) }
      defer { numbers.next += 1 }
      return numbers.next
    }
    return ManagedObjectID(
      store: store.identifier, entityName: entity.entityName, number: number)
  }

  private func reserve(_ numbers: inout Numbers) {
    guard let block = try? store.reserveObjectNumbers(count: numbers.blockCount) else {
      numbers.next = max(numbers.next, 1)
      return
    }
    numbers.next = max(block.lowerBound, numbers.next)
    numbers.end = block.upperBound
    numbers.blockCount = min(numbers.blockCount * 2, Self.blockCountMax)
  }

  /// Returns the rows that a query asks for.
  package func images(_ query: StoreQuery) throws -> [ObjectImageWithID] {
    try store.rows(query).map { ObjectImageWithID(objectID: $0.objectID, image: .row($0)) }
  }

  /// Returns the IDs that a query asks for.
  package func objectIDs(_ query: StoreQuery) throws -> [ManagedObjectID] {
    try store.objectIDs(query)
  }

  /// Returns how many rows a query asks for.
  package func count(_ query: StoreQuery) throws -> Int { try store.count(query) }

  /// Returns the rows of IDs; nil where there is none.
  package func images(for objectIDs: [ManagedObjectID]) throws -> [ObjectImage?] {
    try store.rows(for: objectIDs).map { $0.map(ObjectImage.row) }
  }

  /// Returns the stored members of a to-many relationship.
  package func members(
    of relationship: Property, owner: ManagedObjectID
  ) throws -> [ManagedObjectID] {
    try store.members(of: relationship, owner: owner)
  }

  /// Commits a save to the store, then tells the listeners.
  package func commit(_ save: ContextSave) throws -> [ObjectImage] {
    let receipt = try store.commit(save.changes)
    saveListeners.tell(SaveNotice(save))
    return receipt.rows.map(ObjectImage.row)
  }
}

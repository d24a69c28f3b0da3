public import Foundation
public import LodeModel
public import LodeStore

/// Stands between contexts and the store: gives out IDs, reads rows, carries out saves and tells the
/// other contexts of them.
///
/// May be used from any thread.
public final class PersistentStoreCoordinator: Sendable {
  /// The entities that the store keeps.
  public let model: ManagedObjectModel
  /// The store that everything comes from and goes to.
  public let store: any PersistentStore

  /// The contexts that hear of every save.
  package let saveListeners = SaveListeners()

  /// A sequence of the notices of all saves from now on, for `mergeChanges(from:)` of contexts that don't
  /// merge by themselves.
  ///
  /// Each access opens a sequence of its own. Notices wait in it until they are read, without a bound.
  public var saveNotices: AsyncStream<SaveNotice> { SaveStream.open(saveListeners) }

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
  /// The identity of the store, which is part of its objects' IDs.
  package var storeIdentifier: StoreIdentifier { store.identifier }

  /// Takes the next number that the store gives out.
  ///
  /// - Throws: `StoreError` when the store has to write for it and can't.
  package func newObjectID(for entity: Entity) throws -> ManagedObjectID {
    let number = try store.reserveObjectNumbers(count: 1).lowerBound
    return ManagedObjectID(
      store: store.identifier, entityName: entity.entityName, number: number)
  }

  /// Tells whether an ID is one of the store.
  package func keeps(_ objectID: ManagedObjectID) -> Bool { objectID.store == store.identifier }

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

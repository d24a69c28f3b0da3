package import LodeModel
import LodeStore

// How objects come to be and get their values: the context as the host of its objects.

extension ManagedObjectContext: ObjectHost {
  /// The context's name.
  package var hostName: String { name }

  /// Returns the one object of an ID, made as a fault when the context has none.
  package func object(for objectID: ManagedObjectID) -> ManagedObject {
    if let object = registry[objectID] { return object }
    let (entity, type) = objectClass(of: objectID.entityName)
    let object = type.init(ObjectSeed(entity: entity, objectID: objectID, host: self))
    registry.register(object)
    return object
  }

  /// Tells whether the context deletes an object, or knows that its row is gone.
  package func isKnownDeleted(_ objectID: ManagedObjectID) -> Bool {
    registry[objectID]?.isDeleted ?? false
  }

  func objectClass(of name: EntityName) -> (entity: Entity, type: ManagedObject.Type) {
    if let known = classes[name] { return known }
    guard let entity = model.entitiesByName[name.string] else {
      preconditionFailure("the model of context “\(self.name)” has no entity “\(name.string)”")
    }
    let type = entity.description.managedObjectClass as? ManagedObject.Type ?? ManagedObject.self
    classes[name] = (entity, type)
    return (entity, type)
  }

  /// Gives a fault its image, together with the faults that were fetched in one batch with it.
  package func fulfill(_ fault: ManagedObject) {
    checkConfinement()
    let batch = fault.batch
    let objectIDs = batch.map { Array($0.neighbours(of: fault.objectID)) } ?? [fault.objectID]
    do {
      try bringIn(objectIDs)
      if let batch, !batch.prefetchedKeyPaths.isEmpty {
        try prefetch(batch.prefetchedKeyPaths, of: objectIDs.compactMap { registry[$0] })
      }
    } catch {
      accessDidFail(error, on: fault.objectID)
    }
  }

  /// Returns the objects of a whole batch, in its order.
  func faults(_ batch: FaultBatch) -> [ManagedObject] { faults(batch.objectIDs, in: batch) }

  /// Returns the objects of IDs; the first fault among them to fire brings in its batch.
  func faults(
    _ objectIDs: some Collection<ManagedObjectID>, in batch: FaultBatch
  ) -> [ManagedObject] {
    registry.reserve(objectIDs.count)
    return objectIDs.map { objectID in
      let object = object(for: objectID)
      if object.isFault { object.batch = batch }
      return object
    }
  }

  /// Reads the rows of those of the IDs whose objects are faults; a fault without a row is gone.
  func bringIn(_ objectIDs: [ManagedObjectID]) throws {
    let faults = objectIDs.compactMap { registry[$0] }.filter(\.isFault)
    guard !faults.isEmpty else { return }
    for (fault, image) in zip(faults, try backing.images(for: faults.map(\.objectID))) {
      fault.batch = nil
      if let image { awaken(fault, image) } else { fault.status.insert(.gone) }
    }
  }

  /// Gives an object the image of its row, unless it has one.
  func awaken(_ object: ManagedObject, _ image: ObjectImage) {
    object.image = image
    object.awakeFromFetch()
  }

  /// Asks the backing for a to-many relationship's members; nil when that fails, which the next fetch or
  /// save throws.
  package func storedMembers(
    of relationship: Property, owner: ManagedObject
  ) -> [ManagedObjectID]? {
    checkConfinement()
    do {
      return try backing.members(of: relationship, owner: owner.objectID)
    } catch {
      accessDidFail(error, on: owner.objectID)
      return nil
    }
  }

  /// Keeps the first error that a property access met; the next fetch or save throws it.
  package func accessDidFail(_ error: any Error, on objectID: ManagedObjectID?) {
    if accessError == nil { accessError = error }
  }
}

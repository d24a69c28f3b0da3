public import LodeModel
internal import Synchronization

extension ManagedObject {
  /// Makes a new object in a context; the next save stores it.
  ///
  /// It has a permanent ID and its defaults at once. When the store can't give it an ID, the next save throws
  /// the reason, and the object is never stored: make it again.
  ///
  /// - Precondition: the context's model has an entity of this class that isn't abstract.
  public convenience init(context: ManagedObjectContext) {
    self.init(context.seed(for: context.knownEntity(of: Self.self)))
    context.insert(self)
  }

  /// Makes a new object of an entity in a context.
  ///
  /// When the store can't give it an ID, the next save throws the reason, and the object is never stored.
  ///
  /// - Precondition: the entity is of the context's model, not abstract, and its class is this one.
  public convenience init(entity: Entity, insertInto context: ManagedObjectContext) {
    precondition(
      Self.self == context.objectClass(of: entity.entityName).type,
      "objects of \(entity.name) are made by their own class, not by \(Self.self)")
    self.init(context.seed(for: entity))
    context.insert(self)
  }
}

extension ManagedObjectContext {
  /// Makes a new object of the entity of a name.
  ///
  /// - Throws: `ContextError` with code `unknownEntity` when the model has no such entity, or only as an
  ///   abstract one; `StoreError` when the store can't give the object an ID.
  public func insertNewObject(forEntityName name: String) throws -> ManagedObject {
    let entity = try entity(named: name)
    guard !entity.isAbstract else {
      throw ContextError(
        .unknownEntity, "\(name) is abstract: insert an object of one of its sub-entities")
    }
    let seed = ObjectSeed(
      entity: entity, objectID: try backing.newObjectID(for: entity), host: self)
    let object = objectClass(of: entity.entityName).type.init(seed)
    insert(object)
    return object
  }

  fileprivate func seed(for entity: Entity) -> ObjectSeed {
    precondition(
      !entity.isAbstract,
      "\(entity.name) is abstract: insert an object of one of its sub-entities")
    do {
      return ObjectSeed(
        entity: entity, objectID: try backing.newObjectID(for: entity), host: self)
    } catch {
      let objectID = ManagedObjectID(
        store: backing.storeIdentifier, entityName: entity.entityName,
        number: UnreservedNumbers.next())
      accessDidFail(error, on: objectID)
      return ObjectSeed(entity: entity, objectID: objectID, host: self)
    }
  }

  fileprivate func knownEntity(of type: ManagedObject.Type) -> Entity {
    guard let entity = entity(of: type) else {
      preconditionFailure("the model of context “\(name)” has no entity of class \(type)")
    }
    return entity
  }

  /// Returns the entity of a name.
  ///
  /// - Parameter objectID: what the name was read from, for the error.
  func entity(named name: String, for objectID: ManagedObjectID? = nil) throws -> Entity {
    guard let entity = model.entitiesByName[name] else {
      throw ContextError(
        .unknownEntity, "the model has no entity “\(name)”", objectID: objectID)
    }
    return entity
  }

  /// Returns the entity whose objects are of a class; nil when there is none.
  func entity(of type: ManagedObject.Type) -> Entity? {
    let name = type.entityDescription?.name ?? String(describing: type)
    guard let entity = model.entitiesByName[name] else { return nil }
    return objectClass(of: entity.entityName).type == type ? entity : nil
  }

  fileprivate func insert(_ object: ManagedObject) {
    checkConfinement()
    register(inserted: object)
    for slot in object.entity.definition.transientSlots {
      object.transientValues[slot] = object.entity.properties[slot].attribute?.defaultValue
    }
    object.setInitialValues()
    object.awakeFromInsert()
  }

  /// Takes in a new object with its defaults.
  func register(inserted object: ManagedObject) {
    object.status.formUnion([.inserted, .unannounced])
    object.pendingValues = object.entity.definition.initialValues
    registry.register(object)
    inserted[object.objectID] = object
    touch(object, existed: false)
  }
}

/// Numbers for objects that their store couldn't number: unlike any other, and refused by every store, which
/// gives out numbers from the other end.
private enum UnreservedNumbers {
  private static let count = Atomic<UInt64>(0)

  static func next() -> UInt64 {
    ManagedObjectID.numberMax - count.wrappingAdd(1, ordering: .relaxed).oldValue
  }
}

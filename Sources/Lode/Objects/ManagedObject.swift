public import LodeModel
import LodeStore

/// An object of a context: one row's life, with the changes that have not been saved yet.
///
/// An object is confined to its context's executor. Its values come from its row the first time one is
/// read (until then it is a fault), and what is set stays in the object until the context saves.
/// `objectID`, `entity`, equality and hashing never touch the store.
open class ManagedObject {
  /// The object's permanent identity.
  public final let objectID: ManagedObjectID

  /// What kind of object this is.
  public final let entity: Entity

  /// The context; nil once it is gone or was reset.
  package final weak var host: (any ObjectHost)?
  /// The row behind the object; nil for a fault and for a new object.
  package final var image: ObjectImage?
  /// Values set since the last save, by slot; nil where nothing was set. New objects have all of them.
  package final var pendingValues: ContiguousArray<Value?>?
  /// What is known and pending of to-many relationships, by slot.
  package final var toManyStates: [Int: ToManyState] = [:]
  /// Values of transient attributes, by slot; never saved and no reason to save.
  package final var transientValues: [Int: Value] = [:]
  /// Where the object is in its life.
  package final var status: Status = []
  /// The faults that were fetched together with this one.
  package final var batch: FaultBatch?

  /// Where an object is in its life.
  package struct Status: OptionSet {
    /// The flags as bits.
    package let rawValue: UInt8
    /// Makes flags of bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// New and never saved.
    package static let inserted = Status(rawValue: 1)
    /// Deleted by the context; the next save removes the row.
    package static let deleted = Status(rawValue: 2)
    /// The row is gone from the store.
    package static let gone = Status(rawValue: 4)
    /// New since the last cycle, so that observers have yet to hear of the object.
    package static let unannounced = Status(rawValue: 8)
  }

  /// Makes an object for a context; applications use `init(context:)`.
  public required init(_ seed: ObjectSeed) {
    objectID = seed.objectID
    entity = seed.entity
    host = seed.host
  }

  // MARK: What a model class says about itself

  /// What the class's entity is; nil for classes that a model file or code describes.
  open class var entityDescription: EntityDescription? { nil }

  /// The count of properties that the class and its superclasses declare.
  open class var propertyCount: Int { 0 }

  /// Returns the name of the property that a key path of the class leads to, `objectID` for the object's ID.
  open class func propertyName(of keyPath: AnyKeyPath) -> String? {
    let root = type(of: keyPath).rootType as? any (ManagedObject & PropertyNaming).Type
    return root.flatMap { isObjectID(keyPath, in: $0) ? "objectID" : nil }
  }

  /// Compares at the key path's own root, since the same property has another key path in each class.
  private static func isObjectID<Root: ManagedObject & PropertyNaming>(
    _ keyPath: AnyKeyPath, in root: Root.Type
  ) -> Bool {
    keyPath == \Root.objectID || keyPath == \Root.id
  }

  /// Sets the initial values that are computed anew for each object.
  open func setInitialValues() {}

  // MARK: Life cycle

  /// Called once, after a new object has its defaults; changes made here are saved.
  open func awakeFromInsert() {}

  /// Called whenever a fault has got its values.
  open func awakeFromFetch() {}

  /// Called before the object is deleted, while its relationships are intact.
  open func prepareForDeletion() {}

  /// Called before each save of the object; changes made here join the save.
  open func willSave() {}

  /// Called after the object was saved; changes made here belong to the next save.
  open func didSave() {}

  // MARK: State

  /// Whether the object's values have not been read from its row yet.
  public final var isFault: Bool {
    image == nil && !status.contains(.inserted) && !status.contains(.gone)
  }

  /// Whether the object is new and not saved yet.
  public final var isInserted: Bool { status.contains(.inserted) && !status.contains(.deleted) }

  /// Whether the object is deleted: by its context, or because its row is gone from the store.
  public final var isDeleted: Bool { status.contains(.deleted) || status.contains(.gone) }

  /// Whether the object was saved before and has values to save.
  public final var isUpdated: Bool {
    !status.contains(.inserted) && !isDeleted && hasPendingEdits
  }

  /// Whether the next save has something to do for the object.
  public final var hasChanges: Bool {
    isInserted || isUpdated || status.intersection([.deleted, .gone, .inserted]) == .deleted
  }

  /// Whether a value or a relationship differs from what was saved.
  package final var hasPendingEdits: Bool {
    if let pendingValues, pendingValues.contains(where: { $0 != nil }) { return true }
    return toManyStates.values.contains(where: \.hasChanges)
  }

  /// Returns the current value of an attribute or a to-one relationship; fires the fault.
  @usableFromInline
  package final func currentValue(at slot: Int) -> Value {
    #if DEBUG
      host?.checkConfinement()
    #endif
    if let pending = pendingValues?[slot] { return pending }
    if image == nil { fulfill() }
    let value = imageValue(at: slot)
    return value.isNull && !transientValues.isEmpty ? transientValues[slot] ?? .null : value
  }

  /// Returns the value that the object's row has; `.null` when it has none.
  package final func imageValue(at slot: Int) -> Value {
    guard let image else { return .null }
    do {
      return try image.value(at: slot)
    } catch {
      host?.accessDidFail(error, on: objectID)
      return .null
    }
  }

  /// Fires the fault, if this is one.
  package final func fulfill() {
    if isFault { host?.fulfill(self) }
  }

  /// Drops everything: the row is gone from the store, or the object from its context.
  package final func becomeGone() {
    becomeFault()
    status = .gone
  }

  /// Lets the stored members of all to-many relationships be asked for anew; pending changes stay.
  package final func forgetStoredMembers() {
    for slot in toManyStates.keys { toManyStates[slot]?.forgetStored() }
  }

  /// Drops everything but the identity.
  package final func becomeFault() {
    image = nil
    pendingValues = nil
    toManyStates = [:]
    transientValues = [:]
  }
}

extension ManagedObject: Hashable {
  /// Objects are equal when they are the same object: a context has one for each ID.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }

  public final func hash(into hasher: inout Hasher) { hasher.combine(objectID.number) }
}

extension ManagedObject: Identifiable {
  /// The object's ID.
  public final var id: ManagedObjectID { objectID }
}

extension ManagedObject: CustomStringConvertible {
  /// The object's entity, number and state, without its values.
  public final var description: String {
    let state =
      isDeleted
      ? "deleted" : isInserted ? "inserted" : isUpdated ? "updated" : isFault ? "fault" : "clean"
    return "<\(entity.name) \(objectID.number) \(state)>"
  }
}

extension ManagedObject: PropertyNaming {
  /// The name of the entity that the class declares; nil for classes that declare none.
  public static var declaredEntityName: String? { entityDescription?.name }
}

extension ManagedObject: CapturedByIdentity {
  /// The object's ID: an object in a predicate stands for it, saved or not.
  public final var predicateValue: Value { .objectID(objectID) }
}

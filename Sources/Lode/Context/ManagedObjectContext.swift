import Dispatch
import Foundation
public import LodeModel
import Synchronization

// Sendable is true because every use of the mutable state is confined to `confinement`, which each entry
// checks; what other threads may call only adds a block to its queue.

/// A place to work with objects: one object for each row that was asked for, and the changes to them
/// until they are saved or rolled back.
///
/// A context is confined to its executor. One made for a background task is used inside `perform`
/// only; a container's view context may also be used directly by the code that owns it, as long as only
/// one thread does so at a time and the context doesn't merge automatically. A context that is used
/// elsewhere stops the process with a sentence that names it; debug builds look at each access to a
/// property too. `docs/threading.md` says more.
public final class ManagedObjectContext: @unchecked Sendable {
  /// The context's name in messages and notices.
  public let name: String

  /// The entities of the context's store.
  public var model: ManagedObjectModel { backing.model }

  /// The context that fetches of this one come from and that its saves go to; nil at a store.
  public let parent: ManagedObjectContext?

  /// Whether saves of others on the same store are merged as they happen, on this context's executor.
  ///
  /// A view context that merges automatically is used inside `perform` only.
  public var automaticallyMergesChangesFromParent: Bool {
    get { confinement.isMerging }
    set { confinement.isMerging = newValue }
  }

  let backing: any ContextBacking
  let confinement: Confinement
  let contextID = UUID()
  /// The child contexts.
  let saveListeners = SaveListeners()
  var registry = ObjectRegistry()
  var classes: [EntityName: (entity: Entity, type: ManagedObject.Type)] = [:]

  var inserted: [ManagedObjectID: ManagedObject] = [:]
  var updated: [ManagedObjectID: ManagedObject] = [:]
  var deleted: [ManagedObjectID: ManagedObject] = [:]
  var touches: [ManagedObjectID: Touch] = [:]
  /// Objects that prefetching brought in, kept alive for whoever asks for them next.
  var prefetched: [ManagedObject] = []
  /// Objects that were read to judge others by, kept alive until the block or the fetch is done.
  var readForAnswers: [ManagedObject] = []
  /// What a property access met and could not throw; the next fetch or save does.
  var accessError: (any Error)?
  private var observers: [WeakContextObserver] = []

  init(
    backing: any ContextBacking, parent: ManagedObjectContext?, kind: Confinement.Kind, name: String
  ) {
    self.backing = backing
    self.parent = parent
    self.name = name
    confinement = Confinement(kind, name: name)
  }

  // MARK: Executor

  /// Runs a block on the context's executor and waits without blocking a thread.
  ///
  /// Blocks run one at a time in the order of their calls. At the block's end pending changes are
  /// processed.
  public func perform<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      confinement.queue.async {
        continuation.resume(with: Swift.Result { try self.runBlock(body) })
      }
    }
  }

  /// Runs a block on the context's executor and blocks the calling thread until it is done.
  ///
  /// On the context's own executor the block runs at once, also from inside another context's block that
  /// was called there. Objects stay behind: what the block returns is `Sendable`, their IDs for example.
  public func performAndWait<Result: Sendable>(_ body: () throws -> Result) rethrows -> Result {
    if confinement.isCurrent { return try body() }
    return try confinement.queue.sync { try runBlock(body) }
  }

  /// Runs a block on the context's executor some time later.
  func enqueue(_ body: @escaping @Sendable () -> Void) {
    confinement.queue.async { self.runBlock(body) }
  }

  private func runBlock<Result>(_ body: () throws -> Result) rethrows -> Result {
    try confinement.run {
      defer {
        processPendingChanges()
        settle()
      }
      return try body()
    }
  }

  /// Lets go of what the work until now left behind.
  func settle() {
    readForAnswers = []
    registry.settle()
  }

  /// Stops the process, with the context's name, when the caller may not use the context now.
  package func checkConfinement() { confinement.check(name) }

  // MARK: Objects

  /// The objects that have been inserted and not saved yet.
  public var insertedObjects: Set<ManagedObject> { Set(confined.inserted.values) }

  /// The saved objects that have changes.
  public var updatedObjects: Set<ManagedObject> { Set(confined.updated.values) }

  /// The objects that the next save deletes.
  public var deletedObjects: Set<ManagedObject> { Set(confined.deleted.values) }

  /// All objects of the context that something holds on to.
  public var registeredObjects: Set<ManagedObject> { Set(confined.registry.objects) }

  /// Whether a save would do something.
  public var hasChanges: Bool {
    checkConfinement()
    return !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty
  }

  /// The context, for a caller that may use it now.
  private var confined: ManagedObjectContext {
    checkConfinement()
    return self
  }

  /// Returns the object of an ID if the context has it; never asks the store.
  public func registeredObject(for objectID: ManagedObjectID) -> ManagedObject? {
    confined.registry[objectID]
  }

  /// Returns the object of an ID, as a fault unless the context has it; whether a row is there shows when
  /// the fault fires.
  ///
  /// - Precondition: the model has the ID's entity, and the ID is one of the context's store.
  public func object(with objectID: ManagedObjectID) -> ManagedObject {
    checkConfinement()
    guard backing.keeps(objectID) else {
      fatalError("\(objectID) belongs to another store than context “\(name)”")
    }
    return object(for: objectID)
  }

  /// Returns the object of an ID, with its values.
  ///
  /// - Throws: `ContextError` with code `objectNotFound` when there is no such object or it is deleted,
  ///   `StoreError` when the store can't be read.
  public func existingObject(with objectID: ManagedObjectID) throws -> ManagedObject {
    checkConfinement()
    try throwAccessError()
    _ = try entity(named: objectID.entityName.string, for: objectID)
    guard backing.keeps(objectID) else {
      throw ContextError(
        .objectNotFound, "\(objectID) belongs to another store", objectID: objectID)
    }
    let object = object(for: objectID)
    object.fulfill()
    try throwAccessError()
    guard !object.isDeleted else {
      throw ContextError(
        .objectNotFound, "there is no object \(objectID); it was deleted or never saved",
        objectID: objectID)
    }
    return object
  }

  // MARK: Observers

  /// Lets an observer hear of changes from now on; it is held weakly.
  package func addObserver(_ observer: any ContextObserver) {
    observers.removeAll { $0.observer == nil }
    observers.append(WeakContextObserver(observer: observer))
  }

  /// Whether anybody hears of changes.
  var isObserved: Bool { observers.contains { $0.observer != nil } }

  func announce(_ change: ContextChange) {
    guard !change.isEmpty else { return }
    for observer in observers.compactMap(\.observer) { observer.context(self, didChange: change) }
  }

  func throwAccessError() throws {
    guard let error = accessError else { return }
    accessError = nil
    throw error
  }
}

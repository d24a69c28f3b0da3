public import Foundation
public import LodeModel
public import LodeStore

/// A model, the store that keeps its objects, and the contexts to work with them.
///
/// May be used from any thread; the contexts that it hands out are confined.
public final class PersistentContainer: Sendable {
  /// The entities that the store keeps.
  public let model: ManagedObjectModel
  /// What the contexts share: IDs, reads, commits, notices.
  public let coordinator: PersistentStoreCoordinator

  /// The context for the code that owns the container.
  public let viewContext: ManagedObjectContext

  /// Opens a store in a folder, which is made if it isn't there, and recovers it after a crash.
  ///
  /// - Parameters:
  ///   - model: the entities; a store that was written with others is refused.
  ///   - url: a folder for the store alone.
  ///   - options: how the store is kept.
  /// - Throws: `StoreError` when the folder can't be opened as a store of this model.
  public convenience init(
    model: ManagedObjectModel, at url: URL, options: StoreOptions = StoreOptions()
  ) throws {
    self.init(store: try EngineStore.lmdb(at: url, model: model, options: options))
  }

  /// Makes an empty store in memory, which goes with the container.
  public convenience init(model: ManagedObjectModel) throws {
    self.init(store: try EngineStore.inMemory(model: model))
  }

  /// Makes a container of a store that is open already.
  public init(store: any PersistentStore) {
    model = store.model
    coordinator = PersistentStoreCoordinator(store: store)
    viewContext = ManagedObjectContext(coordinator: coordinator, kind: .main, name: "view")
  }

  /// Makes a context for work beside the view context, to be used inside its `perform` only.
  public func newBackgroundContext(name: String = "background") -> ManagedObjectContext {
    ManagedObjectContext(coordinator: coordinator, kind: .privateQueue, name: name)
  }

  /// Runs a block with a context of its own on that context's executor.
  ///
  /// What the block doesn't save is forgotten.
  public func performBackgroundTask<Result: Sendable>(
    _ body: @escaping @Sendable (ManagedObjectContext) throws -> Result
  ) async throws -> Result {
    let context = newBackgroundContext()
    return try await context.perform { try body(context) }
  }

  /// Makes everything saved durable in the data file and closes the store; later use of the container's
  /// contexts throws `StoreError` with code `closed`.
  public func close() throws { try coordinator.store.close() }
}

extension ManagedObjectContext {
  fileprivate convenience init(
    coordinator: PersistentStoreCoordinator, kind: Confinement.Kind, name: String
  ) {
    self.init(backing: coordinator, parent: nil, kind: kind, name: name)
    coordinator.saveListeners.add(self)
  }
}

public import Foundation
public import LodeModel

/// A sorted list of a context's objects that is cut into sections and kept up to date.
///
/// After `performFetch` the list follows the context: what is inserted, changed, deleted or merged into
/// it shows in the list at the end of the context's cycle (`processPendingChanges`, a save, a merge, the
/// end of a `perform` block), and the delegate and the `changes` sequences are told what happened where. A
/// change to one row costs O(log n) of n rows. `docs/fetched-results.md` says which changes are followed
/// at which cost.
///
/// The controller keeps 16-byte IDs and sort keys, no objects; objects are made when they are asked for.
/// It lives on its context's executor and is not for other threads; the values that `changes` gives are.
///
/// ```swift
/// let controller = FetchedResultsController(
///   fetchRequest: request, context: context, sectionNameKeyPath: "team.name")
/// try controller.performFetch()
/// let first = controller.object(at: IndexPath(row: 0, section: 0))
/// ```
public final class FetchedResultsController<Object: ManagedObject> {
  /// What is listed; changes to the request take effect with the next `performFetch`.
  public let fetchRequest: FetchRequest<Object>

  /// Whose objects are listed; the controller lives on its executor.
  public let context: ManagedObjectContext

  /// The attribute whose text names a row's section, reached through to-one relationships; nil for one
  /// section without a name.
  public let sectionNameKeyPath: String?

  /// A name for keeping the sections from one run of the program to the next.
  ///
  /// Limits: sections are not kept yet. Every `performFetch` works them out anew, so that a name changes
  /// nothing.
  public let cacheName: String?

  /// Who is told of every change.
  public weak var delegate: (any FetchedResultsControllerDelegate<Object>)?

  /// Why the list has stopped following its context; nil while it follows.
  ///
  /// The list stays as it was before the change that failed. `performFetch` starts anew.
  public private(set) var failure: FetchedResultsError?

  var table: SectionTable?
  private var query: ResultsQuery?
  private let broadcast = ChangeBroadcast()
  private var waiting: [ContextChange] = []
  private var isReporting = false
  /// The objects of the part of the list that was read last, so that its neighbours find them.
  private var page: [ManagedObject] = []

  /// Makes a controller without a list; `performFetch` makes that.
  ///
  /// - Parameters:
  ///   - fetchRequest: needs one sort term at least. Its batch size says how many objects are read at
  ///     once. Unsaved changes always count, whatever the request says.
  ///   - context: whose objects are listed; the controller keeps it.
  ///   - sectionNameKeyPath: an attribute that the order groups rows by.
  ///   - cacheName: see `cacheName`.
  public init(
    fetchRequest: FetchRequest<Object>, context: ManagedObjectContext,
    sectionNameKeyPath: String? = nil, cacheName: String? = nil
  ) {
    self.fetchRequest = fetchRequest
    self.context = context
    self.sectionNameKeyPath = sectionNameKeyPath
    self.cacheName = cacheName
    context.addObserver(self)
  }

  deinit { broadcast.finish() }

  // MARK: Fetching

  /// Fetches and makes the list; delegate and sequences are not told.
  ///
  /// - Complexity: O(n) rows read, and what the fetch costs.
  /// - Precondition: not called by the delegate while it is told of a change.
  /// - Throws: `FetchedResultsError` when the request doesn't fit the model, has no sort terms, doesn't
  ///   keep sections together, or can't be fetched. The controller has no list then.
  public func performFetch() throws(FetchedResultsError) {
    precondition(
      !isReporting, "performFetch inside a delegate's method: call it after the change is reported")
    table = nil
    page = []
    context.processPendingChanges()
    let query = try ResultsQuery(
      fetchRequest, sectionNameKeyPath: sectionNameKeyPath, in: context)
    table = try fetchedTable(query)
    self.query = query
    failure = nil
    broadcast.restart()
  }

  private func fetchedTable(_ query: ResultsQuery) throws(FetchedResultsError) -> SectionTable {
    var table = query.emptyTable
    do {
      try query.forEachFetchedRow(in: context) { row in try table.insert(row) }
    } catch {
      throw wrapped(error)
    }
    return table
  }

  private func wrapped(_ error: any Error) -> FetchedResultsError {
    if let error = error as? SectionOrderError {
      return FetchedResultsError(error, sectionNameKeyPath: sectionNameKeyPath)
    }
    return FetchedResultsError(fetching: error)
  }

  // MARK: The list

  /// The objects in their order; nil before the first fetch.
  ///
  /// - Complexity: O(n); the objects have their values, or come as faults that are read a batch at a
  ///   time when the request has a batch size.
  public var fetchedObjects: [Object]? {
    table.map { objects(of: $0.objectIDs) }
  }

  /// How many objects there are.
  public var numberOfObjects: Int { table?.count ?? 0 }

  /// The sections in their order: none before the first fetch, exactly one without a section key path.
  public var sections: FetchedResultsSections<Object> { FetchedResultsSections(controller: self) }

  /// Returns the object at a path, in O(log n); a fault is read together with its neighbours.
  ///
  /// - Precondition: the path is in range.
  public func object(at indexPath: IndexPath) -> Object {
    let objectID = objectID(at: indexPath)
    let object = context.object(for: objectID)
    if object.isFault { readPage(around: object) }
    return typed(object)
  }

  /// Returns the ID of the object at a path, in O(log n), and makes no object.
  ///
  /// - Precondition: the path is in range.
  public func objectID(at indexPath: IndexPath) -> ManagedObjectID {
    precondition(indexPath.count == 2, "a path of fetched results has a section and a row")
    let path = TablePath(section: indexPath.section, row: indexPath.row)
    guard let objectID = table?.objectID(at: path) else {
      preconditionFailure(
        "no row \(path.row) in section \(path.section): ask sections for their numberOfObjects first"
      )
    }
    return objectID
  }

  /// Returns the path of an object, in O(log n); nil when the list doesn't have it.
  public func indexPath(for object: Object) -> IndexPath? { indexPath(for: object.objectID) }

  /// Returns the path of the object of an ID, in O(log n); nil when the list doesn't have it.
  public func indexPath(for objectID: ManagedObjectID) -> IndexPath? {
    table?.path(of: objectID).map { IndexPath($0) }
  }

  // MARK: Changes

  /// A sequence of every change to the list from now on, for any task.
  ///
  /// Each call opens a sequence of its own, which begins at once and ends when the controller goes away
  /// or fails to follow a change (`failure`). Changes wait in it until they are read, without a bound: a
  /// reader that stops reading should drop the sequence. A sequence opened while `failure` is set has ended
  /// already. A `performFetch` is no change: paths that
  /// follow it count in the new list.
  public var changes: AsyncStream<FetchedResultsChange> { broadcast.open() }
}

// MARK: - Objects

extension FetchedResultsController {
  /// Makes objects of IDs, with their values or as faults that are read in batches.
  func objects(of objectIDs: [ManagedObjectID]) -> [Object] {
    guard !objectIDs.isEmpty else { return [] }
    let batchSize = query?.batchSize ?? 0
    let objects = context.faults(
      FaultBatch(
        objectIDs: objectIDs, batchSize: batchSize > 0 ? batchSize : objectIDs.count,
        prefetchedKeyPaths: fetchRequest.relationshipKeyPathsForPrefetching))
    if batchSize == 0 { objects.first(where: \.isFault)?.fulfill() }
    return objects.map(typed)
  }

  /// Reads the values of a fault and of the rows around it.
  private func readPage(around object: ManagedObject) {
    guard let table, let position = table.position(of: object.objectID) else { return }
    let size = query.map { $0.batchSize > 0 ? $0.batchSize : 100 } ?? 1
    let start = position - position % size
    let objectIDs = table.objectIDs(atPositions: start..<min(start + size, table.count))
    page = context.faults(
      FaultBatch(
        objectIDs: objectIDs, batchSize: size,
        prefetchedKeyPaths: fetchRequest.relationshipKeyPathsForPrefetching))
    object.fulfill()
  }

  private func typed(_ object: ManagedObject) -> Object {
    guard let object = object as? Object else {
      preconditionFailure("\(object.entity.name) has another class than \(Object.self)")
    }
    return object
  }
}

// MARK: - Following

extension FetchedResultsController: ContextObserver {
  /// Brings the list up to date with a change and tells everybody.
  ///
  /// A change that the delegate causes while it is told of another waits for the end of that one.
  package func context(_ context: ManagedObjectContext, didChange change: ContextChange) {
    guard table != nil, failure == nil else { return }
    waiting.append(change)
    guard !isReporting else { return }
    isReporting = true
    defer { isReporting = false }
    while !waiting.isEmpty {
      let change = waiting.removeFirst()
      if failure == nil { follow(change) }
    }
  }

  private func follow(_ change: ContextChange) {
    do {
      let edits = try edits(for: change)
      guard !edits.isEmpty else { return }
      delegate?.controllerWillChangeContent(self)
      defer { delegate?.controllerDidChangeContent(self) }
      guard let outcome = try table?.apply(edits) else { return }
      report(FetchedResultsChange(outcome))
    } catch {
      fail(wrapped(error))
    }
  }

  // The copy of the table ends with the call, so that `apply` finds it unshared.
  private func edits(for change: ContextChange) throws -> [TableEdit] {
    guard let query, let table else { return [] }
    return try query.edits(for: change, of: table, in: context)
  }

  private func fail(_ error: FetchedResultsError) {
    failure = error
    broadcast.finish()
    delegate?.controller(self, didFailWith: error)
  }

  private func report(_ change: FetchedResultsChange) {
    broadcast.send(change)
    guard let delegate else { return }
    for section in change.sections { report(section, to: delegate) }
    for row in change.rows {
      delegate.controller(
        self, didChange: typed(context.object(for: row.objectID)), at: row.oldIndexPath,
        for: row.type, newIndexPath: row.newIndexPath)
    }
  }

  private func report(
    _ section: FetchedResultsChange.Section,
    to delegate: any FetchedResultsControllerDelegate<Object>
  ) {
    switch section {
    case .delete(let name, let index):
      delegate.controller(
        self, didChange: FetchedResultsSection(name: name, controller: self),
        atSectionIndex: index, for: .delete)
    case .insert(let name, let index):
      delegate.controller(
        self, didChange: FetchedResultsSection(name: name, controller: self),
        atSectionIndex: index, for: .insert)
    }
  }
}

extension FetchedResultsChange.Row {
  fileprivate var type: FetchedResultsChangeType {
    switch self {
    case .delete: .delete
    case .insert: .insert
    case .move(_, _, _, let updated): .move(updated: updated)
    case .update: .update
    }
  }
}

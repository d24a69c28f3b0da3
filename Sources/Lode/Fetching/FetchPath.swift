public import LodeModel
import LodeStore

// A fetch, step by step: bind the request's names to the model; ask the backing for rows; lay the
// context's unsaved changes over them; make each row the one object of its ID; prefetch.

extension ManagedObjectContext {
  /// Returns the objects that a request asks for.
  ///
  /// With a batch size the objects come as faults whose rows are read a batch at a time; without one
  /// every object has its values.
  ///
  /// - Complexity: the rows of the result where an index has the condition and the order, otherwise all
  ///   rows of the entity; and a look at each unsaved change of the entity. Unsaved changes of objects that
  ///   are read through a relationship without an inverse make it look at all objects.
  /// - Throws: `ObjectPredicateError` when names, types or the Swift predicate don't fit, `ContextError` for an
  ///   entity that the model doesn't have and for a negative limit, offset or batch size, `StoreError` when the store can't be read.
  public func fetch<Object>(_ request: FetchRequest<Object>) throws -> [Object] {
    let bound = try bind(request)
    let keyPaths = request.relationshipKeyPathsForPrefetching
    try checkPrefetching(keyPaths, entity: bound.entity)
    if request.fetchBatchSize > 0 {
      let objectIDs = try objectIDs(bound)
      let batch = FaultBatch(
        objectIDs: objectIDs, batchSize: request.fetchBatchSize, prefetchedKeyPaths: keyPaths)
      return faults(batch).compactMap { $0 as? Object }
    }
    let objects = try objects(bound, refreshing: request.shouldRefreshRefetchedObjects)
    try prefetch(keyPaths, of: objects)
    return objects.compactMap { $0 as? Object }
  }

  /// Returns the IDs of the objects that a request asks for, in its order; makes no objects unless
  /// unsaved changes have to be looked at.
  public func fetchObjectIDs<Object>(
    _ request: FetchRequest<Object>
  ) throws -> [ManagedObjectID] {
    try objectIDs(bind(request))
  }

  /// Returns how many objects a request asks for, its limit and offset included.
  public func count<Object>(for request: FetchRequest<Object>) throws -> Int {
    try count(bind(request))
  }

  func objectIDs(_ request: BoundRequest) throws -> [ManagedObjectID] {
    if needsOverlay(request) { return try overlaidIDs(request) }
    return try backing.objectIDs(request.query)
  }

  func count(_ request: BoundRequest) throws -> Int {
    if needsOverlay(request) { return try overlaidCount(request) }
    return try backing.count(request.query)
  }

  /// Returns what a request asks for, with its values.
  func objects(_ request: BoundRequest, refreshing: Bool = false) throws -> [ManagedObject] {
    if needsOverlay(request) { return try overlaid(request, refreshing: refreshing) }
    return realized(try backing.images(request.query), refreshing: refreshing)
  }

  /// Finds a request's names in the model.
  package func bind<Object>(_ request: FetchRequest<Object>) throws -> BoundRequest {
    checkConfinement()
    settle()
    try throwAccessError()
    if let error = request.loweringError ?? request.sortLoweringError { throw error }
    let entity = try entity(of: request)
    var query = StoreQuery(entity: entity, includesSubentities: request.includesSubentities)
    query.predicate = try request.predicate?.bound(to: entity)
    query.sort = try request.sortTerms.map { try $0.bound(to: entity) }
    query.limit = try count(request.fetchLimit, "fetchLimit")
    query.offset = try count(request.fetchOffset, "fetchOffset")
    _ = try count(request.fetchBatchSize, "fetchBatchSize")
    return BoundRequest(
      entity: entity, query: query, includesPendingChanges: request.includesPendingChanges)
  }

  private func count(_ count: Int, _ name: String) throws -> Int {
    guard count >= 0 else {
      throw ContextError(.invalidRequest, "\(name) is \(count); give 0 or more, 0 for no bound")
    }
    return count
  }

  private func entity<Object>(of request: FetchRequest<Object>) throws -> Entity {
    if let name = request.entityName {
      let entity = try entity(named: name)
      let type = objectClass(of: entity.entityName).type
      guard type is Object.Type else {
        throw ContextError(
          .wrongClass,
          "objects of \(name) are of class \(type), not \(Object.self), which the request is for")
      }
      return entity
    }
    guard let entity = entity(of: Object.self) else {
      throw ContextError(
        .unknownEntity,
        "the model has no entity of class \(Object.self); give the request an entity name")
    }
    return entity
  }

  /// Makes each row the one object of its ID; an object that has its values keeps them, unless it is
  /// to be refreshed.
  func realized(_ images: [ObjectImageWithID], refreshing: Bool = false) -> [ManagedObject] {
    registry.reserve(images.count)
    return images.map { row in
      let object = object(for: row.objectID)
      if object.isFault {
        awaken(object, row.image)
      } else if refreshing, !object.isDeleted {
        object.image = row.image
      }
      return object
    }
  }
}

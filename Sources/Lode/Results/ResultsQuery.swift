import LodeModel
import LodeStore

/// The request behind fetched results with its names found, and the reading of rows for it.
///
/// It is a copy: changing the request afterwards changes nothing until the next `performFetch`.
struct ResultsQuery {
  let request: BoundRequest
  let section: BoundSortTerm?
  let dependencies: QueryDependencies
  /// How many rows are read at once; 0 reads all of them with the fetch.
  let batchSize: Int
  /// The relationships that order and section name read through, to be brought in together with rows.
  private let readKeyPaths: [String]

  /// Binds a request and a section key path.
  init<Object>(
    _ fetchRequest: FetchRequest<Object>, sectionNameKeyPath: String?,
    in context: ManagedObjectContext
  ) throws(FetchedResultsError) {
    request = try Self.bound(fetchRequest, in: context)
    section = try Self.section(sectionNameKeyPath, of: request.entity)
    dependencies = QueryDependencies(request, section: section)
    batchSize = max(fetchRequest.fetchBatchSize, 0)
    readKeyPaths = Self.readKeyPaths(of: request.query.sort + [section].compactMap(\.self))
    try Self.checkClasses(of: request, are: Object.self, in: context)
  }

  /// Whether the results are a window that limit or offset cut out.
  var isWindow: Bool { request.query.limit > 0 || request.query.offset > 0 }

  /// An empty table for the query's rows.
  var emptyTable: SectionTable {
    SectionTable(
      isAscending: request.query.sort.map(\.isAscending), isSectioned: section != nil)
  }

  // MARK: Rows

  /// Tells whether objects of an entity are meant.
  func concerns(_ entity: Entity) -> Bool {
    request.query.includesSubentities
      ? entity.isKind(of: request.entity) : entity == request.entity
  }

  /// Reads an object's row; nil when the object is deleted or doesn't satisfy the predicate.
  func row(of object: ManagedObject, in context: ManagedObjectContext) throws -> TableRow? {
    object.fulfill()
    try context.throwAccessError()
    guard !object.isDeleted, concerns(object.entity) else { return nil }
    let source = context.source(of: object)
    guard try request.query.predicate?.evaluate(on: source) ?? true else { return nil }
    return try row(from: source)
  }

  private func row(from source: ObjectSource) throws -> TableRow {
    TableRow(
      objectID: source.object.objectID,
      keys: try request.query.sort.map { try $0.value(on: source) },
      sectionName: try section.map { SectionName.text(of: try $0.value(on: source)) } ?? "")
  }

  /// Fetches and calls a block with each row of the results, in their order.
  ///
  /// Without a batch size all objects of the results are in memory at once while this runs, with one the
  /// objects of a batch.
  func forEachFetchedRow(
    in context: ManagedObjectContext, _ body: (TableRow) throws -> Void
  ) throws {
    if batchSize == 0 {
      let objects = try context.objects(request)
      try context.prefetch(readKeyPaths, of: objects)
      for object in objects { try body(try row(from: context.source(of: object))) }
      return
    }
    let objectIDs = try context.objectIDs(request)
    try context.forEachObject(of: objectIDs, prefetching: readKeyPaths) { object in
      guard !object.isDeleted else { return }
      try body(try row(from: context.source(of: object)))
    }
  }

  private static func readKeyPaths(of terms: [BoundSortTerm]) -> [String] {
    let keyPaths = terms.map { $0.path.readRelationships.map(\.name).joined(separator: ".") }
    return Set(keyPaths).subtracting([""]).sorted()
  }
}

// MARK: - Checks

extension ResultsQuery {
  private static func bound<Object>(
    _ fetchRequest: FetchRequest<Object>, in context: ManagedObjectContext
  ) throws(FetchedResultsError) -> BoundRequest {
    do {
      let bound = try context.bind(fetchRequest)
      guard !bound.query.sort.isEmpty else {
        throw FetchedResultsError(
          .missingSort, "the request has no sort terms; fetched results need at least one")
      }
      return BoundRequest(entity: bound.entity, query: bound.query, includesPendingChanges: true)
    } catch let error as FetchedResultsError {
      throw error
    } catch {
      throw FetchedResultsError(fetching: error)
    }
  }

  private static func section(
    _ keyPath: String?, of entity: Entity
  ) throws(FetchedResultsError) -> BoundSortTerm? {
    guard let keyPath else { return nil }
    do {
      let term = try SortTerm(keyPath).bound(to: entity)
      if SectionName.canName(term.path.attributeType) { return term }
    } catch {
      var wrapped = FetchedResultsError(
        .invalidSectionKeyPath, "the section key path doesn't fit \(entity.name): \(error)",
        sectionNameKeyPath: keyPath)
      wrapped.underlying = error
      throw wrapped
    }
    throw FetchedResultsError(
      .invalidSectionKeyPath,
      "the section key path must end in an attribute whose values can be written as text",
      sectionNameKeyPath: keyPath)
  }

  private static func checkClasses<Object: ManagedObject>(
    of request: BoundRequest, are type: Object.Type, in context: ManagedObjectContext
  ) throws(FetchedResultsError) {
    let entities =
      request.query.includesSubentities ? request.entity.selfAndDescendants : [request.entity]
    for entity in entities where !entity.isAbstract {
      let type = context.objectClass(of: entity.entityName).type
      guard type is Object.Type else {
        throw FetchedResultsError(
          .wrongClass,
          "objects of \(entity.name) are of class \(type), not \(Object.self); make the controller "
            + "for a class that all of them inherit from")
      }
    }
  }
}

// MARK: - Fetching

extension ManagedObjectContext {
  /// How many objects are read at once where the request says nothing.
  static let readCount = 500

  /// Calls a block with the object of each ID, reading the values of many at once and keeping no more
  /// than these in memory, besides what the context keeps of the prefetched ones.
  func forEachObject(
    of objectIDs: some RandomAccessCollection<ManagedObjectID>, prefetching keyPaths: [String] = [],
    _ body: (ManagedObject) throws -> Void
  ) throws {
    var rest = objectIDs[...]
    while !rest.isEmpty {
      let part = Array(rest.prefix(Self.readCount))
      rest = rest.dropFirst(part.count)
      let objects = part.map(object(for:))
      try bringIn(part)
      try prefetch(keyPaths, of: objects)
      for object in objects { try body(object) }
    }
  }
}

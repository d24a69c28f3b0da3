import Foundation
import LodeModel
import LodeStore

// Laying unsaved changes over what the backing answers, so that a fetch sees the context's own state.
//
// Only objects with unsaved changes, and those that read one through a relationship, can make the answer
// differ. They are taken out of the backing's answer, judged anew, and those that match are put in at their
// places in its order, which are found by bisection: a window costs the window and the unsaved changes,
// whatever the count of rows. Where the readers of a changed object can't be found (a relationship without
// inverse), every object is judged anew.

/// What unsaved changes do to the answer to one request.
struct PendingOverlay {
  /// The saved objects whose rows don't count.
  let replacedIDs: Set<ManagedObjectID>
  /// The objects that match by their present values, in the request's order.
  let members: [SortedObject]
}

/// An object and the values that it is sorted by.
struct SortedObject {
  let object: ManagedObject
  let keys: [Value]
}

extension ManagedObjectContext {
  /// Tells whether unsaved changes could alter a request's result.
  func needsOverlay(_ request: BoundRequest) -> Bool {
    guard request.includesPendingChanges else { return false }
    return hasPendingChanges(in: request.entity) || traversesPendingChanges(request)
  }

  private func hasPendingChanges(in entity: Entity) -> Bool {
    let root = entity.root
    func concerns(_ objects: [ManagedObjectID: ManagedObject]) -> Bool {
      objects.values.contains { $0.entity.root == root }
    }
    return concerns(inserted) || concerns(updated) || concerns(deleted)
  }

  /// Tells whether the predicate or the order reads other entities' objects that have unsaved changes.
  private func traversesPendingChanges(_ request: BoundRequest) -> Bool {
    var traversed = request.query.predicate?.traversedEntities ?? []
    for term in request.query.sort {
      traversed.formUnion(term.traversedEntities)
    }
    return traversed.contains(where: hasPendingChanges(in:))
  }

  // MARK: Answers

  /// Returns the objects of a request that `needsOverlay`, with their values.
  func overlaid(
    _ request: BoundRequest, refreshing: Bool = false
  ) throws -> [ManagedObject] {
    guard let overlay = try overlay(for: request) else { return try judgedAnew(request) }
    // Holds the objects of the answer until those of the window are taken.
    let rows = realized(
      try backing.images(widened(request.query, by: overlay)), refreshing: refreshing)
    let objectIDs = try merged(rows.map(\.objectID), overlay, request.query)
    return withExtendedLifetime(rows) { objectIDs.map(object(for:)) }
  }

  /// Returns the IDs of the objects of a request that `needsOverlay`.
  func overlaidIDs(_ request: BoundRequest) throws -> [ManagedObjectID] {
    guard let overlay = try overlay(for: request) else {
      return try judgedAnew(request).map(\.objectID)
    }
    let objectIDs = try backing.objectIDs(widened(request.query, by: overlay))
    return try merged(objectIDs, overlay, request.query)
  }

  /// Returns how many objects a request that `needsOverlay` has.
  func overlaidCount(_ request: BoundRequest) throws -> Int {
    guard let overlay = try overlay(for: request), overlay.replacedIDs.isEmpty else {
      return try overlaidIDs(request).count
    }
    var query = request.query
    query.limit = 0
    query.offset = 0
    let count = max(try backing.count(query) + overlay.members.count - request.query.offset, 0)
    return request.query.limit > 0 ? min(count, request.query.limit) : count
  }

  // MARK: The overlay

  /// Judges what unsaved changes concern; nil when that can be any object.
  private func overlay(for request: BoundRequest) throws -> PendingOverlay? {
    var judged = Set(
      [inserted, updated, deleted].flatMap(\.values).filter { isCandidate($0, request) })
    if traversesPendingChanges(request) {
      let dependencies = QueryDependencies(request, section: nil)
      var change = ContextChange()
      change.inserted = Array(inserted.values)
      change.updated = Array(updated.values)
      change.deleted = Array(deleted.values)
      if dependencies.needsFetch(for: change, in: model) { return nil }
      let readers = try dependencies.readers(of: change.inserted + change.updated, in: self)
      judged.formUnion(readers.filter { isCandidate($0, request) })
    }
    var members: [SortedObject] = []
    for object in judged {
      object.fulfill()
      guard !object.isDeleted, try satisfies(object, request) else { continue }
      members.append(try sortedObject(object, request.query))
    }
    let saved = judged.lazy.filter { !$0.isInserted }.map(\.objectID)
    members.sort { precedes($0, $1, request.query.sort) }
    return PendingOverlay(replacedIDs: Set(saved), members: members)
  }

  /// Returns a query for so much of the backing's answer that the window can be cut from it.
  private func widened(_ query: StoreQuery, by overlay: PendingOverlay) -> StoreQuery {
    var query = query
    for count in [query.offset, overlay.replacedIDs.count] where query.limit > 0 {
      let (sum, isTooLarge) = query.limit.addingReportingOverflow(count)
      query.limit = isTooLarge ? 0 : sum
    }
    query.offset = 0
    return query
  }

  /// Puts the overlay's objects into the backing's answer and cuts the window.
  private func merged(
    _ objectIDs: [ManagedObjectID], _ overlay: PendingOverlay, _ query: StoreQuery
  ) throws -> [ManagedObjectID] {
    let replaced = overlay.replacedIDs
    let stored = replaced.isEmpty ? objectIDs : objectIDs.filter { !replaced.contains($0) }
    var merged: [ManagedObjectID] = []
    merged.reserveCapacity(stored.count + overlay.members.count)
    var rest = stored[...]
    for member in overlay.members {
      let place = try place(of: member, in: rest, query)
      merged += rest[..<place]
      merged.append(member.object.objectID)
      rest = rest[place...]
    }
    return window(merged + rest, query)
  }

  /// Finds the first position whose object stands behind another one, in O(log n) objects read.
  private func place(
    of member: SortedObject, in objectIDs: ArraySlice<ManagedObjectID>, _ query: StoreQuery
  ) throws -> Int {
    var places = objectIDs.startIndex..<objectIDs.endIndex
    while !places.isEmpty {
      let middle = places.lowerBound + places.count / 2
      let other = object(for: objectIDs[middle])
      if precedes(member, try sortedObject(other, query), query.sort) {
        places = places.lowerBound..<middle
      } else {
        places = middle + 1..<places.upperBound
      }
    }
    return places.lowerBound
  }

  private func window(_ objectIDs: [ManagedObjectID], _ query: StoreQuery) -> [ManagedObjectID] {
    if query.offset == 0, query.limit == 0 { return objectIDs }
    let rest = objectIDs.dropFirst(query.offset)
    return Array(query.limit > 0 ? rest.prefix(query.limit) : rest)
  }

  // MARK: One object

  private func isCandidate(_ object: ManagedObject, _ request: BoundRequest) -> Bool {
    request.query.includesSubentities
      ? object.entity.isKind(of: request.entity) : object.entity == request.entity
  }

  private func satisfies(_ object: ManagedObject, _ request: BoundRequest) throws -> Bool {
    try request.query.predicate?.evaluate(on: source(of: object)) ?? true
  }

  private func sortedObject(_ object: ManagedObject, _ query: StoreQuery) throws -> SortedObject {
    let keys = try query.sort.map { try $0.value(on: source(of: object)) }
    return SortedObject(object: object, keys: keys)
  }

  private func precedes(
    _ left: SortedObject, _ right: SortedObject, _ terms: [BoundSortTerm]
  ) -> Bool {
    switch BoundSortTerm.order(left.keys, right.keys, by: terms) {
    case .orderedAscending: true
    case .orderedDescending: false
    case .orderedSame: left.object.objectID < right.object.objectID
    }
  }

  // MARK: All objects

  /// Judges every object of the entity by its present values.
  private func judgedAnew(_ request: BoundRequest) throws -> [ManagedObject] {
    let query = StoreQuery(
      entity: request.entity, includesSubentities: request.query.includesSubentities)
    let stored = realized(try backing.images(query))
    let pending = inserted.values.filter { isCandidate($0, request) }
    let sorted = try (stored + pending)
      .filter { try !$0.isDeleted && satisfies($0, request) }
      .map { try sortedObject($0, request.query) }
      .sorted { precedes($0, $1, request.query.sort) }
    let objectIDs = window(sorted.map(\.object.objectID), request.query)
    return withExtendedLifetime(sorted) { objectIDs.map(object(for:)) }
  }
}

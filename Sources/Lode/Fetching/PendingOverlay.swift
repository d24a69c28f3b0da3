import Foundation
import LodeModel
import LodeStore

// Laying unsaved changes over what the backing answers, so that a fetch sees the context's own state.
//
// Only objects with unsaved changes can make the answer differ. Where the predicate and the order read
// nothing but the fetched entity's own rows, those objects are taken out of the backing's answer and
// judged anew; where they read other entities with unsaved changes too, every object is judged anew.
// The window of limit and offset is cut last.

extension ManagedObjectContext {
  /// Tells whether unsaved changes could alter a request's result.
  func needsOverlay(_ request: BoundRequest) -> Bool {
    guard request.includesPendingChanges, hasChanges else { return false }
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

  func overlaid(_ request: BoundRequest) throws -> [ManagedObject] {
    var query = request.query
    query.limit = 0
    query.offset = 0
    if traversesPendingChanges(request) { query.predicate = nil }
    query.sort = []
    let isRejudged = query.predicate == nil && request.query.predicate != nil
    var objects = realized(try backing.images(query)).filter { object in
      !object.isDeleted && updated[object.objectID] == nil
    }
    if isRejudged { objects = try objects.filter { try satisfies($0, request) } }
    for object in Array(updated.values) + Array(inserted.values)
    where isCandidate(object, request) {
      if try satisfies(object, request) { objects.append(object) }
    }
    return window(try sorted(objects, request.query.sort), request.query)
  }

  private func isCandidate(_ object: ManagedObject, _ request: BoundRequest) -> Bool {
    request.query.includesSubentities
      ? object.entity.isKind(of: request.entity) : object.entity == request.entity
  }

  private func satisfies(_ object: ManagedObject, _ request: BoundRequest) throws -> Bool {
    try request.query.predicate?.evaluate(on: source(of: object)) ?? true
  }

  private func sorted(
    _ objects: [ManagedObject], _ terms: [BoundSortTerm]
  ) throws -> [ManagedObject] {
    let keyed = try objects.map { object in
      (object: object, keys: try terms.map { try $0.value(on: source(of: object)) })
    }
    return keyed.sorted { left, right in
      let order = BoundSortTerm.order(left.keys, right.keys, by: terms)
      return order == .orderedSame
        ? left.object.objectID < right.object.objectID : order == .orderedAscending
    }.map(\.object)
  }

  private func window(_ objects: [ManagedObject], _ query: StoreQuery) -> [ManagedObject] {
    let rest = objects.dropFirst(query.offset)
    return Array(query.limit > 0 ? rest.prefix(query.limit) : rest)
  }
}

import LodeModel

/// The objects besides a row's own whose changes can alter the row: those that a request's predicate and
/// order, and the section name of fetched results, read through relationships.
///
/// From a changed object the rows that read it are found by walking its key path back over the inverse
/// relationships. Rows that no longer read it need no walk: one of the links between changed, and its
/// owner with it. That works where each hop has an inverse; a change behind any other path calls for a
/// new fetch.
struct QueryDependencies {
  /// One hop of a key path that can be walked back.
  private struct Hop {
    let inverse: Property
    let destination: Entity
  }

  private var walkablePaths: [[Hop]] = []
  private var fetchedAnew: Set<Entity> = []

  init(_ request: BoundRequest, section: BoundSortTerm?) {
    for term in request.query.sort { add(term.path, from: request.entity) }
    if let section { add(section.path, from: request.entity) }
    guard let predicate = request.query.predicate else { return }
    predicate.root.forEachExpression { expression in
      switch expression {
      case .path(let path), .count(let path): add(path, from: request.entity)
      // What is read from a subquery's members has no path of its own back to the row.
      case .behind: fetchedAnew.formUnion(predicate.traversedEntities)
      default: break
      }
    }
  }

  private mutating func add(_ path: BoundPath, from entity: Entity) {
    var hops: [Hop] = []
    var destinations: Set<Entity> = []
    var source = entity
    for relationship in path.readRelationships {
      let destination = source.destination(of: relationship)
      destinations.insert(destination)
      if let inverse = source.inverse(of: relationship),
        let rule = inverse.relationship?.deleteRule, rule == .nullify || rule == .cascade
      {
        hops.append(Hop(inverse: inverse, destination: destination))
      }
      source = destination
    }
    if hops.count == path.readRelationships.count {
      if !hops.isEmpty { walkablePaths.append(hops) }
    } else {
      fetchedAnew.formUnion(destinations)
    }
  }

  // MARK: Questions

  /// Tells whether a change can alter rows that can't be found from the changed objects.
  func needsFetch(for change: ContextChange, in model: ManagedObjectModel) -> Bool {
    guard !fetchedAnew.isEmpty else { return false }
    let objects = [change.inserted, change.updated, change.deleted].joined()
    if objects.contains(where: { isFetchedAnew($0.entity) }) { return true }
    let objectIDs = [change.insertedIDs, change.updatedIDs, change.deletedIDs].joined()
    return Set(objectIDs.lazy.map(\.entityName)).contains { name in
      model.entitiesByName[name.string].map(isFetchedAnew) ?? false
    }
  }

  private func isFetchedAnew(_ entity: Entity) -> Bool {
    fetchedAnew.contains { entity.isKind(of: $0) }
  }

  /// Returns the objects whose rows read one of the updated objects, in O(rows that do).
  ///
  /// Inserted and deleted objects need no walk: a row that starts or ceases to read one has changed itself.
  func readers(
    of updated: [ManagedObject], in context: ManagedObjectContext
  ) throws -> Set<ManagedObject> {
    var readers: Set<ManagedObject> = []
    for path in walkablePaths {
      for (depth, hop) in path.enumerated() {
        var objects = Set(updated.filter { $0.entity.isKind(of: hop.destination) })
        for hop in path[...depth].reversed() {
          objects = try Self.walk(back: hop.inverse, from: objects, in: context)
        }
        readers.formUnion(objects)
      }
    }
    return readers
  }

  private static func walk(
    back inverse: Property, from objects: Set<ManagedObject>, in context: ManagedObjectContext
  ) throws -> Set<ManagedObject> {
    var sources: Set<ManagedObject> = []
    for object in objects where !object.isDeleted {
      switch try context.source(of: object).value(of: inverse) {
      case .objectID(let objectID): sources.insert(context.object(for: objectID))
      case .list(let members):
        for case .objectID(let objectID) in members {
          sources.insert(context.object(for: objectID))
        }
      default: continue
      }
    }
    return sources
  }

  /// Whether any change of another object can alter a row.
  var isEmpty: Bool { walkablePaths.isEmpty && fetchedAnew.isEmpty }
}

extension BoundPath {
  /// The relationships whose destination's values the path reads: all but a to-one at its end, of which
  /// only the ID is read.
  var readRelationships: [Property] {
    var relationships = properties.filter { $0.relationship != nil }
    if attributeType == nil, elementNames.isEmpty, relationships.last?.isToOne == true {
      relationships.removeLast()
    }
    return relationships
  }
}

extension BoundPredicate.Node {
  /// Calls a function with every expression in the condition, those inside others too.
  fileprivate func forEachExpression(_ body: (BoundExpression) -> Void) {
    switch self {
    case .constant: break
    case .and(let parts), .or(let parts): parts.forEach { $0.forEachExpression(body) }
    case .not(let part): part.forEachExpression(body)
    case .comparison(let comparison):
      comparison.left.forEachExpression(body)
      comparison.right.forEachExpression(body)
    }
  }
}

extension BoundExpression {
  fileprivate func forEachExpression(_ body: (BoundExpression) -> Void) {
    body(self)
    forEachPart({ $0.forEachExpression(body) }, condition: { $0.forEachExpression(body) })
  }
}

import LodeModel

extension ManagedObjectContext {
  /// The most objects that prefetching keeps alive for the code that will ask for them.
  static let prefetchedCountMax = 16_384

  /// Brings in the objects at the ends of relationship key paths, one read per step of each path.
  ///
  /// The context holds on to them until as many others have been prefetched since.
  func prefetch(_ keyPaths: [String], of objects: [ManagedObject]) throws {
    guard let entity = objects.first?.entity else { return }
    for keyPath in keyPaths {
      var sources = objects
      var sourceEntity = entity
      for name in ObjectKeyPath(keyPath).names {
        let relationship = try relationship(name, of: sourceEntity, in: keyPath)
        sources = try bringIn(relationship, of: sources)
        sourceEntity = sourceEntity.destination(of: relationship)
      }
    }
  }

  /// Checks key paths before anything is fetched.
  func checkPrefetching(_ keyPaths: [String], entity: Entity) throws {
    for keyPath in keyPaths {
      var entity = entity
      for name in ObjectKeyPath(keyPath).names {
        entity = entity.destination(of: try relationship(name, of: entity, in: keyPath))
      }
    }
  }

  private func relationship(
    _ name: String, of entity: Entity, in keyPath: String
  ) throws -> Property {
    guard let property = entity.property(named: name), property.relationship != nil else {
      throw ContextError(
        .unknownRelationship,
        "\(entity.name) has no relationship “\(name)”, which the prefetching key path “\(keyPath)” "
          + "names")
    }
    return property
  }

  private func bringIn(
    _ relationship: Property, of sources: [ManagedObject]
  ) throws -> [ManagedObject] {
    try bringIn(sources.map(\.objectID))
    var seen: Set<ManagedObjectID> = []
    let destinationIDs = sources.flatMap { $0.destinationIDs(relationship) }
      .filter { seen.insert($0).inserted }
    let destinations = destinationIDs.map(object(for:))
    try bringIn(destinationIDs)
    prefetched.append(contentsOf: destinations)
    prefetched.removeFirst(max(0, prefetched.count - Self.prefetchedCountMax))
    return destinations
  }
}

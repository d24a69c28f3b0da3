extension ObjectPredicate {
  /// Returns the predicate with its names found in an entity and its constants converted to the types of
  /// what they are compared with.
  ///
  /// Attributes that stores don't keep are allowed and listed in `transientKeyPaths`.
  ///
  /// - Complexity: the size of the predicate.
  /// - Throws: `ObjectPredicateError` that names the entity and the key path: a key that isn't there, a path
  ///   that goes on behind an attribute, a to-many without a quantifier or the reverse, options on
  ///   something else than strings, sides that don't compare, a pattern that can't be read, too deep a
  ///   nesting.
  public func bound(to entity: Entity) throws(ObjectPredicateError) -> BoundPredicate {
    var binder = PredicateBinder(paths: PathResolver(entity: entity))
    let root = try binder.bind(self, depth: 0)
    return BoundPredicate(
      entity: entity, predicate: self, root: root,
      traversedEntities: binder.paths.traversedEntities,
      transientKeyPaths: binder.paths.transientKeyPaths)
  }
}

/// Turns a predicate into its bound form, from the leaves up.
struct PredicateBinder {
  private(set) var paths: PathResolver

  init(paths: PathResolver) { self.paths = paths }

  mutating func bind(
    _ predicate: ObjectPredicate, depth: Int
  ) throws(ObjectPredicateError) -> BoundPredicate.Node {
    try PredicateLimits.check(depth: depth)
    switch predicate {
    case .constant(let constant): return .constant(constant)
    case .and(let parts): return .all(try bind(parts, depth: depth + 1))
    case .or(let parts): return .one(of: try bind(parts, depth: depth + 1))
    case .not(let part): return try bind(part, depth: depth + 1).negated
    case .comparison(let comparison):
      return try ComparisonBinder(
        comparison, left: operand(comparison.left, depth: depth + 1),
        right: operand(comparison.right, depth: depth + 1), entity: paths.entity
      ).bind()
    }
  }

  private mutating func bind(
    _ parts: [ObjectPredicate], depth: Int
  ) throws(ObjectPredicateError) -> [BoundPredicate.Node] {
    var nodes: [BoundPredicate.Node] = []
    for part in parts { nodes.append(try bind(part, depth: depth)) }
    return nodes
  }

  private mutating func operand(
    _ expression: ObjectExpression, depth: Int
  ) throws(ObjectPredicateError) -> BoundExpression {
    try PredicateLimits.check(depth: depth)
    switch expression {
    case .constant(let value): return .constant(value)
    case .selfObject: return .selfObject
    case .keyPath(let path):
      return path.withoutSelf.names.isEmpty ? .selfObject : .path(try paths.resolve(path))
    case .count(let path): return .count(try collection(path))
    case .list(let elements):
      var bound: [BoundExpression] = []
      for element in elements { bound.append(try operand(element, depth: depth + 1)) }
      return BoundExpression.list(bound).folded
    }
  }

  private mutating func collection(_ path: ObjectKeyPath) throws(ObjectPredicateError) -> BoundPath
  {
    let bound = try paths.resolve(path)
    guard bound.isToMany else {
      throw ObjectPredicateError(
        .invalidKeyPath, "@count needs a collection, and this key path leads to one value",
        entity: paths.entity.name, keyPath: path.string)
    }
    return bound
  }
}

extension BoundExpression {
  /// A list of constants as one constant.
  fileprivate var folded: BoundExpression {
    guard case .list(let elements) = self else { return self }
    var values: [Value] = []
    for element in elements {
      guard case .constant(let value) = element else { return self }
      values.append(value)
    }
    return .constant(.list(values))
  }
}

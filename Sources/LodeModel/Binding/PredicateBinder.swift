import Foundation

extension ObjectPredicate {
  /// Returns the predicate with its names found in an entity and its constants converted to the types of
  /// what they are compared with.
  ///
  /// Attributes that stores don't keep are allowed and listed in `transientKeyPaths`. What `now()` is, is
  /// settled here.
  ///
  /// - Complexity: the size of the predicate.
  /// - Throws: `ObjectPredicateError` that names the entity and the key path: a key that isn't there, a path
  ///   that goes on behind an attribute, a to-many without a quantifier or the reverse, options on
  ///   something else than strings, sides that don't compare, a function that has no meaning for its
  ///   arguments, a pattern that can't be read, a variable without a value, too deep a nesting.
  public func bound(to entity: Entity) throws(ObjectPredicateError) -> BoundPredicate {
    var binder = PredicateBinder(entity)
    let root = try binder.bind(self, depth: 0)
    return BoundPredicate(
      entity: entity, predicate: self, root: root,
      traversedEntities: binder.paths.traversedEntities,
      transientKeyPaths: binder.paths.transientKeyPaths)
  }
}

/// Turns a predicate into its bound form, from the leaves up.
struct PredicateBinder {
  var paths: PathResolver
  let now = Value.date(.now)

  /// The variables of the subqueries around, outermost first.
  var variables: [(name: String, type: ExpressionType.Element)] = []

  init(_ entity: Entity) { paths = PathResolver(entity: entity) }

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
        comparison, left: bind(comparison.left, depth: depth + 1),
        right: bind(comparison.right, depth: depth + 1), entity: paths.entity
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
}

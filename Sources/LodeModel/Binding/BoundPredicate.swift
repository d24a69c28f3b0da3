/// A predicate whose names have been found in an entity and whose types fit it.
///
/// Stores plan and evaluate bound predicates: each property is known by its slot, nothing is looked up
/// by name.
public struct BoundPredicate: Sendable {
  /// A part of a bound predicate.
  package indirect enum Node: Hashable, Sendable {
    case constant(Bool)
    case and([Node])
    case or([Node])
    case not(Node)
    case comparison(BoundComparison)
  }

  /// The entity whose names were found.
  public let entity: Entity
  /// The predicate as it was before binding.
  public let predicate: ObjectPredicate
  /// The tree that stores plan by.
  package let root: Node
  /// The entities whose objects its key paths read beyond the object itself: pending changes to those
  /// may change the answer. Contains the predicate's own entity when a key path comes back to it.
  public let traversedEntities: Set<Entity>
  /// The key paths that end in attributes which stores don't keep; a store refuses the predicate when
  /// there is one.
  public let transientKeyPaths: [String]
  private let condition: Condition<BoundPath>

  /// Makes a bound predicate of its tree.
  package init(
    entity: Entity, predicate: ObjectPredicate, root: Node, traversedEntities: Set<Entity>,
    transientKeyPaths: [String] = []
  ) {
    self.entity = entity
    self.predicate = predicate
    self.root = root
    self.traversedEntities = traversedEntities
    self.transientKeyPaths = transientKeyPaths
    condition = Condition(root)
  }

  /// Tells whether the predicate holds for a source.
  ///
  /// - Throws: what the source throws; `ObjectPredicateError` where a pattern read from a key path is none.
  public func evaluate<Source: PredicateSource>(on source: Source) throws -> Bool {
    try condition.holds(SourceReader(source: source))
  }
}

extension BoundPredicate: Hashable {
  public static func == (left: Self, right: Self) -> Bool {
    left.entity == right.entity && left.root == right.root
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(root)
  }
}

/// One comparison whose sides are bound.
package struct BoundComparison: Hashable, Sendable {
  /// How a to-many left side is read.
  package var quantifier: ObjectComparison.Quantifier
  /// The left side.
  package var left: BoundExpression
  /// How the sides are compared.
  package var `operator`: ObjectComparison.Operator
  /// How strings are compared.
  package var options: ObjectComparison.Options
  /// The right side.
  package var right: BoundExpression

  /// Makes a comparison of its bound parts.
  package init(
    quantifier: ObjectComparison.Quantifier, left: BoundExpression,
    operator: ObjectComparison.Operator, options: ObjectComparison.Options, right: BoundExpression
  ) {
    self.quantifier = quantifier
    self.left = left
    self.operator = `operator`
    self.options = options
    self.right = right
  }
}

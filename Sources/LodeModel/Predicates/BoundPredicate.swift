/// A predicate whose names have been found in an entity and whose types fit it.
///
/// Stores plan and evaluate bound predicates: each property is known by its slot, nothing is looked up
/// by name.
public struct BoundPredicate: Sendable, Hashable {
  package indirect enum Node: Hashable, Sendable {
    case constant(Bool)
    case and([Node])
    case or([Node])
    case not(Node)
    case comparison(BoundComparison)
  }

  public let entity: Entity
  /// The predicate as it was before binding.
  public let predicate: ObjectPredicate
  package let root: Node
  /// The entities other than the predicate's own whose objects its key paths read.
  public let traversedEntities: Set<Entity>

  package init(
    entity: Entity, predicate: ObjectPredicate, root: Node, traversedEntities: Set<Entity>
  ) {
    self.entity = entity
    self.predicate = predicate
    self.root = root
    self.traversedEntities = traversedEntities
  }
}

package struct BoundComparison: Hashable, Sendable {
  package var quantifier: ObjectComparison.Quantifier
  package var left: BoundExpression
  package var `operator`: ObjectComparison.Operator
  package var options: ObjectComparison.Options
  package var right: BoundExpression

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

package indirect enum BoundExpression: Hashable, Sendable {
  /// A constant, already converted to the type of the property it is compared with.
  case constant(Value)
  case selfObject
  case path(BoundPath)
  case count(BoundPath)
  case list([BoundExpression])
}

/// A key path whose steps have been found.
package struct BoundPath: Hashable, Sendable {
  /// The properties passed through, at least one; all but the last are relationships.
  package let properties: [Property]
  /// The names of composite elements below the last property; mostly empty.
  package let elementNames: [String]
  /// The type of the value at the end; nil when the path ends in a relationship.
  package let attributeType: AttributeType?

  package init(properties: [Property], elementNames: [String], attributeType: AttributeType?) {
    self.properties = properties
    self.elementNames = elementNames
    self.attributeType = attributeType
  }

  /// Whether the path passes through or ends in a to-many relationship.
  package var isToMany: Bool { properties.contains(where: \.isToMany) }
}

/// One side of a bound comparison.
package indirect enum BoundExpression: Hashable, Sendable {
  /// A constant, already converted to the type of the property it is compared with.
  case constant(Value)
  case selfObject
  case path(BoundPath)
  case count(BoundPath)
  case list([BoundExpression])
  /// The variable of a subquery.
  case member(BoundVariable)
  /// A path from what another expression yields.
  case behind(BoundExpression, BoundPath)
  case function(ObjectFunction, [BoundExpression])
  case cast(BoundExpression, ObjectCast)
  case conditional(BoundPredicate.Node, BoundExpression, BoundExpression)
  case subquery(BoundExpression, BoundPredicate.Node)
  /// The name of an object's entity.
  case entityName(BoundExpression)
  /// An object that is of an entity, or of one that inherits from it; null otherwise.
  case narrowed(BoundExpression, Entity)

  /// Calls a function with the expressions, and with the conditions, that this one is made of.
  package func forEachPart(
    _ body: (BoundExpression) -> Void, condition: (BoundPredicate.Node) -> Void
  ) {
    switch self {
    case .constant, .selfObject, .path, .count, .member: break
    case .list(let parts), .function(_, let parts): parts.forEach(body)
    case .behind(let base, _), .cast(let base, _), .entityName(let base),
      .narrowed(let base, _):
      body(base)
    case .conditional(let test, let first, let second):
      condition(test)
      body(first)
      body(second)
    case .subquery(let collection, let test):
      body(collection)
      condition(test)
    }
  }
}

/// The variable of a subquery: the how-manyth subquery it is from the outermost, and what its members
/// are.
package struct BoundVariable: Hashable, Sendable {
  /// The number of subqueries around the variable's own.
  package let index: Int
  let type: ExpressionType.Element
}

// Making conditions.

extension Condition<BoundPath> {
  init(_ node: BoundPredicate.Node) {
    switch node {
    case .constant(let constant): self = .constant(constant)
    case .and(let parts): self = .and(parts.map { Condition($0) })
    case .or(let parts): self = .or(parts.map { Condition($0) })
    case .not(let part): self = .not(Condition(part))
    case .comparison(let comparison):
      self =
        Comparison(
          comparison.quantifier, Operand(comparison.left), comparison.operator,
          comparison.options, Operand(comparison.right)
        ).condition
    }
  }
}

extension Operand<BoundPath> {
  fileprivate init(_ expression: BoundExpression) {
    switch expression {
    case .constant(let value): self = .constant(value)
    case .selfObject: self = .selfObject
    case .path(let path): self = .path(path)
    case .count(let path): self = .count(path)
    case .list(let elements): self = .list(elements.map { Operand($0) })
    case .member(let variable): self = .member(variable.index)
    case .behind(let base, let path): self = .behind(Operand(base), path)
    case .function(let function, let arguments):
      self = .function(function, arguments.map { Operand($0) })
    case .cast(let operand, let type): self = .cast(Operand(operand), type)
    case .conditional(let test, let first, let second):
      self = .conditional(Condition(test), Operand(first), Operand(second))
    case .subquery(let collection, let condition):
      self = .subquery(Operand(collection), Condition(condition))
    case .entityName(let operand): self = .entityName(Operand(operand))
    case .narrowed(let operand, let entity):
      let names = entity.selfAndDescendants.map { Value.string($0.name) }
      self = .function(.ofEntity, [Operand(operand), .constant(.list(names))])
    }
  }
}

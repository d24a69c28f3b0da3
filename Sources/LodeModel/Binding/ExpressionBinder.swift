import Foundation

// Expressions in their bound form: names found, arguments checked, constants worked out.

extension PredicateBinder {
  mutating func bind(
    _ expression: ObjectExpression, depth: Int
  ) throws(ObjectPredicateError) -> BoundExpression {
    try PredicateLimits.check(depth: depth)
    switch expression {
    case .constant(let value): return .constant(value)
    case .selfObject: return .selfObject
    case .variable(let name): return .member(try variable(name))
    case .keyPath(let path):
      return try bind(path, behind: .selfObject, in: paths.entity) {
        (resolver, path, _) throws(ObjectPredicateError) in .path(try resolver.resolve(path))
      }
    case .path(let base, let path):
      return try bind(path, behind: bind(base, depth: depth + 1), expression)
    case .list(let elements):
      return BoundExpression.list(try bind(elements, depth: depth + 1)).folded
    case .function(let function, let arguments):
      return try call(function, bind(arguments, depth: depth + 1), expression)
    case .cast(let operand, let type):
      return try cast(bind(operand, depth: depth + 1), type, expression)
    case .conditional(let test, let first, let second):
      return try choose(
        bind(test, depth: depth + 1), bind(first, depth: depth + 1),
        bind(second, depth: depth + 1), expression)
    case .subquery(let collection, let variable, let condition):
      return try select(from: collection, variable, condition, expression, depth: depth + 1)
    }
  }

  private mutating func bind(
    _ expressions: [ObjectExpression], depth: Int
  ) throws(ObjectPredicateError) -> [BoundExpression] {
    var bound: [BoundExpression] = []
    for expression in expressions { bound.append(try bind(expression, depth: depth)) }
    return bound
  }

  private func failure(
    _ code: ObjectPredicateError.Code, _ message: String, _ expression: ObjectExpression
  ) -> ObjectPredicateError {
    ObjectPredicateError(
      code, message, entity: paths.entity.name, keyPath: expression.firstKeyPath)
  }
}

// Paths and variables.
extension PredicateBinder {
  private func variable(_ name: String) throws(ObjectPredicateError) -> BoundVariable {
    guard let index = variables.lastIndex(where: { $0.name == name }) else {
      throw ObjectPredicateError(
        .unboundVariable, "the variable $\(name) has no value; substitute one",
        entity: paths.entity.name)
    }
    return BoundVariable(index: index, type: variables[index].type)
  }

  /// Binds a path from an object, whose identity and entity it may end in.
  private mutating func bind(
    _ keyPath: ObjectKeyPath, behind base: BoundExpression, in entity: Entity,
    _ resolve: (inout PathResolver, ObjectKeyPath, Entity) throws(ObjectPredicateError) ->
      BoundExpression
  ) throws(ObjectPredicateError) -> BoundExpression {
    var path = keyPath.withoutSelf
    guard !path.names.isEmpty else { return base }
    guard let count = entity.entityNameCount(in: path.names) else {
      return try resolve(&paths, path, entity)
    }
    path = ObjectKeyPath(path.names.dropLast(count))
    if path.names.isEmpty { return .entityName(base) }
    let object = try resolve(&paths, path, entity)
    guard case .object = object.type.element, !object.type.isMany else {
      throw ObjectPredicateError(
        .invalidKeyPath, "“entity” stands behind one object", entity: paths.entity.name,
        keyPath: keyPath.string)
    }
    return .entityName(object)
  }

  private mutating func bind(
    _ keyPath: ObjectKeyPath, behind base: BoundExpression, _ expression: ObjectExpression
  ) throws(ObjectPredicateError) -> BoundExpression {
    if keyPath.withoutSelf.names.isEmpty { return base }
    guard let entity = entity(of: base) else {
      throw failure(
        .invalidKeyPath, "“\(keyPath.string)” must stand behind an object", expression)
    }
    paths.traverse(entity)
    return try bind(keyPath, behind: base, in: entity) {
      (resolver, path, entity) throws(ObjectPredicateError) in
      .behind(base, try resolver.resolve(path, from: entity))
    }
  }

  /// Returns the entity of the objects that an expression yields; nil when it yields something else.
  private func entity(of expression: BoundExpression) -> Entity? {
    switch expression.type.element {
    case .object(let entity):
      if case .selfObject = expression { return paths.entity }
      return entity
    case .constant(.objectID(let objectID)):
      return paths.entity.model.entitiesByName[objectID.entityName.string]
    default: return nil
    }
  }
}

extension Entity {
  /// Returns how many names at the end of a path mean the entity of what the others lead to: 1 for
  /// `entity`, 2 for `entity.name`; nil when the path ends otherwise or the entity has such a property.
  fileprivate func entityNameCount(in names: [String]) -> Int? {
    guard property(named: "entity") == nil else { return nil }
    return names.last == "entity" ? 1 : names.suffix(2) == ["entity", "name"] ? 2 : nil
  }
}

// Functions.
extension PredicateBinder {
  private func call(
    _ function: ObjectFunction, _ arguments: [BoundExpression], _ expression: ObjectExpression
  ) throws(ObjectPredicateError) -> BoundExpression {
    if let (code, message) = function.problem(with: arguments) {
      throw failure(code, message, expression)
    }
    switch (function, arguments.first) {
    case (.now, _): return .constant(now)
    case (.count, .path(let path)?): return .count(path)
    case (.ofEntity, let object?):
      guard case .constant(.string(let name)) = arguments[1],
        let entity = paths.entity.model.entitiesByName[name]
      else {
        throw failure(.unknownKey, "the model has no entity of this name", expression)
      }
      return .narrowed(object, entity)
    default: break
    }
    let constants = arguments.compactMap(\.constantValue)
    guard function.isDeterministic, constants.count == arguments.count else {
      return .function(function, arguments)
    }
    do throws(ObjectPredicateError) {
      return .constant(try function.result(constants))
    } catch { throw failure(error.code, error.message, expression) }
  }

  private func cast(
    _ operand: BoundExpression, _ type: ObjectCast, _ expression: ObjectExpression
  ) throws(ObjectPredicateError) -> BoundExpression {
    if operand.type.isMany {
      throw failure(.toManyKey, "CAST needs one value, and this leads to many", expression)
    }
    guard let constant = operand.constantValue else { return .cast(operand, type) }
    guard let result = type.result(constant) else {
      throw failure(
        .typeMismatch, "\(constant.kindWithArticle) can't be cast to \(type.rawValue)", expression)
    }
    return .constant(result)
  }

  private func choose(
    _ test: BoundPredicate.Node, _ first: BoundExpression, _ second: BoundExpression,
    _ expression: ObjectExpression
  ) throws(ObjectPredicateError) -> BoundExpression {
    let (left, right) = (first.type.element.group, second.type.element.group)
    guard left == right || left == .null || right == .null, first.type.isMany == second.type.isMany
    else {
      throw failure(
        .typeMismatch, "the branches of TERNARY have types that don't go together", expression)
    }
    if case .constant(let constant) = test { return constant ? first : second }
    return .conditional(test, first, second)
  }

  private mutating func select(
    from collection: ObjectExpression, _ variable: String, _ condition: ObjectPredicate,
    _ expression: ObjectExpression, depth: Int
  ) throws(ObjectPredicateError) -> BoundExpression {
    let collection = try bind(collection, depth: depth)
    guard collection.type.isMany || collection.isList else {
      throw failure(
        .invalidKeyPath, "SUBQUERY needs a collection, and this leads to one value", expression)
    }
    var type = collection.memberType
    if case .object(nil) = type, case .selfObject = collection { type = .object(paths.entity) }
    variables.append((variable, type))
    defer { variables.removeLast() }
    return .subquery(collection, try bind(condition, depth: depth))
  }
}

extension BoundExpression {
  /// A list of constants as one constant.
  fileprivate var folded: BoundExpression {
    guard case .list(let elements) = self else { return self }
    let values = elements.compactMap(\.constantValue)
    return values.count == elements.count ? .constant(.list(values)) : self
  }

  /// The value, when it is a constant.
  fileprivate var constantValue: Value? {
    if case .constant(let value) = self { value } else { nil }
  }
}

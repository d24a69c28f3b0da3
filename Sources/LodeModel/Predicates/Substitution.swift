// Templates: predicates with variables, which are given values later. The variable of a SUBQUERY is its
// own and hides one of the template.

extension ObjectPredicate {
  /// The names of the variables that have no value yet.
  ///
  /// - Complexity: the size of the predicate.
  public var variables: Set<String> {
    var names: Set<String> = []
    collectVariables(into: &names, hidden: [])
    return names
  }

  /// Returns the predicate with values in place of variables; variables without one stay.
  package func substituting(values: [String: Value]) -> ObjectPredicate {
    guard !values.isEmpty else { return self }
    switch self {
    case .constant: return self
    case .and(let parts): return .and(parts.map { $0.substituting(values: values) })
    case .or(let parts): return .or(parts.map { $0.substituting(values: values) })
    case .not(let part): return .not(part.substituting(values: values))
    case .comparison(var comparison):
      comparison.left = comparison.left.substituting(values: values)
      comparison.right = comparison.right.substituting(values: values)
      return .comparison(comparison)
    }
  }

  fileprivate func collectVariables(into names: inout Set<String>, hidden: Set<String>) {
    switch self {
    case .constant: break
    case .and(let parts), .or(let parts):
      for part in parts { part.collectVariables(into: &names, hidden: hidden) }
    case .not(let part): part.collectVariables(into: &names, hidden: hidden)
    case .comparison(let comparison):
      comparison.left.collectVariables(into: &names, hidden: hidden)
      comparison.right.collectVariables(into: &names, hidden: hidden)
    }
  }
}

extension ObjectExpression {
  func substituting(values: [String: Value]) -> ObjectExpression {
    switch self {
    case .constant, .selfObject, .keyPath: return self
    case .variable(let name): return values[name].map { .constant($0) } ?? self
    case .path(let base, let path): return .path(base.substituting(values: values), path)
    case .list(let elements): return .aggregate(elements.map { $0.substituting(values: values) })
    case .function(let function, let arguments):
      return .function(function, arguments.map { $0.substituting(values: values) })
    case .cast(let operand, let type): return .cast(operand.substituting(values: values), type)
    case .conditional(let test, let first, let second):
      return .conditional(
        test.substituting(values: values), first.substituting(values: values),
        second.substituting(values: values))
    case .subquery(let collection, let variable, let condition):
      var inner = values
      inner[variable] = nil
      return .subquery(
        collection.substituting(values: values), variable: variable,
        condition.substituting(values: inner))
    }
  }

  fileprivate func collectVariables(into names: inout Set<String>, hidden: Set<String>) {
    switch self {
    case .constant, .selfObject, .keyPath: break
    case .variable(let name): if !hidden.contains(name) { names.insert(name) }
    case .path(let base, _): base.collectVariables(into: &names, hidden: hidden)
    case .list(let parts), .function(_, let parts):
      for part in parts { part.collectVariables(into: &names, hidden: hidden) }
    case .cast(let operand, _): operand.collectVariables(into: &names, hidden: hidden)
    case .conditional(let test, let first, let second):
      test.collectVariables(into: &names, hidden: hidden)
      first.collectVariables(into: &names, hidden: hidden)
      second.collectVariables(into: &names, hidden: hidden)
    case .subquery(let collection, let variable, let condition):
      collection.collectVariables(into: &names, hidden: hidden)
      condition.collectVariables(into: &names, hidden: hidden.union([variable]))
    }
  }

  /// Makes the expression of a list: one constant when every element is one.
  package static func aggregate(_ elements: [ObjectExpression]) -> ObjectExpression {
    var values: [Value] = []
    for element in elements {
      guard case .constant(let value) = element else { return .list(elements) }
      values.append(value)
    }
    return .constant(.list(values))
  }
}

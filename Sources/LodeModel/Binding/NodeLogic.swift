// Bound predicates are kept in a simple form: conditions of one kind are flattened into one, constants
// are gone but for a whole predicate that is one, and a negation stands only where the operators can't
// say it. This makes plans easier to find and changes no answer, because predicates are two-valued.

extension BoundPredicate.Node {
  /// Returns the node that is true when all parts are.
  static func all(_ parts: [Self]) -> Self {
    var flat: [Self] = []
    for part in parts {
      switch part {
      case .constant(true): continue
      case .constant(false): return .constant(false)
      case .and(let inner): flat += inner
      default: flat.append(part)
      }
    }
    return flat.isEmpty ? .constant(true) : flat.count == 1 ? flat[0] : .and(flat)
  }

  /// Returns the node that is true when one part is.
  static func one(of parts: [Self]) -> Self {
    var flat: [Self] = []
    for part in parts {
      switch part {
      case .constant(false): continue
      case .constant(true): return .constant(true)
      case .or(let inner): flat += inner
      default: flat.append(part)
      }
    }
    return flat.isEmpty ? .constant(false) : flat.count == 1 ? flat[0] : .or(flat)
  }

  /// The node that is true when this one is false.
  ///
  /// Order comparisons keep their negation, because both `age < 5` and `age >= 5` are false for nil.
  var negated: Self {
    switch self {
    case .constant(let constant): return .constant(!constant)
    case .not(let part): return part
    case .and, .or: return .not(self)
    case .comparison(var comparison):
      switch (comparison.quantifier, comparison.operator) {
      case (.direct, .equal): comparison.operator = .notEqual
      case (.direct, .notEqual): comparison.operator = .equal
      case (.any, _): comparison.quantifier = .none
      case (.none, _): comparison.quantifier = .any
      default: return .not(self)
      }
      return .comparison(comparison)
    }
  }
}

/// A predicate made ready to be evaluated: patterns compiled, constants folded, paths of one kind.
///
/// The kind of path is what differs between the places where predicates are evaluated (slots for rows
/// and objects, names for plain values); everything else is the same for all of them.
package indirect enum Condition<Path: Sendable>: Sendable {
  case constant(Bool)
  case and([Condition])
  case or([Condition])
  case not(Condition)
  /// The commonest comparison.
  case value(ValueComparison<Path>)
  case comparison(Comparison<Path>)
  /// Whether a collection has a member for which a condition holds.
  case existence(Operand<Path>, Condition)
}

/// A path's value against a constant.
///
/// Comparisons are classes so that going through a condition counts one reference for each.
package final class ValueComparison<Path: Sendable>: Sendable {
  private let path: Path
  private let test: ValueTest
  private let right: Value

  init(path: Path, test: ValueTest, right: Value) {
    self.path = path
    self.test = test
    self.right = right
  }

  func holds<Reader: PathReader>(_ reader: Reader) throws -> Bool where Reader.Path == Path {
    try test.holds(reader.value(at: path), right)
  }
}

/// Any other comparison of a condition.
package final class Comparison<Path: Sendable>: Sendable {
  private let quantifier: ObjectComparison.Quantifier
  private let left: Operand<Path>
  private let test: ValueTest
  private let right: Operand<Path>

  /// Makes a comparison, preparing what is known of its right side.
  init(
    _ quantifier: ObjectComparison.Quantifier, _ left: Operand<Path>,
    _ operator: ObjectComparison.Operator, _ options: ObjectComparison.Options,
    _ right: Operand<Path>
  ) {
    self.quantifier = quantifier
    self.left = left
    if let constant = right.constantValue {
      self.right = .constant(constant)
      test = ValueTest(`operator`, options: options, right: constant)
    } else {
      self.right = right
      test = ValueTest(`operator`, options: options)
    }
  }

  /// The condition that is this comparison, in its cheapest form.
  var condition: Condition<Path> {
    if case (.direct, .path(let path), .constant(let value)) = (quantifier, left, right) {
      return .value(ValueComparison(path: path, test: test, right: value))
    }
    return existence ?? .comparison(self)
  }

  /// `SUBQUERY(…).@count` beside 0, which asks whether there is a member and not how many there are.
  private var existence: Condition<Path>? {
    guard quantifier == .direct,
      case .function(.count, let arguments) = left,
      case .subquery(let collection, let condition)? = arguments.first,
      case .constant(.integer(0)) = right
    else { return nil }
    switch test.operator {
    case .notEqual, .greater: return .existence(collection, condition)
    case .equal: return .not(.existence(collection, condition))
    default: return nil
    }
  }
}

extension Condition {
  /// Tells whether the condition holds for what a reader reads.
  ///
  /// - Parameter members: what the variables of the subqueries around the condition stand for, outermost
  ///   first.
  package func holds<Reader: PathReader>(
    _ reader: Reader, members: [Reader.Member] = []
  ) throws -> Bool where Reader.Path == Path {
    switch self {
    case .value(let comparison): return try comparison.holds(reader)
    case .comparison(let comparison): return try comparison.holds(reader, members)
    case .and(let parts):
      for part in parts where try !part.holds(reader, members: members) { return false }
      return true
    case .or(let parts):
      for part in parts where try part.holds(reader, members: members) { return true }
      return false
    case .not(let part): return try !part.holds(reader, members: members)
    case .existence(let collection, let condition):
      return try collection.contains(condition, reader, members)
    case .constant(let constant): return constant
    }
  }
}

extension Comparison {
  func holds<Reader: PathReader>(
    _ reader: Reader, _ members: [Reader.Member]
  ) throws -> Bool where Reader.Path == Path {
    let right = try right.value(reader, members)
    switch quantifier {
    case .direct: return try test.holds(left.value(reader, members), right)
    case .any: return try contains(reader, members) { try test.holds($0, right) }
    case .none: return try !contains(reader, members) { try test.holds($0, right) }
    case .all: return try !contains(reader, members) { try !test.holds($0, right) }
    }
  }

  private func contains<Reader: PathReader>(
    _ reader: Reader, _ members: [Reader.Member], where isSatisfied: (Value) throws -> Bool
  ) throws -> Bool where Reader.Path == Path {
    if case .path(let path) = left { return try reader.contains(at: path, where: isSatisfied) }
    switch try left.value(reader, members) {
    case .list(let values): return try values.contains(where: isSatisfied)
    case .null: return false
    default:
      throw ObjectPredicateError(
        .invalidQuantifier, "ANY, ALL and NONE stand before a collection")
    }
  }
}

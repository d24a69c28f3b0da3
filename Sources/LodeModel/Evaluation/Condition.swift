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
    return .comparison(self)
  }
}

/// One side of a comparison, read by a path of some kind.
package indirect enum Operand<Path: Sendable>: Sendable {
  case constant(Value)
  case selfObject
  case path(Path)
  case count(Path)
  case list([Operand])
}

/// Where a condition's paths are read.
package protocol PathReader {
  associatedtype Path: Sendable

  /// What `SELF` is.
  var selfValue: Value { get }

  /// Returns the value at the end of a path, null when a hop is nil; a list of all values when the path
  /// leads through a to-many.
  func value(at path: Path) throws -> Value

  /// Tells whether one of the values at the end of a to-many path satisfies a test; stops at the first.
  func contains(at path: Path, where isSatisfied: (Value) throws -> Bool) throws -> Bool

  /// Returns how many values are at the end of a to-many path.
  func count(at path: Path) throws -> Int
}

extension Condition {
  /// Tells whether the condition holds for what a reader reads.
  package func holds<Reader: PathReader>(_ reader: Reader) throws -> Bool
  where Reader.Path == Path {
    switch self {
    case .value(let comparison): return try comparison.holds(reader)
    case .comparison(let comparison): return try comparison.holds(reader)
    case .and(let parts):
      for part in parts where try !part.holds(reader) { return false }
      return true
    case .or(let parts):
      for part in parts where try part.holds(reader) { return true }
      return false
    case .not(let part): return try !part.holds(reader)
    case .constant(let constant): return constant
    }
  }
}

extension Comparison {
  func holds<Reader: PathReader>(_ reader: Reader) throws -> Bool where Reader.Path == Path {
    let right = try right.value(reader)
    switch quantifier {
    case .direct: return try test.holds(left.value(reader), right)
    case .any: return try contains(reader) { try test.holds($0, right) }
    case .none: return try !contains(reader) { try test.holds($0, right) }
    case .all: return try !contains(reader) { try !test.holds($0, right) }
    }
  }

  private func contains<Reader: PathReader>(
    _ reader: Reader, where isSatisfied: (Value) throws -> Bool
  ) throws -> Bool where Reader.Path == Path {
    guard case .path(let path) = left else {
      throw ObjectPredicateError(
        .invalidQuantifier, "ANY, ALL and NONE stand before a key path through a collection")
    }
    return try reader.contains(at: path, where: isSatisfied)
  }
}

extension Operand {
  func value<Reader: PathReader>(_ reader: Reader) throws -> Value where Reader.Path == Path {
    switch self {
    case .constant(let value): value
    case .selfObject: reader.selfValue
    case .path(let path): try reader.value(at: path)
    case .count(let path): .integer(Int64(try reader.count(at: path)))
    case .list(let operands): .list(try operands.map { try $0.value(reader) })
    }
  }

  /// The operand's value when it is the same wherever it is read.
  var constantValue: Value? {
    switch self {
    case .constant(let value): return value
    case .list(let operands):
      let values = operands.compactMap(\.constantValue)
      return values.count == operands.count ? .list(values) : nil
    default: return nil
    }
  }
}

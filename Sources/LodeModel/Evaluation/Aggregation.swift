import Foundation

/// What becomes of a collection's members: their count, sum, average and the like.
///
/// All but `count`, `mode` and `distinct` pass over nil members. Of nothing the count and the sum are 0,
/// the list is empty, anything else is null.
struct Aggregation {
  private let members: [Value]

  init(members: [Value]) { self.members = members }

  /// Returns the result of an aggregate function; nil where it has no meaning for the members.
  func result(_ function: ObjectFunction) -> Value? {
    switch function {
    case .count: .integer(Int64(members.count))
    case .sum: sum(present)
    case .average: average(present)
    case .minimum: extreme(.orderedDescending)
    case .maximum: extreme(.orderedAscending)
    case .median: median
    case .mode: mode
    case .standardDeviation: standardDeviation
    case .distinct: .list(ValueSet(members).members)
    default: nil
    }
  }

  private var present: [Value] { members.filter { !$0.isNull } }

  private func sum(_ numbers: [Value]) -> Value? {
    var sum = Value.integer(0)
    for number in numbers {
      guard let number = number.asNumber, let next = Arithmetic.result(sum, .add, number) else {
        return nil
      }
      sum = next
    }
    return sum
  }

  /// Returns the average, which isn't cut to a whole number.
  private func average(_ numbers: [Value]) -> Value? {
    guard !numbers.isEmpty else { return .null }
    guard let sum = sum(numbers) else { return nil }
    let isWhole = if case .integer = sum { true } else { false }
    let count = isWhole ? Value.double(Double(numbers.count)) : .integer(Int64(numbers.count))
    return Arithmetic.result(sum, .divide, count)
  }

  /// Returns the member beside which no other comes in an order; nil when members don't compare.
  private func extreme(_ order: ComparisonResult) -> Value? {
    let present = present
    guard var extreme = present.first else { return .null }
    for member in present.dropFirst() {
      guard let comparison = Value.compare(extreme, member) else { return nil }
      if comparison == order { extreme = member }
    }
    return extreme
  }

  private var median: Value? {
    let numbers = present
    guard !numbers.isEmpty else { return .null }
    guard numbers.allSatisfy({ $0.asNumber != nil }) else { return nil }
    let sorted = numbers.sorted { Value.compare($0, $1) == .orderedAscending }
    let middle = sorted.count / 2
    return sorted.count.isMultiple(of: 2)
      ? average([sorted[middle - 1], sorted[middle]]) : sorted[middle].asNumber
  }

  /// The members that there are most of, in the order of their first places.
  private var mode: Value {
    let counted = ValueSet(present)
    let most = counted.counts.max()
    return .list(zip(counted.members, counted.counts).filter { $0.1 == most }.map(\.0))
  }

  /// The deviation of the members as a whole, not as a sample of others.
  private var standardDeviation: Value? {
    let numbers = present.compactMap(\.asDouble)
    guard numbers.count == present.count else { return nil }
    guard !numbers.isEmpty else { return .null }
    let average = numbers.reduce(0, +) / Double(numbers.count)
    let squares = numbers.reduce(0) { $0 + ($1 - average) * ($1 - average) }
    return .result((squares / Double(numbers.count)).squareRoot())
  }
}

/// Distinct values, equal as predicates mean it, in the order of their first places.
///
/// Values of kinds that compare with no other are found by their hashes, numbers one by one among the
/// numbers of other types.
struct ValueSet {
  private(set) var members: [Value] = []
  /// How often each member came.
  private(set) var counts: [Int] = []
  private var places: [Value: Int] = [:]

  init(_ values: [Value]) {
    for value in values { insert(value) }
  }

  func contains(_ value: Value) -> Bool { place(of: value) != nil }

  private mutating func insert(_ value: Value) {
    if let place = place(of: value) {
      counts[place] += 1
    } else {
      places[Self.key(value)] = members.count
      members.append(value)
      counts.append(1)
    }
  }

  private func place(of value: Value) -> Int? { places[Self.key(value)] }

  /// Returns one form for all numbers that are equal.
  private static func key(_ value: Value) -> Value {
    switch value {
    case .boolean, .double, .decimal:
      let whole = value.converted(to: .integer64) ?? value
      if case .integer = whole { return whole }
      return value.converted(to: .decimal) ?? value
    case .date(let date) where date.timeIntervalSinceReferenceDate == 0:
      return .date(Date(timeIntervalSinceReferenceDate: 0))
    default: return value
    }
  }
}

// Where a constant stands among the values that a column can hold. Predicates compare numbers by value
// across types (`age < 3.5` on integers, `height > 9007199254740993` on doubles); an index has only the
// column's own values, so that bounds must be moved to the nearest of those. The search relies on
// nothing but `Value.compare`, which is what the evaluator uses.

internal import Foundation
internal import LodeModel

/// A constant's place among the values of a column.
enum DomainPosition: Equatable {
  case at(Value)
  /// Between two neighbours; nil where there is none on that side.
  case between(below: Value?, above: Value?)

  /// Finds a constant's place in a column; nil when the kinds don't compare in a way that indexes know.
  static func of(_ constant: Value, in kind: RecordLayout.Kind) -> DomainPosition? {
    switch (kind, constant) {
    case (.string, .string), (.date, .date), (.uuid, .uuid), (.uri, .uri), (.decimal, .decimal),
      (.reference, .objectID), (.boolean, .boolean), (.double, .double):
      return .at(constant)
    case (.integer16, _): return ofNumber(constant, integers(Int16.self))
    case (.integer32, _): return ofNumber(constant, integers(Int32.self))
    case (.integer64, _): return ofNumber(constant, integers(Int64.self))
    case (.boolean, _): return ofNumber(constant, Domain(indices: 0...1) { .boolean($0 == 1) })
    case (.double, _): return ofNumber(constant, .doubles)
    case (.float, .double(let number)) where number.isNaN: return .at(constant)
    case (.float, _): return ofNumber(constant, .floats)
    default: return nil
    }
  }

  /// All numbers that a column can hold, in their order.
  private struct Domain {
    let indices: ClosedRange<UInt64>
    let value: (UInt64) -> Value

    static var doubles: Domain {
      Domain(
        indices: ordinal((-Double.infinity).bitPattern)...ordinal(Double.infinity.bitPattern)
      ) { index in
        .double(canonical(Double(bitPattern: index >> 63 == 1 ? index ^ 1 << 63 : ~index)))
      }
    }

    static var floats: Domain {
      Domain(
        indices: ordinal((-Float.infinity).bitPattern)...ordinal(Float.infinity.bitPattern)
      ) { index in
        let bits = UInt32(index)
        let float = Float(bitPattern: bits >> 31 == 1 ? bits ^ 1 << 31 : ~bits)
        return .double(canonical(Double(float)))
      }
    }

    private static func ordinal(_ bits: UInt64) -> UInt64 {
      bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    private static func ordinal(_ bits: UInt32) -> UInt64 {
      UInt64(bits >> 31 == 1 ? ~bits : bits | 1 << 31)
    }

    private static func canonical(_ number: Double) -> Double { number == 0 ? 0 : number }
  }

  private static func integers<Number: FixedWidthInteger & SignedInteger>(
    _ type: Number.Type
  ) -> Domain {
    let width = UInt64(Number.bitWidth)
    return Domain(indices: 0...(UInt64.max >> (64 - width))) { index in
      // The smallest number has index 0.
      .integer(Int64(Number.min) &+ Int64(bitPattern: index))
    }
  }

  private static func ofNumber(_ constant: Value, _ domain: Domain) -> DomainPosition? {
    var (low, high) = (domain.indices.lowerBound, domain.indices.upperBound)
    guard let first = Value.compare(domain.value(low), constant),
      let last = Value.compare(domain.value(high), constant)
    else { return nil }
    if first == .orderedSame { return .at(domain.value(low)) }
    if last == .orderedSame { return .at(domain.value(high)) }
    if first == .orderedDescending { return .between(below: nil, above: domain.value(low)) }
    if last == .orderedAscending { return .between(below: domain.value(high), above: nil) }
    // Below `low` everything is smaller, from `high` on everything is greater.
    while high - low > 1 {
      let middle = low + (high - low) / 2
      switch Value.compare(domain.value(middle), constant) {
      case .orderedSame: return .at(domain.value(middle))
      case .orderedAscending: low = middle
      case .orderedDescending: high = middle
      default: return nil
      }
    }
    return .between(below: domain.value(low), above: domain.value(high))
  }
}

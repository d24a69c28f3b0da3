import LodeRandom
import Foundation
import LodeModel
import Testing

/// The one order of values.
struct ValueOrderTests {
  /// Values in ascending order; those of one line are equal.
  private static let ladder: [[Value]] = [
    [.null],
    [.double(-.infinity)], [.double(-1e300)], [.decimal(Decimal(string: "-1e100") ?? 0)],
    [.integer(.min), .double(-0x1p63), .decimal(Decimal(Int64.min))],
    [.integer(.min + 1), .decimal(Decimal(Int64.min + 1))],
    [.integer(-1), .double(-1), .decimal(-1)], [.double(-0.1), .decimal(-Decimal(1) / 10)],
    [.double(-Double.leastNonzeroMagnitude)],
    [.integer(0), .double(0), .double(-0.0), .decimal(0), .boolean(false)],
    [.double(.leastNonzeroMagnitude)], [.decimal(Decimal(string: "1e-100") ?? 0)],
    [.double(0.1), .decimal(Decimal(1) / 10)], [.double(0.1.nextUp)],
    [.integer(1), .double(1), .decimal(1), .boolean(true)],
    [.integer(9_007_199_254_740_992), .double(0x1p53), .decimal(9_007_199_254_740_992)],
    [.integer(9_007_199_254_740_993), .decimal(Decimal(Int64(9_007_199_254_740_993)))],
    [.integer(9_007_199_254_740_994), .double(0x1p53 + 2)],
    [.integer(.max), .decimal(Decimal(Int64.max))], [.double(0x1p63)],
    [.decimal(Decimal(string: "1e100") ?? 0)], [.double(1e300)], [.double(.infinity)],
    [.double(.nan), .decimal(.nan)],
    [.string("")], [.string("A")], [.string("a")], [.string("ab")],
    [.string("\u{E5}"), .string("a\u{30A}"), .string("\u{E5}")], [.string("й")],
    [date(-1)], [date(0), date(-0.0)], [date(0.5)],
    [.data(Data())], [.data(Data([0]))], [.data(Data([0, 0]))], [.data(Data([255]))],
  ]

  @Test func `values are in their order, whatever their types`() {
    for (low, lowValues) in Self.ladder.enumerated() {
      for (high, highValues) in Self.ladder.enumerated() {
        let expected: ComparisonResult =
          low < high ? .orderedAscending : low == high ? .orderedSame : .orderedDescending
        for left in lowValues {
          for right in highValues {
            #expect(Value.sortOrder(left, right) == expected, "\(left) \(right)")
          }
        }
      }
    }
  }

  @Test func `kinds that don't compare are neither equal nor ordered`() {
    #expect(Value.compare(.null, .integer(1)) == nil)
    #expect(Value.compare(.string("1"), .integer(1)) == nil)
    #expect(Value.compare(date(0), .integer(0)) == nil)
    #expect(!Value.equal(.null, .boolean(false)) && Value.equal(.null, .null))
    #expect(Value.integer(1) != .double(1) && Value.equal(.integer(1), .double(1)))
  }

  @Test func `the order is transitive`() {
    let seed = UInt64.random(in: .min ... .max)
    var random = SeededGenerator(seed: seed)
    for _ in 0..<20_000 {
      let values = (0..<3).map { _ in Self.value(&random) }
      let (a, b, c) = (values[0], values[1], values[2])
      let (ab, bc, ac) = (
        Value.sortOrder(a, b), Value.sortOrder(b, c), Value.sortOrder(a, c)
      )
      #expect(Value.sortOrder(b, a) == ab.reversed, "seed \(seed): \(values)")
      if ab == bc { #expect(ac == ab, "seed \(seed): \(values)") }
      if ab == .orderedSame { #expect(ac == bc, "seed \(seed): \(values)") }
    }
  }

  /// Returns a number, mostly near others and near the bounds of exactness.
  private static func value(_ random: inout SeededGenerator) -> Value {
    let centers: [Int64] = [0, 1, 1 << 53, -(1 << 53), .max - 4, .min + 4]
    let center = centers.randomElement(using: &random) ?? 0
    let number = center + Int64.random(in: -3...3, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .integer(number)
    case 1: return .double(Double(number))
    case 2: return .decimal(Decimal(number))
    case 3: return .double(Double(number) + Double(Int.random(in: 0...9, using: &random)) / 10)
    case 4: return .decimal(Decimal(number) + Decimal(Int.random(in: 0...9, using: &random)) / 10)
    default: return .boolean(.random(using: &random))
    }
  }
}

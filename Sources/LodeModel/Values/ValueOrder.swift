public import Foundation

// The one order of values, used by predicates, sorts and index keys alike.
//
// Numbers (Boolean, integer, floating point, decimal) compare by value across types; a NaN equals
// itself and comes after every number. Beside a decimal, a double is the number that its shortest text
// says, so that 0.1 is 0.1, or its exact integer from 2^53 on; both keep the order of doubles. Strings compare as Swift strings do: by the Unicode scalars of
// their canonical composition (NFC), so that canonically equal strings are equal. In sorts null comes
// before everything.

extension Value {
  /// Compares two values as a sort does; null comes first, kinds that don't compare keep a fixed
  /// order among themselves.
  public static func sortOrder(_ left: Value, _ right: Value) -> ComparisonResult {
    if let order = compare(left, right) { return order }
    return order(left.rank, right.rank)
  }

  /// Compares two values of comparable kinds; nil when their kinds don't compare.
  ///
  /// Two nulls are equal; null against anything else is nil.
  public static func compare(_ left: Value, _ right: Value) -> ComparisonResult? {
    switch (left, right) {
    case (.null, .null): .orderedSame
    case (.string(let left), .string(let right)): order(left, right)
    case (.integer(let left), .integer(let right)): order(left, right)
    case (.double(let left), .double(let right)): order(left, right)
    case (.date(let left), .date(let right)):
      order(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate)
    case (.boolean(let left), .boolean(let right)): order(left ? 1 : 0, right ? 1 : 0)
    case (.objectID(let left), .objectID(let right)): order(left, right)
    case (.uuid(let left), .uuid(let right)): order(left.bytes, right.bytes)
    case (.uri(let left), .uri(let right)): order(left.absoluteString, right.absoluteString)
    case (.data(let left), .data(let right)): orderBytes(left, right)
    case (.list(let left), .list(let right)): left == right ? .orderedSame : nil
    case (.composite(let left), .composite(let right)): left == right ? .orderedSame : nil
    default: compareNumbers(left, right)
    }
  }

  /// Tells whether two values are equal as a predicate's `==` means it: numbers by value across types.
  public static func equal(_ left: Value, _ right: Value) -> Bool {
    compare(left, right) == .orderedSame
  }

  private static func order<T: Comparable>(_ left: T, _ right: T) -> ComparisonResult {
    left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  private static func order(_ left: Double, _ right: Double) -> ComparisonResult {
    if left < right { return .orderedAscending }
    if left > right { return .orderedDescending }
    if left == right { return .orderedSame }
    return order(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0)
  }

  private static func orderBytes(_ left: Data, _ right: Data) -> ComparisonResult {
    left.lexicographicallyPrecedes(right)
      ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  private static func compareNumbers(_ left: Value, _ right: Value) -> ComparisonResult? {
    switch (left, right) {
    case (.boolean(let left), _): return compareNumbers(.integer(left ? 1 : 0), right)
    case (_, .boolean(let right)): return compareNumbers(left, .integer(right ? 1 : 0))
    case (.integer(let left), .integer(let right)): return order(left, right)
    case (.integer(let left), .double(let right)): return order(left, right)
    case (.double(let left), .integer(let right)): return order(right, left).reversed
    case (.decimal(let left), .decimal(let right)): return order(left, right)
    case (.decimal(let left), .integer(let right)): return order(left, Decimal(right))
    case (.integer(let left), .decimal(let right)): return order(Decimal(left), right)
    case (.decimal(let left), .double(let right)): return order(left, right)
    case (.double(let left), .decimal(let right)): return order(right, left).reversed
    default: return nil
    }
  }

  /// Compares without rounding the integer: doubles beyond 2^53 are integers themselves.
  private static func order(_ left: Int64, _ right: Double) -> ComparisonResult {
    if right.isNaN || right >= 0x1p63 { return .orderedAscending }
    if right < -0x1p63 { return .orderedDescending }
    let whole = right.rounded(.down)
    let comparison = order(left, Int64(whole))
    return comparison == .orderedSame && right > whole ? .orderedAscending : comparison
  }

  private static func order(_ left: Decimal, _ right: Double) -> ComparisonResult {
    if left.isNaN || right.isNaN { return order(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) }
    if let right = Decimal(shortest: right) { return order(left, right) }
    // The double is too far from zero or too near to it to be a decimal with all its digits.
    return order(NSDecimalNumber(decimal: left).doubleValue, right)
  }

  private static func order(_ left: Decimal, _ right: Decimal) -> ComparisonResult {
    if left.isNaN || right.isNaN { return order(left.isNaN ? 1 : 0, right.isNaN ? 1 : 0) }
    return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .boolean, .integer, .double, .decimal: 1
    case .string: 2
    case .date: 3
    case .data: 4
    case .uuid: 5
    case .uri: 6
    case .objectID: 7
    case .list: 8
    case .composite: 9
    }
  }
}

extension ComparisonResult {
  /// The same comparison with its sides exchanged.
  package var reversed: ComparisonResult {
    switch self {
    case .orderedAscending: .orderedDescending
    case .orderedSame: .orderedSame
    case .orderedDescending: .orderedAscending
    }
  }
}

extension UUID {
  /// The 16 bytes as one number, whose order is that of the bytes.
  fileprivate var bytes: UInt128 {
    withUnsafeBytes(of: uuid) { UInt128(bigEndian: $0.loadUnaligned(as: UInt128.self)) }
  }
}

extension Decimal {
  /// Makes the decimal that a double stands for beside decimals; nil when decimals can't hold it.
  package init?(shortest double: Double) {
    guard double.isFinite else { return nil }
    if let integer = Int64(exactly: double) {
      self.init(integer)
    } else if (1e-100...1e100).contains(double.magnitude),
      let decimal = Decimal(string: double.description)
    {
      self = decimal
    } else {
      return nil
    }
  }
}

import Foundation

// Arithmetic on values. Booleans are 0 and 1. Two integers give an integer (a quotient is cut towards
// zero), or a floating-point number where it would have more than 64 bits; a floating-point number on
// either side gives one, otherwise a decimal gives a decimal. A date and a number, which is seconds, give
// a date, two dates their distance. Null on either side gives null, and so does what has no result:
// division by zero, the root of a negative number.

enum Arithmetic {
  /// Returns the result of an operation on two values; nil for what it has no meaning for.
  static func result(_ left: Value, _ operation: ObjectFunction, _ right: Value) -> Value? {
    if left.isNull || right.isNull { return .null }
    if let dated = dated(left, operation, right) { return dated }
    guard let left = left.asNumber, let right = right.asNumber else { return nil }
    if case .integer(let left) = left, case .integer(let right) = right {
      return integer(left, operation, right)
    }
    if let left = decimal(left), let right = decimal(right) {
      return decimal(left, operation, right)
    }
    guard let left = left.asDouble, let right = right.asDouble else { return nil }
    return double(left, operation, right)
  }

  /// Returns the number with the other sign; nil for what is no number.
  static func negated(_ value: Value) -> Value? {
    switch value.asNumber {
    case .null: return .null
    case .integer(let number):
      let (result, overflows) = Int64(0).subtractingReportingOverflow(number)
      return overflows ? .double(-Double(number)) : .integer(result)
    case .double(let number): return .double(-number)
    case .decimal(let number):
      // The digits of the least integer are read as a decimal, because without the sign they are too many.
      return number == -Decimal(Int64.min) ? .integer(.min) : .decimal(-number)
    default: return nil
    }
  }

  private static func dated(
    _ left: Value, _ operation: ObjectFunction, _ right: Value
  ) -> Value? {
    switch (left, operation, right) {
    case (.date(let left), .subtract, .date(let right)):
      return .double(
        left.timeIntervalSinceReferenceDate - right.timeIntervalSinceReferenceDate)
    case (.date(let date), .add, _):
      return right.asDouble.map { .date(date.addingTimeInterval($0)) }
    case (.date(let date), .subtract, _):
      return right.asDouble.map { .date(date.addingTimeInterval(-$0)) }
    case (_, .add, .date(let date)):
      return left.asDouble.map { .date(date.addingTimeInterval($0)) }
    default: return nil
    }
  }

  private static func integer(
    _ left: Int64, _ operation: ObjectFunction, _ right: Int64
  ) -> Value? {
    switch operation {
    case .add: return integer(left.addingReportingOverflow(right), .add, left, right)
    case .subtract: return integer(left.subtractingReportingOverflow(right), .subtract, left, right)
    case .multiply:
      return integer(left.multipliedReportingOverflow(by: right), .multiply, left, right)
    case .divide:
      guard right != 0 else { return .null }
      return integer(left.dividedReportingOverflow(by: right), .divide, left, right)
    case .modulus:
      guard right != 0 else { return .null }
      return .integer(left.remainderReportingOverflow(dividingBy: right).partialValue)
    case .power: return power(left, right)
    default: return nil
    }
  }

  /// Returns an integer result, or the floating-point one where it has too many bits.
  private static func integer(
    _ result: (partialValue: Int64, overflow: Bool), _ operation: ObjectFunction, _ left: Int64,
    _ right: Int64
  ) -> Value? {
    result.overflow
      ? double(Double(left), operation, Double(right)) : .integer(result.partialValue)
  }

  /// Multiplies as often as the exponent says, as long as 64 bits suffice.
  private static func power(_ base: Int64, _ exponent: Int64) -> Value? {
    guard exponent >= 0 else { return double(Double(base), .power, Double(exponent)) }
    var (result, factor, rest) = (Int64(1), base, exponent)
    while rest > 0 {
      if rest & 1 == 1 {
        let product = result.multipliedReportingOverflow(by: factor)
        if product.overflow { return double(Double(base), .power, Double(exponent)) }
        result = product.partialValue
      }
      rest >>= 1
      guard rest > 0 else { break }
      let square = factor.multipliedReportingOverflow(by: factor)
      if square.overflow { return double(Double(base), .power, Double(exponent)) }
      factor = square.partialValue
    }
    return .integer(result)
  }

  private static func double(
    _ left: Double, _ operation: ObjectFunction, _ right: Double
  ) -> Value? {
    switch operation {
    case .add: .double(left + right)
    case .subtract: .double(left - right)
    case .multiply: .double(left * right)
    case .divide: right == 0 ? .null : .double(left / right)
    case .modulus: right == 0 ? .null : .double(left.truncatingRemainder(dividingBy: right))
    case .power: .result(pow(left, right))
    default: nil
    }
  }

  private static func decimal(
    _ left: Decimal, _ operation: ObjectFunction, _ right: Decimal
  ) -> Value? {
    switch operation {
    case .add: .decimal(left + right)
    case .subtract: .decimal(left - right)
    case .multiply: .decimal(left * right)
    case .divide: right.isZero ? .null : .decimal(left / right)
    case .modulus:
      right.isZero ? .null : .decimal(left - right * (left / right).rounded(.towardZero))
    case .power:
      double(
        NSDecimalNumber(decimal: left).doubleValue, .power,
        NSDecimalNumber(decimal: right).doubleValue)
    default: nil
    }
  }

  /// Returns a decimal or an integer beside one as a decimal.
  private static func decimal(_ value: Value) -> Decimal? {
    switch value {
    case .decimal(let decimal): decimal
    case .integer(let integer): Decimal(integer)
    default: nil
    }
  }
}

extension Value {
  /// The number that a Boolean is, or the number or null that this is; nil for anything else.
  var asNumber: Value? {
    switch self {
    case .boolean(let boolean): .integer(boolean ? 1 : 0)
    case .integer, .double, .decimal, .null: self
    default: nil
    }
  }

  /// The number as a floating-point one; nil for what is no number.
  var asDouble: Double? {
    switch self {
    case .boolean(let boolean): boolean ? 1 : 0
    case .double(let double): double
    case .integer(let integer): Double(integer)
    case .decimal(let decimal): NSDecimalNumber(decimal: decimal).doubleValue
    default: nil
    }
  }

  /// A floating-point result; null where there is none in the numbers.
  static func result(_ number: Double) -> Value { number.isFinite ? .double(number) : .null }
}

extension Decimal {
  /// Returns the nearest whole number in a direction.
  func rounded(_ direction: FloatingPointRoundingRule) -> Decimal {
    let mode: NSDecimalNumber.RoundingMode =
      switch direction {
      case .down: .down
      case .up: .up
      default: self < 0 ? .up : .down
      }
    var (value, result) = (self, Decimal())
    NSDecimalRound(&result, &value, 0, mode)
    return result
  }
}

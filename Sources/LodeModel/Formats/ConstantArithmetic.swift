import Foundation

// Arithmetic on the constants of a format. Two integers give an integer (a quotient is cut towards zero),
// a floating-point number on either side gives one, otherwise a decimal gives a decimal. Null on either
// side, or division by zero, gives null.

enum ConstantArithmetic {
  /// Returns the result of `+`, `-`, `*` or `/`; nil for what are no numbers and beyond 64 bits.
  static func result(_ left: Value, _ operation: String, _ right: Value) -> Value? {
    if left.isNull || right.isNull { return .null }
    switch (left, right) {
    case (.integer(let left), .integer(let right)): return integer(left, operation, right)
    default: break
    }
    guard let leftDecimal = decimal(left), let rightDecimal = decimal(right) else {
      guard let left = double(left), let right = double(right) else { return nil }
      return double(left, operation, right)
    }
    return decimal(leftDecimal, operation, rightDecimal)
  }

  /// Returns the number with the other sign; nil for what is no number.
  static func negated(_ value: Value) -> Value? {
    switch value {
    case .null: return .null
    case .integer(let number): return number == .min ? nil : .integer(-number)
    case .double(let number): return .double(-number)
    case .decimal(let number):
      // The digits of the least integer are read as a decimal, because without the sign they are too many.
      return number == -Decimal(Int64.min) ? .integer(.min) : .decimal(-number)
    default: return nil
    }
  }

  private static func integer(_ left: Int64, _ operation: String, _ right: Int64) -> Value? {
    let (result, overflows) =
      switch operation {
      case "+": left.addingReportingOverflow(right)
      case "-": left.subtractingReportingOverflow(right)
      case "*": left.multipliedReportingOverflow(by: right)
      default: right == 0 ? (0, false) : left.dividedReportingOverflow(by: right)
      }
    if operation == "/" && right == 0 { return .null }
    return overflows ? nil : .integer(result)
  }

  private static func double(_ left: Double, _ operation: String, _ right: Double) -> Value? {
    switch operation {
    case "+": .double(left + right)
    case "-": .double(left - right)
    case "*": .double(left * right)
    default: right == 0 ? .null : .double(left / right)
    }
  }

  private static func decimal(_ left: Decimal, _ operation: String, _ right: Decimal) -> Value? {
    switch operation {
    case "+": .decimal(left + right)
    case "-": .decimal(left - right)
    case "*": .decimal(left * right)
    default: right.isZero ? .null : .decimal(left / right)
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

  private static func double(_ value: Value) -> Double? {
    switch value {
    case .double(let double): double
    case .integer(let integer): Double(integer)
    case .decimal(let decimal): NSDecimalNumber(decimal: decimal).doubleValue
    default: nil
    }
  }
}

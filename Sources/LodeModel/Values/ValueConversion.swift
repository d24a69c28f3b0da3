import Foundation

extension Value {
  /// Returns the value of an attribute type that a predicate's constant stands for; nil when the constant
  /// doesn't compare with values of that type at all.
  ///
  /// Conversions are exact: a number that the type can't hold stays the number it is, so that it compares
  /// by its value (`age > 3.5` on integers). Only beside floats numbers are rounded. Numbers become dates as seconds since 2001 in UTC, strings
  /// become UUIDs and URIs.
  package func converted(to type: AttributeType) -> Value? {
    if isNull { return self }
    return switch type {
    case .integer16, .integer32, .integer64: convertedToInteger
    case .double: convertedToDouble
    case .float: convertedToFloat
    case .decimal: convertedToDecimal
    case .boolean: convertedToBoolean
    case .date: convertedToDate
    case .uuid: convertedToUUID
    case .uri: convertedToURI
    case .string, .binaryData, .objectID, .transformable, .composite:
      type.accepts(self) ? self : nil
    }
  }

  private var isNumber: Bool {
    switch self {
    case .boolean, .integer, .double, .decimal: true
    default: false
    }
  }

  private var convertedToInteger: Value? {
    switch self {
    case .boolean(let boolean): .integer(boolean ? 1 : 0)
    case .double(let double): Int64(exactly: double).map { .integer($0) } ?? self
    case .decimal(let decimal): Int64(exactly: decimal).map { .integer($0) } ?? self
    default: isNumber ? self : nil
    }
  }

  private var convertedToDouble: Value? {
    switch self {
    case .boolean(let boolean): .double(boolean ? 1 : 0)
    case .integer(let integer): Double(exactly: integer).map { .double($0) } ?? self
    case .decimal(let decimal): Double(exactly: decimal).map { .double($0) } ?? self
    default: isNumber ? self : nil
    }
  }

  /// The nearest number that a float holds, so that `weight == 0.1` finds what was set to 0.1; a number
  /// beyond all floats stays itself.
  private var convertedToFloat: Value? {
    switch self {
    case .boolean(let boolean): .double(boolean ? 1 : 0)
    case .integer(let integer): .double(Double(Float(integer)))
    case .double: roundedToFloat
    case .decimal(let decimal):
      Value.double(NSDecimalNumber(decimal: decimal).doubleValue).roundedToFloat
    default: nil
    }
  }

  /// A floating-point number as the nearest that a float holds; one beyond all floats, and any other
  /// value, as it is.
  var roundedToFloat: Value {
    guard case .double(let number) = self else { return self }
    let float = Float(number)
    return float.isFinite || !number.isFinite ? .double(Double(float)) : self
  }

  private var convertedToDecimal: Value? {
    switch self {
    case .boolean(let boolean): .decimal(boolean ? 1 : 0)
    case .integer(let integer): .decimal(Decimal(integer))
    case .double(let double): Decimal(shortest: double).map { .decimal($0) } ?? self
    default: isNumber ? self : nil
    }
  }

  private var convertedToBoolean: Value? {
    guard isNumber else { return nil }
    if Value.equal(self, .integer(0)) { return .boolean(false) }
    return Value.equal(self, .integer(1)) ? .boolean(true) : self
  }

  private var convertedToDate: Value? {
    if case .date = self { return self }
    guard case .double(let seconds) = convertedToDouble else { return nil }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
  }

  private var convertedToUUID: Value? {
    switch self {
    case .uuid: self
    case .string(let text): UUID(uuidString: text).map { .uuid($0) }
    default: nil
    }
  }

  private var convertedToURI: Value? {
    switch self {
    case .uri: self
    case .string(let text): URL(string: text).map { .uri($0) }
    default: nil
    }
  }
}

extension Int64 {
  /// Makes the integer that a decimal is; nil when it isn't one of 64 bits.
  fileprivate init?(exactly decimal: Decimal) {
    guard !decimal.isNaN, decimal >= Decimal(Int64.min), decimal <= Decimal(Int64.max) else {
      return nil
    }
    let integer = NSDecimalNumber(decimal: decimal).int64Value
    guard Decimal(integer) == decimal else { return nil }
    self = integer
  }
}

extension Double {
  /// Makes the double that compares equal to a decimal; nil when there is none.
  fileprivate init?(exactly decimal: Decimal) {
    let double = NSDecimalNumber(decimal: decimal).doubleValue
    guard Value.compare(.double(double), .decimal(decimal)) == .orderedSame else { return nil }
    self = double
  }
}

// A decimal in a record: exponent i8 · sign and kind u8 · mantissa, least significant byte first, without
// leading zeros (0 to 16 bytes). The value is mantissa × 10^exponent. Kind: bit 0 negative, bit 1 NaN.

internal import Foundation

enum DecimalCoding {
  static func append(_ decimal: Decimal, to bytes: inout [UInt8]) {
    guard !decimal.isNaN else { return bytes.append(contentsOf: [0, 2]) }
    bytes.append(UInt8(bitPattern: Int8(clamping: decimal.exponent)))
    bytes.append(decimal.isSignMinus ? 1 : 0)
    var mantissa = mantissa(of: decimal)
    while mantissa > 0 {
      bytes.append(UInt8(truncatingIfNeeded: mantissa))
      mantissa >>= 8
    }
  }

  static func decode(_ bytes: UnsafeRawBufferPointer) throws(RecordError) -> Decimal {
    guard (2...18).contains(bytes.count), bytes[1] <= 2 else {
      throw .malformed(reason: "a decimal of \(bytes.count) bytes")
    }
    if bytes[1] == 2 { return .nan }
    var mantissa: UInt128 = 0
    for index in (2..<bytes.count).reversed() { mantissa = mantissa << 8 | UInt128(bytes[index]) }
    return Decimal(
      sign: bytes[1] == 1 ? .minus : .plus, exponent: Int(Int8(bitPattern: bytes[0])),
      significand: decimal(mantissa))
  }

  /// The digits of a number as an integer, without sign and exponent.
  ///
  /// By way of its text: Foundation shows a decimal's words in no other way.
  static func mantissa(of decimal: Decimal) -> UInt128 {
    UInt128(decimal.magnitude.significand.description) ?? 0
  }

  private static let wordRange = Decimal(sign: .plus, exponent: 0, significand: Decimal(1 << 32))

  private static func decimal(_ mantissa: UInt128) -> Decimal {
    let high = Decimal(UInt64(truncatingIfNeeded: mantissa >> 64))
    let low = Decimal(UInt64(truncatingIfNeeded: mantissa))
    return high.isZero ? low : high * wordRange * wordRange + low
  }
}

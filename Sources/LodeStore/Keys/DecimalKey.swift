// A decimal's ordered key. The value is ±0.d1d2d3… × 10^e with d1 ≠ 0.
//
//   negative 00 · zero 01 · positive 02 · NaN 03, and for the first and the third:
//   e + 32768 as u16 big endian · pairs of digits as bytes 1 to 100 · 00
//
// Trailing zeros are dropped and an odd last digit is paired with 0, so that equal values have equal
// keys. For negative values all bytes after the first are complemented.

internal import Foundation

enum DecimalKey {
  static func append(_ decimal: Decimal, to bytes: inout [UInt8]) {
    guard !decimal.isNaN else { return bytes.append(3) }
    let digits = digits(DecimalCoding.mantissa(of: decimal))
    guard !digits.isEmpty else { return bytes.append(1) }
    bytes.append(decimal.isSignMinus ? 0 : 2)
    let start = bytes.count
    bytes.appendBigEndian(UInt16(digits.count + decimal.exponent + 32_768))
    appendPairs(digits, to: &bytes)
    guard decimal.isSignMinus else { return }
    for index in start..<bytes.count { bytes[index] = ~bytes[index] }
  }

  /// Returns a number's decimal digits, most significant first; none for 0.
  private static func digits(_ number: UInt128) -> [UInt8] {
    var digits: [UInt8] = []
    var rest = number
    while rest > 0 {
      digits.append(UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    }
    return digits.reversed()
  }

  private static func appendPairs(_ digits: [UInt8], to bytes: inout [UInt8]) {
    let end = (digits.lastIndex { $0 != 0 } ?? -1) + 1
    for index in stride(from: 0, to: end, by: 2) {
      let second = index + 1 < end ? digits[index + 1] : 0
      bytes.append(digits[index] * 10 + second + 1)
    }
    bytes.append(0)
  }
}

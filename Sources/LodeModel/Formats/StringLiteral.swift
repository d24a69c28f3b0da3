// String literals: text in single or double quotes with the escapes of C and `\uHHHH`. Placeholders in
// them are text.

enum StringLiteral {
  /// Reads the literal that begins at a position and leaves the position behind it.
  ///
  /// - Throws: `ObjectPredicateError` at the quotation mark when no other follows, at an escape that is none.
  static func read(_ bytes: [UInt8], _ position: inout Int) throws(ObjectPredicateError) -> String {
    let start = position
    let quote = bytes[start]
    var text: [UInt8] = []
    position += 1
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        text += Array(String(try escape(bytes, &position)).utf8)
      } else {
        text.append(byte)
      }
    }
    throw ObjectPredicateError(.syntax, "the string that begins here has no end", offset: start)
  }

  private static let plainEscapes: [UInt8: Unicode.Scalar] = [
    UInt8(ascii: "n"): "\n", UInt8(ascii: "r"): "\r", UInt8(ascii: "t"): "\t",
    UInt8(ascii: "b"): "\u{8}", UInt8(ascii: "f"): "\u{C}", UInt8(ascii: "v"): "\u{B}",
    UInt8(ascii: "\\"): "\\", UInt8(ascii: "'"): "'", UInt8(ascii: "\""): "\"",
  ]

  /// Reads what follows a backslash.
  private static func escape(
    _ bytes: [UInt8], _ position: inout Int
  ) throws(ObjectPredicateError) -> Unicode.Scalar {
    let start = position - 1
    guard position < bytes.count else { throw failure(start) }
    let letter = bytes[position]
    if let scalar = plainEscapes[letter] {
      position += 1
      return scalar
    }
    switch letter {
    case UInt8(ascii: "x"):
      return try scalar(try digits(bytes, &position, from: position + 1, 2, start), start)
    case UInt8(ascii: "u"): return try unicode(bytes, &position, start)
    case UInt8(ascii: "0")...UInt8(ascii: "7"): return try octal(bytes, &position, start)
    default: throw failure(start)
    }
  }

  private static func octal(
    _ bytes: [UInt8], _ position: inout Int, _ start: Int
  ) throws(ObjectPredicateError) -> Unicode.Scalar {
    var number: UInt32 = 0
    let end = min(position + 3, bytes.count)
    while position < end, (0x30...0x37).contains(bytes[position]) {
      number = number * 8 + UInt32(bytes[position] - 0x30)
      position += 1
    }
    return try scalar(number, start)
  }

  /// Reads `uHHHH`, or two of them that are a surrogate pair.
  private static func unicode(
    _ bytes: [UInt8], _ position: inout Int, _ start: Int
  ) throws(ObjectPredicateError) -> Unicode.Scalar {
    let high = try digits(bytes, &position, from: position + 1, 4, start)
    guard (0xD800..<0xDC00).contains(high) else { return try scalar(high, start) }
    guard bytes[position...].starts(with: "\\u".utf8) else { throw failure(start) }
    let low = try digits(bytes, &position, from: position + 2, 4, start)
    guard (0xDC00..<0xE000).contains(low) else { throw failure(start) }
    return try scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00), start)
  }

  private static func digits(
    _ bytes: [UInt8], _ position: inout Int, from first: Int, _ count: Int, _ start: Int
  ) throws(ObjectPredicateError) -> UInt32 {
    guard first + count <= bytes.count,
      bytes[first..<(first + count)].allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
      let number = UInt32(
        String(decoding: bytes[first..<(first + count)], as: UTF8.self), radix: 16)
    else { throw failure(start) }
    position = first + count
    return number
  }

  private static func scalar(_ number: UInt32, _ start: Int) throws(ObjectPredicateError)
    -> Unicode.Scalar
  {
    guard let scalar = Unicode.Scalar(number) else { throw failure(start) }
    return scalar
  }

  private static func failure(_ offset: Int) -> ObjectPredicateError {
    ObjectPredicateError(
      .syntax,
      #"this is no escape; they are \n \r \t \b \f \v \\ \' \" \xHH \uHHHH \ooo, and a backslash itself "#
        + #"is written twice"#, offset: offset)
  }

  /// Writes a string as a literal that reads back as the same scalars.
  static func write(_ text: String, into output: inout String) {
    output.unicodeScalars.append("\"")
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" {
        output.unicodeScalars.append("\\")
        output.unicodeScalars.append(scalar)
      } else if let letter = plainEscapes.first(where: { $0.value == scalar })?.key, scalar != "'" {
        output += "\\" + String(Unicode.Scalar(letter))
      } else if scalar.value < 0x20 || scalar.value == 0x7F {
        let digits = String(scalar.value, radix: 16)
        output += "\\x" + (digits.count < 2 ? "0" : "") + digits
      } else {
        output.unicodeScalars.append(scalar)
      }
    }
    output.unicodeScalars.append("\"")
  }
}

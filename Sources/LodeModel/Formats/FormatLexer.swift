import Foundation

/// Cuts a format string into tokens, one at a time.
///
/// Works on bytes, so that a combining mark behind a quotation mark hides no quotation mark and offsets
/// are bytes without counting.
struct FormatLexer {
  private let bytes: [UInt8]
  private var position = 0

  init(_ format: String) { bytes = Array(format.utf8) }

  /// Returns the next token; `.end` again and again at the end.
  ///
  /// - Throws: `ObjectPredicateError` with code `syntax` at what begins no token.
  mutating func next() throws(ObjectPredicateError) -> FormatToken {
    while let byte = peek(), Self.isSpace(byte) { position += 1 }
    let start = position
    guard let byte = peek() else { return FormatToken(kind: .end, offset: start) }
    return FormatToken(kind: try kind(startingWith: byte, at: start), offset: start)
  }

  private mutating func kind(
    startingWith byte: UInt8, at start: Int
  ) throws(ObjectPredicateError) -> FormatToken.Kind {
    switch byte {
    case _ where Self.isDigit(byte) || (byte == UInt8(ascii: ".") && Self.isDigit(peek(1))):
      return try number()
    case _ where Self.beginsName(byte): return .word(try name())
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      return .string(try StringLiteral.read(bytes, &position))
    case UInt8(ascii: "#"): return try escapedName()
    case UInt8(ascii: "$"):
      position += 1
      return .variable(try name())
    case UInt8(ascii: "@"):
      position += 1
      return .collectionOperator(try name())
    case UInt8(ascii: "%"): return try placeholder()
    default: return .symbol(try symbol(at: start))
    }
  }

  private func peek(_ distance: Int = 0) -> UInt8? {
    let index = position + distance
    return index < bytes.count ? bytes[index] : nil
  }

  private func failure(_ message: String, at offset: Int) -> ObjectPredicateError {
    ObjectPredicateError(.syntax, message, offset: offset)
  }
}

// Names and symbols.
extension FormatLexer {
  private mutating func name() throws(ObjectPredicateError) -> String {
    let start = position
    while let byte = peek(), Self.continuesName(byte) { position += 1 }
    let name = String(decoding: bytes[start..<position], as: UTF8.self)
    guard !name.isEmpty else { throw failure("a name must follow", at: start) }
    guard Self.isName(name) else {
      throw failure(
        "“\(name)” is no name: names are letters, digits and underscores, no digit first", at: start
      )
    }
    return name
  }

  private mutating func escapedName() throws(ObjectPredicateError) -> FormatToken.Kind {
    position += 1
    if let byte = peek(), byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
      return .name(try StringLiteral.read(bytes, &position))
    }
    return .name(try name())
  }

  private static let symbols = [
    "==", "!=", "<>", "<=", "=<", ">=", "=>", "&&", "||", "**", "<<", ">>", ":=",
    "=", "<", ">", "!", "(", ")", "{", "}", "[", "]", ",", ".", "+", "-", "*", "/", "|", "&", "^",
    "~", ":",
  ]

  private mutating func symbol(at start: Int) throws(ObjectPredicateError) -> String {
    let symbol = Self.symbols.first { bytes[start...].starts(with: $0.utf8) }
    guard let symbol else {
      let scalar = String(decoding: bytes[start..<min(start + 4, bytes.count)], as: UTF8.self)
        .unicodeScalars.first
      throw failure("“\(scalar.map { String($0) } ?? "")” begins nothing", at: start)
    }
    position += symbol.utf8.count
    return symbol
  }

  /// Tells whether a text is read as one name.
  static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isAlphabetic)
      && text.unicodeScalars.allSatisfy(isNameScalar)
  }

  /// Whether a scalar may stand in a name: letters, digits, marks and the underscore.
  static func isNameScalar(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII {
      return scalar == "_" || scalar.properties.isAlphabetic || isDigit(UInt8(scalar.value))
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .decimalNumber, .letterNumber, .connectorPunctuation:
      return true
    default: return scalar.properties.isAlphabetic
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0D).contains(byte)
  }

  static func isDigit(_ byte: UInt8?) -> Bool {
    byte.map { (0x30...0x39).contains($0) } ?? false
  }

  private static func beginsName(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || (0x41...0x5A).contains(byte)
      || (0x61...0x7A).contains(byte)
  }

  private static func continuesName(_ byte: UInt8) -> Bool { beginsName(byte) || isDigit(byte) }
}

// Numbers.
extension FormatLexer {
  private static let radixes: [UInt8: Int] = [
    UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2,
  ]

  private mutating func number() throws(ObjectPredicateError) -> FormatToken.Kind {
    let start = position
    if peek() == UInt8(ascii: "0"), let mark = peek(1), let radix = Self.radixes[mark | 0x20] {
      position += 2
      return try integer(radix: radix, at: start)
    }
    skipDigits()
    var isInteger = true
    if peek() == UInt8(ascii: "."), Self.isDigit(peek(1)) {
      isInteger = false
      position += 1
      skipDigits()
    }
    if let mark = peek(), mark | 0x20 == UInt8(ascii: "e"), skipExponent() { isInteger = false }
    try checkEnd(ofNumberAt: start)
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isInteger { return try integer(text, at: start) }
    guard let double = Double(text), double.isFinite else {
      throw failure("the number is too large", at: start)
    }
    return .double(double)
  }

  private mutating func skipDigits() {
    while Self.isDigit(peek()) { position += 1 }
  }

  private mutating func skipExponent() -> Bool {
    let hasSign = peek(1) == UInt8(ascii: "+") || peek(1) == UInt8(ascii: "-")
    guard Self.isDigit(peek(hasSign ? 2 : 1)) else { return false }
    position += hasSign ? 2 : 1
    skipDigits()
    return true
  }

  private mutating func integer(
    radix: Int, at start: Int
  ) throws(ObjectPredicateError) -> FormatToken.Kind {
    let digits = position
    while let byte = peek(), Self.continuesName(byte) { position += 1 }
    let text = String(decoding: bytes[digits..<position], as: UTF8.self)
    guard let number = UInt64(text, radix: radix) else {
      throw failure("the number has no digits, wrong digits or more than 64 bits", at: start)
    }
    return Int64(exactly: number).map { .integer($0) } ?? .decimal(Decimal(number))
  }

  /// Makes an integer; one of more than 64 bits becomes a decimal.
  private func integer(_ text: String, at start: Int) throws(ObjectPredicateError)
    -> FormatToken.Kind
  {
    if let number = Int64(text) { return .integer(number) }
    guard text.utf8.count <= 38, let decimal = Decimal(string: text) else {
      throw failure("an integer has at most 38 digits", at: start)
    }
    return .decimal(decimal)
  }

  private func checkEnd(ofNumberAt start: Int) throws(ObjectPredicateError) {
    if let byte = peek(), Self.beginsName(byte) {
      throw failure("a letter follows the number at once", at: position)
    }
  }
}

// Placeholders.
extension FormatLexer {
  private mutating func placeholder() throws(ObjectPredicateError) -> FormatToken.Kind {
    let start = position
    position += 1
    while let byte = peek(), "hlqztjL".utf8.contains(byte) { position += 1 }
    guard let letter = peek() else { throw failure("“%” needs a letter behind it", at: start) }
    position += 1
    switch letter {
    case UInt8(ascii: "@"): return .placeholder(.value)
    case UInt8(ascii: "K"): return .placeholder(.keyPath)
    case UInt8(ascii: "s"): return .placeholder(.text)
    case UInt8(ascii: "%"): return .symbol("%")
    case _ where "diuxXocDUO".utf8.contains(letter): return .placeholder(.integer)
    case _ where "fFeEgGaA".utf8.contains(letter): return .placeholder(.number)
    default:
      throw failure(
        "this placeholder isn't known; values go in with %@, key paths with %K", at: start)
    }
  }
}

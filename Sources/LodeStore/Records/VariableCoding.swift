// The bytes of values without a fixed length: text and URIs are UTF-8, data are themselves, decimals and
// composites are described beside their coding.

internal import Foundation
internal import LodeModel

enum VariableCoding {
  /// The most bytes that one value may have.
  static let byteCountMax = 1 << 30

  static func value(
    _ kind: RecordLayout.Kind, _ bytes: UnsafeRawBufferPointer, _ layout: RecordLayout, _ slot: Int
  ) throws(RecordError) -> Value {
    switch kind {
    case .string: return .string(try string(bytes))
    case .data: return .data(Data(bytes))
    case .uri: return .uri(try url(bytes))
    case .decimal: return .decimal(try DecimalCoding.decode(bytes))
    default: return try CompositeCoding.decode(bytes, layout.properties[slot], layout.references)
    }
  }

  static func string(_ bytes: UnsafeRawBufferPointer) throws(RecordError) -> String {
    let text = bytes.withMemoryRebound(to: UInt8.self) { bytes -> String? in
      // Four times faster than `String(validating:as:)`, which is generic.
      guard let span = try? UTF8Span(validating: bytes.span) else { return nil }
      return String(copying: span)
    }
    guard let text else { throw .malformed(reason: "text that is no UTF-8") }
    return text
  }

  static func url(_ bytes: UnsafeRawBufferPointer) throws(RecordError) -> URL {
    guard let url = URL(string: try string(bytes)) else {
      throw .malformed(reason: "text that is no URI")
    }
    return url
  }

  /// Appends the bytes of a slot's value.
  ///
  /// - Returns: false when the value isn't of the kind.
  static func append(
    _ value: Value, _ kind: RecordLayout.Kind, _ layout: RecordLayout, _ slot: Int,
    to bytes: inout [UInt8]
  ) throws(RecordError) -> Bool {
    if case .composite(let elements) = value, kind == .composite {
      try CompositeCoding.append(
        elements, of: layout.properties[slot], layout.references, to: &bytes)
      return true
    }
    return append(value, kind, to: &bytes)
  }

  /// Appends the bytes of a value that isn't a composite.
  static func append(
    _ value: Value, _ kind: RecordLayout.Kind, to bytes: inout [UInt8]
  ) -> Bool {
    switch (kind, value) {
    case (.string, .string(let text)): bytes.append(utf8: text)
    case (.uri, .uri(let url)): bytes.append(utf8: url.absoluteString)
    case (.data, .data(let data)): bytes.append(contentsOf: data)
    case (.decimal, .decimal(let decimal)): DecimalCoding.append(decimal, to: &bytes)
    default: return false
    }
    return true
  }
}

extension [UInt8] {
  mutating func append(utf8 text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }
}

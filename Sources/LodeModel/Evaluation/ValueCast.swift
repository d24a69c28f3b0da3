import Foundation

// What CAST makes of values.

extension ObjectCast {
  /// Returns the value as this type; nil when it can't be one. Null stays null.
  func result(_ value: Value) -> Value? {
    if value.isNull { return value }
    switch self {
    case .double: return Self.double(value).map { .double($0) }
    case .integer: return Self.integer(value).map { .integer($0) }
    case .decimal: return Self.decimal(value).map { .decimal($0) }
    case .text: return Self.text(value).map { .string($0) }
    case .date:
      if case .date = value { return value }
      if case .string = value { return nil }
      return Self.double(value).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .data:
      if case .data = value { return value }
      return value.text.flatMap { Data(base64Encoded: $0) }.map { .data($0) }
    case .uuid: return value.converted(to: .uuid)
    case .uri: return value.converted(to: .uri)
    case .objectID:
      return value.text.flatMap { ManagedObjectID(knownText: $0) }.map { .objectID($0) }
    case .composite: return Self.composite(value)
    }
  }

  private static func double(_ value: Value) -> Double? {
    switch value {
    case .date(let date): date.timeIntervalSinceReferenceDate
    case .string(let text): Double(text)
    default: value.asDouble
    }
  }

  private static func integer(_ value: Value) -> Int64? {
    switch value {
    case .integer(let integer): integer
    case .boolean(let boolean): boolean ? 1 : 0
    case .string(let text): Int64(text)
    default: double(value).flatMap { Int64(exactly: $0.rounded(.towardZero)) }
    }
  }

  private static func decimal(_ value: Value) -> Decimal? {
    switch value {
    case .string("NaN"): .nan
    case .string(let text): Decimal(string: text)
    case .integer(let integer): Decimal(integer)
    case .decimal(let decimal): decimal
    case .double(let double): Decimal(shortest: double)
    default: nil
    }
  }

  private static func text(_ value: Value) -> String? {
    switch value {
    case .string(let text): text
    case .boolean(let boolean): boolean ? "1" : "0"
    case .integer(let integer): String(integer)
    case .double(let double): String(double)
    case .decimal(let decimal): "\(decimal)"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let uri): uri.absoluteString
    default: nil
    }
  }

  /// Makes a composite of a list of names and values in turn.
  private static func composite(_ value: Value) -> Value? {
    guard case .list(let parts) = value, parts.count.isMultiple(of: 2) else { return nil }
    var elements: [String: Value] = [:]
    for index in stride(from: 0, to: parts.count, by: 2) {
      guard case .string(let name) = parts[index], elements[name] == nil else { return nil }
      elements[name] = parts[index + 1]
    }
    return .composite(elements)
  }
}

extension Value {
  fileprivate var text: String? {
    if case .string(let text) = self { text } else { nil }
  }
}

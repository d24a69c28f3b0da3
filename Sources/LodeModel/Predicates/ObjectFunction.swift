/// A function of predicates; the raw value is its spelling in a format.
///
/// Functions that a format writes as operators (`+`, `UNION`, `[0]`, `.@sum`) are among them.
public enum ObjectFunction: String, Hashable, Sendable, CaseIterable {
  // Arithmetic.
  case add = "add:to:"
  case subtract = "from:subtract:"
  case multiply = "multiply:by:"
  case divide = "divide:by:"
  case modulus = "modulus:by:"
  case power = "raise:toPower:"
  case negate = "negate:"
  case squareRoot = "sqrt:"
  case logarithm = "log:"
  case naturalLogarithm = "ln:"
  case exponential = "exp:"
  case absolute = "abs:"
  case floor = "floor:"
  case ceiling = "ceiling:"
  case truncate = "trunc:"
  // Bits.
  case bitwiseAnd = "bitwiseAnd:with:"
  case bitwiseOr = "bitwiseOr:with:"
  case bitwiseXor = "bitwiseXor:with:"
  case leftShift = "leftshift:by:"
  case rightShift = "rightshift:by:"
  case complement = "onesComplement:"
  // Texts.
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  case canonical = "canonical:"
  case length = "length:"
  // Time and chance.
  case now = "now"
  case random = "random"
  case randomBelow = "randomn:"
  // Aggregates over a collection or a list.
  case count = "count:"
  case sum = "sum:"
  case average = "average:"
  case minimum = "min:"
  case maximum = "max:"
  case median = "median:"
  case mode = "mode:"
  case standardDeviation = "stddev:"
  case distinct = "distinct:"
  // Collections.
  case union = "union:with:"
  case intersection = "intersect:with:"
  case difference = "minus:with:"
  case element = "objectFrom:withIndex:"
  case first = "first:"
  case last = "last:"
  /// An object, if it is of the named entity or of one that inherits from it; nil otherwise.
  case ofEntity = "object:ofEntity:"
  /// Its argument, which no index serves.
  case noIndex = "noindex:"

  /// How many arguments the function takes.
  public var argumentCount: Int { rawValue.utf8.count { $0 == UInt8(ascii: ":") } }

  /// Whether equal arguments give equal results.
  package var isDeterministic: Bool {
    switch self {
    case .now, .random, .randomBelow, .noIndex, .ofEntity: false
    default: true
    }
  }

  /// Whether the function makes one value of a collection's members, or another collection.
  package var isAggregate: Bool {
    switch self {
    case .count, .sum, .average, .minimum, .maximum, .median, .mode, .standardDeviation, .distinct,
      .first, .last:
      true
    default: false
    }
  }
}

/// A type that CAST turns values into; the raw value is its name in a format.
public enum ObjectCast: String, Hashable, Sendable, CaseIterable {
  case double = "Double"
  case integer = "Int"
  case decimal = "NSDecimalNumber"
  case text = "NSString"
  case date = "NSDate"
  case data = "NSData"
  case uuid = "NSUUID"
  case uri = "NSURL"
  case objectID = "ManagedObjectID"
  case composite = "Composite"

  private static let otherNames: [String: ObjectCast] = [
    "NSNumber": .double, "Decimal": .decimal, "String": .text, "Date": .date, "Data": .data,
    "UUID": .uuid, "URL": .uri,
  ]

  /// Finds a type by the name that Foundation or Swift has for it; nil when there is none.
  public init?(typeName: String) {
    guard let cast = Self(rawValue: typeName) ?? Self.otherNames[typeName] else { return nil }
    self = cast
  }
}

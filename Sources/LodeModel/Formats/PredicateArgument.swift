public import Foundation

/// Something that can be given for a placeholder of a predicate format.
///
/// Types of attributes, object IDs, lists, sets and closed ranges of them (`BETWEEN %@`) conform, and so
/// may enumerations with such raw values.
public protocol PredicateArgument {
  /// The value that stands in the predicate.
  var predicateValue: Value { get }
}

extension PredicateArgument where Self: AttributeValue {
  public var predicateValue: Value { value }
}

extension PredicateArgument where Self: BinaryInteger {
  public var predicateValue: Value {
    Int64(exactly: self).map { .integer($0) } ?? Decimal(string: "\(self)").map { .decimal($0) }
      ?? .null
  }
}

extension PredicateArgument where Self: RawRepresentable, RawValue: PredicateArgument {
  public var predicateValue: Value { rawValue.predicateValue }
}

extension Bool: PredicateArgument {}
extension Int: PredicateArgument {
  public var predicateValue: Value { value }
}
extension Int64: PredicateArgument {
  public var predicateValue: Value { value }
}
extension Int32: PredicateArgument {
  public var predicateValue: Value { value }
}
extension Int16: PredicateArgument {
  public var predicateValue: Value { value }
}
extension Int8: PredicateArgument {}
extension UInt: PredicateArgument {}
extension UInt64: PredicateArgument {}
extension UInt32: PredicateArgument {}
extension UInt16: PredicateArgument {}
extension UInt8: PredicateArgument {}
extension Double: PredicateArgument {}
extension Float: PredicateArgument {}
extension Decimal: PredicateArgument {}
extension String: PredicateArgument {}
extension Date: PredicateArgument {}
extension Data: PredicateArgument {}
extension UUID: PredicateArgument {}
extension URL: PredicateArgument {}
extension ManagedObjectID: PredicateArgument {}

extension Substring: PredicateArgument {
  public var predicateValue: Value { .string(String(self)) }
}

extension Value: PredicateArgument {
  public var predicateValue: Value { self }
}

extension ObjectKeyPath: PredicateArgument {
  /// The path's text, for `%K`.
  public var predicateValue: Value { .string(string) }
}

extension Entity: PredicateArgument {
  /// The entity's name, which `entity` is compared with.
  public var predicateValue: Value { .string(name) }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  public var predicateValue: Value { self?.predicateValue ?? .null }
}

extension Array: PredicateArgument where Element: PredicateArgument {
  public var predicateValue: Value { .list(map(\.predicateValue)) }
}

extension Set: PredicateArgument where Element: PredicateArgument {
  public var predicateValue: Value { .list(map(\.predicateValue)) }
}

extension ClosedRange: PredicateArgument where Bound: PredicateArgument {
  /// The two bounds, as BETWEEN wants them.
  public var predicateValue: Value {
    .list([lowerBound.predicateValue, upperBound.predicateValue])
  }
}

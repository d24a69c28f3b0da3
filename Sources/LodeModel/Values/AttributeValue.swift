public import Foundation

/// A Swift type that an attribute can hold.
///
/// Conforming types convert to and from `Value` without loss; `init?(value:)` answers nil for a value
/// of another kind or out of range.
public protocol AttributeValue {
  static var attributeType: AttributeType { get }
  init?(value: Value)
  var value: Value { get }
}

extension Bool: AttributeValue {
  public static var attributeType: AttributeType { .boolean }
  public init?(value: Value) {
    guard case .boolean(let boolean) = value else { return nil }
    self = boolean
  }
  public var value: Value { .boolean(self) }
}

extension AttributeValue where Self: FixedWidthInteger {
  public init?(value: Value) {
    guard case .integer(let integer) = value else { return nil }
    self.init(exactly: integer)
  }
  public var value: Value { .integer(Int64(self)) }
}

extension Int: AttributeValue {
  public static var attributeType: AttributeType { .integer64 }
}

extension Int64: AttributeValue {
  public static var attributeType: AttributeType { .integer64 }
}

extension Int32: AttributeValue {
  public static var attributeType: AttributeType { .integer32 }
}

extension Int16: AttributeValue {
  public static var attributeType: AttributeType { .integer16 }
}

extension Double: AttributeValue {
  public static var attributeType: AttributeType { .double }
  public init?(value: Value) {
    guard case .double(let double) = value else { return nil }
    self = double
  }
  public var value: Value { .double(self) }
}

extension Float: AttributeValue {
  public static var attributeType: AttributeType { .float }
  public init?(value: Value) {
    guard case .double(let double) = value else { return nil }
    self = Float(double)
  }
  public var value: Value { .double(Double(self)) }
}

extension Decimal: AttributeValue {
  public static var attributeType: AttributeType { .decimal }
  public init?(value: Value) {
    guard case .decimal(let decimal) = value else { return nil }
    self = decimal
  }
  public var value: Value { .decimal(self) }
}

extension String: AttributeValue {
  public static var attributeType: AttributeType { .string }
  public init?(value: Value) {
    guard case .string(let string) = value else { return nil }
    self = string
  }
  public var value: Value { .string(self) }
}

extension Date: AttributeValue {
  public static var attributeType: AttributeType { .date }
  public init?(value: Value) {
    guard case .date(let date) = value else { return nil }
    self = date
  }
  public var value: Value { .date(self) }
}

extension Data: AttributeValue {
  public static var attributeType: AttributeType { .binaryData }
  public init?(value: Value) {
    guard case .data(let data) = value else { return nil }
    self = data
  }
  public var value: Value { .data(self) }
}

extension UUID: AttributeValue {
  public static var attributeType: AttributeType { .uuid }
  public init?(value: Value) {
    guard case .uuid(let uuid) = value else { return nil }
    self = uuid
  }
  public var value: Value { .uuid(self) }
}

extension URL: AttributeValue {
  public static var attributeType: AttributeType { .uri }
  public init?(value: Value) {
    guard case .uri(let uri) = value else { return nil }
    self = uri
  }
  public var value: Value { .uri(self) }
}

extension ManagedObjectID: AttributeValue {
  public static var attributeType: AttributeType { .objectID }
  public init?(value: Value) {
    guard case .objectID(let objectID) = value else { return nil }
    self = objectID
  }
  public var value: Value { .objectID(self) }
}

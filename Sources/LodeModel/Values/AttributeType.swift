/// The type of an attribute.
public enum AttributeType: String, Hashable, Sendable, CaseIterable {
  case integer16, integer32, integer64
  case decimal, double, float
  case boolean
  case string
  case date
  case binaryData
  case uuid
  case uri
  case objectID
  /// A value kept as data by a codec that the attribute's owner knows (`Codable` types by macro).
  case transformable
  /// Named elements, each an attribute of its own.
  case composite

  /// Tells whether values of this type have an order, so that they can be sorted and indexed.
  public var isOrdered: Bool {
    switch self {
    case .transformable, .composite, .binaryData: false
    default: true
    }
  }

  /// Tells whether a value may be stored in an attribute of this type; null fits every type.
  ///
  /// Integers must be in the type's range: nothing is truncated. A `.double` for a `float` attribute
  /// must survive the way to `Float` and back, or be beyond what `Float` tells apart.
  public func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null): true
    case (.integer16, .integer(let number)): Int16(exactly: number) != nil
    case (.integer32, .integer(let number)): Int32(exactly: number) != nil
    case (.integer64, .integer), (.decimal, .decimal), (.double, .double), (.boolean, .boolean),
      (.string, .string), (.date, .date), (.binaryData, .data), (.uuid, .uuid), (.uri, .uri),
      (.objectID, .objectID), (.transformable, .data), (.composite, .composite):
      true
    case (.float, .double(let number)): !number.isFinite || Float(number).isFinite
    default: false
    }
  }
}

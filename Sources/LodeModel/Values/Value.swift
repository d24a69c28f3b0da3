public import Foundation

/// A value that a property can hold, as stores and predicates see it.
///
/// Integers of all widths are `.integer` and floats of both widths `.double`; the attribute's type
/// bounds them. Equality is exact (`.integer(1) != .double(1)`); comparing as predicates and sorts do
/// is `compare(_:_:)` in ValueOrder.
public enum Value: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  indirect case decimal(Decimal)
  case string(String)
  case date(Date)
  case data(Data)
  indirect case uuid(UUID)
  case uri(URL)
  indirect case objectID(ManagedObjectID)
  /// A to-many relationship's members, or a list that a predicate was given.
  case list([Value])
  /// The elements of a composite attribute by name; absent elements are null.
  case composite([String: Value])

  /// Whether this is a number that is none.
  package var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }

  /// Whether this is null.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// What kind of value this is, in words for messages; never the value itself.
  public var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "Boolean"
    case .integer: "integer"
    case .double: "floating-point number"
    case .decimal: "decimal"
    case .string: "string"
    case .date: "date"
    case .data: "data"
    case .uuid: "UUID"
    case .uri: "URI"
    case .objectID: "object ID"
    case .list: "list"
    case .composite: "composite"
    }
  }

  /// The kind with its article: “an integer”, “a string”; “nil” without one.
  public var kindWithArticle: String { isNull ? "nil" : kind.withIndefiniteArticle }
}

extension String {
  /// A noun with “a” or “an” before it.
  ///
  /// The names that begin with a U here (UUID, URI) are spoken with a consonant.
  package var withIndefiniteArticle: String {
    first.map { "aeio".contains($0.lowercased()) } ?? false ? "an \(self)" : "a \(self)"
  }
}

import Foundation
package import LodeModel

/// The text that names a section: the value of its rows' section key.
///
/// `docs/fetched-results.md` has the rule for each type. Values that a sort holds equal have one name, so
/// that an order by the section key always groups rows.
package enum SectionName {
  /// Tells whether values of a type can name sections.
  static func canName(_ type: AttributeType?) -> Bool {
    switch type {
    case .binaryData, .transformable, .composite, nil: false
    default: true
    }
  }

  /// Returns the name for a value; empty for null.
  package static func text(of value: Value) -> String {
    switch value {
    case .string(let string): string
    case .boolean(let boolean): boolean ? "1" : "0"
    case .integer(let integer): String(integer)
    case .double(let double): text(of: double)
    case .decimal(let decimal): decimal.description
    case .date(let date): date.formatted(.iso8601)
    case .uuid(let uuid): uuid.uuidString
    case .uri(let url): url.absoluteString
    case .objectID(let objectID): objectID.description
    case .null, .data, .list, .composite: ""
    }
  }

  /// Writes a whole number without a fraction; both zeros are one.
  private static func text(of double: Double) -> String {
    if let integer = Int64(exactly: double) { return String(integer) }
    return double.isNaN ? "nan" : double.description
  }

  /// The default index title of a section: the first letter of its name as a capital.
  static func indexTitle(of name: String) -> String {
    name.first.map { String($0).uppercased() } ?? ""
  }
}

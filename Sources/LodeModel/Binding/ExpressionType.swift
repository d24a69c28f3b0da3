/// What an expression yields, as far as binding knows it.
struct ExpressionType: Hashable, Sendable {
  /// What one value of the expression is.
  enum Element: Hashable, Sendable {
    case attribute(AttributeType)
    /// An object, of an entity where that is known.
    case object(Entity?)
    case number
    /// A constant, whose value says what it is.
    case constant(Value)
    case list
    /// Something that is known only when it is there.
    case anything
  }

  var element: Element
  /// Whether the expression yields a collection of such values.
  var isMany = false

  /// One text.
  static let text = ExpressionType(element: .attribute(.string))
  /// One number.
  static let number = ExpressionType(element: .number)
}

/// The groups of types whose values compare with each other.
enum TypeGroup: String {
  case null, number, string, date, data, UUID, URI, object, composite, list

  /// The group as messages name it.
  var withArticle: String {
    switch self {
    case .null: "nil"
    case .data: "data"
    default: rawValue.withIndefiniteArticle
    }
  }
}

extension ExpressionType.Element {
  /// The group of the values; that of null, which compares with all, where nothing is known.
  var group: TypeGroup {
    switch self {
    case .object: .object
    case .number: .number
    case .list: .list
    case .attribute(let type): Self.group(type)
    case .constant(let value): Self.group(value)
    case .anything: .null
    }
  }

  private static func group(_ type: AttributeType) -> TypeGroup {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: .number
    case .string: .string
    case .date: .date
    case .binaryData, .transformable: .data
    case .uuid: .UUID
    case .uri: .URI
    case .objectID: .object
    case .composite: .composite
    }
  }

  private static func group(_ value: Value) -> TypeGroup {
    switch value {
    case .null: .null
    case .boolean, .integer, .double, .decimal: .number
    case .string: .string
    case .date: .date
    case .data: .data
    case .uuid: .UUID
    case .uri: .URI
    case .objectID: .object
    case .list: .list
    case .composite: .composite
    }
  }
}

extension BoundExpression {
  /// What the expression yields.
  var type: ExpressionType {
    switch self {
    case .constant(.list): ExpressionType(element: .list)
    case .constant(let value): ExpressionType(element: .constant(value))
    case .selfObject: ExpressionType(element: .object(nil))
    case .path(let path): ExpressionType(element: path.element, isMany: path.isToMany)
    case .count: .number
    case .list: ExpressionType(element: .list)
    case .member(let variable): ExpressionType(element: variable.type)
    case .behind(let base, let path):
      ExpressionType(element: path.element, isMany: path.isToMany || base.type.isMany)
    case .function(let function, let arguments): function.type(of: arguments)
    case .cast(_, let type): ExpressionType(element: type.element)
    case .conditional(_, let first, let second): Self.joined(first.type, second.type)
    case .subquery(let collection, _):
      ExpressionType(element: collection.memberType, isMany: true)
    case .entityName: .text
    case .narrowed(_, let entity): ExpressionType(element: .object(entity))
    }
  }

  /// What the members of the collection or list that this is are.
  var memberType: ExpressionType.Element {
    switch self {
    case .constant(.list(let values)):
      values.first { !$0.isNull }.map { .constant($0).withoutValue } ?? .anything
    case .list(let elements):
      elements.map(\.type.element).first { $0.group != .null }?.withoutValue ?? .anything
    default: type.isMany ? type.element : .anything
    }
  }

  private static func joined(_ first: ExpressionType, _ second: ExpressionType) -> ExpressionType {
    let element =
      first.element == second.element
      ? first.element
      : first.element.group == .null ? second.element.withoutValue : first.element.withoutValue
    return ExpressionType(element: element, isMany: first.isMany && second.isMany)
  }
}

extension ExpressionType.Element {
  /// The type without the one constant's value, and without a number's width.
  var withoutValue: Self {
    switch group {
    case .number: .number
    case .string: .attribute(.string)
    case .date: .attribute(.date)
    case .data: .attribute(.binaryData)
    case .UUID: .attribute(.uuid)
    case .URI: .attribute(.uri)
    case .object: if case .object = self { self } else { .object(nil) }
    case .composite: .attribute(.composite)
    case .null: .anything
    case .list: .list
    }
  }
}

extension BoundPath {
  fileprivate var element: ExpressionType.Element {
    attributeType.map { .attribute($0) } ?? .object(destination)
  }
}

extension ObjectCast {
  fileprivate var element: ExpressionType.Element {
    switch self {
    case .double, .integer, .decimal: .number
    case .text: .attribute(.string)
    case .date: .attribute(.date)
    case .data: .attribute(.binaryData)
    case .uuid: .attribute(.uuid)
    case .uri: .attribute(.uri)
    case .objectID: .object(nil)
    case .composite: .attribute(.composite)
    }
  }
}

extension ObjectFunction {
  /// What the function yields for arguments that go with it.
  fileprivate func type(of arguments: [BoundExpression]) -> ExpressionType {
    switch self {
    case .uppercase, .lowercase, .canonical: .text
    case .now: ExpressionType(element: .attribute(.date))
    case .add, .subtract:
      arguments.count { $0.type.element.group == .date } == 1
        ? ExpressionType(element: .attribute(.date)) : .number
    case .minimum, .maximum, .element, .first, .last:
      ExpressionType(element: arguments.first?.memberType ?? .anything)
    case .mode, .distinct, .union, .intersection, .difference:
      ExpressionType(element: arguments.first?.memberType ?? .anything, isMany: true)
    case .noIndex: arguments.first?.type ?? ExpressionType(element: .anything)
    default: .number
    }
  }
}

import SwiftSyntax

/// A property of a model class, as read from its declaration.
struct ModelProperty {
  enum Kind {
    case attribute(AttributeArguments)
    case relationship(Cardinality, RelationshipArguments)
  }

  enum Cardinality {
    case toOne, toMany, ordered
  }

  /// The name as written, which may stand in backticks.
  let token: String
  /// The name that the entity knows the property by.
  let name: String
  let kind: Kind
  /// The type without the optional, for a to-many that of its members.
  let type: String
  let isOptional: Bool
  let initialValue: InitialValue?

  /// The value after the equals sign, other than nil.
  struct InitialValue {
    let expression: ExprSyntax

    var text: String { expression.trimmedDescription }

    /// Whether the value is the same for every object, so that it belongs in the entity's description.
    var isLiteral: Bool { Self.isLiteral(expression) }

    static func isLiteral(_ expression: ExprSyntax) -> Bool {
      switch expression.as(ExprSyntaxEnum.self) {
      case .integerLiteralExpr, .floatLiteralExpr, .booleanLiteralExpr: true
      case .stringLiteralExpr(let string):
        string.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
      case .prefixOperatorExpr(let negation):
        negation.operator.text == "-" && isNumber(negation.expression)
      case .arrayExpr(let array): array.elements.allSatisfy { isLiteral($0.expression) }
      case .dictionaryExpr(let dictionary):
        dictionary.content.as(DictionaryElementListSyntax.self)?.allSatisfy {
          isLiteral($0.key) && isLiteral($0.value)
        } ?? true
      default: false
      }
    }

    /// The type that Swift gives a lone literal; nil for other expressions.
    var literalTypeName: String? {
      switch expression.as(ExprSyntaxEnum.self) {
      case .integerLiteralExpr: "Int"
      case .floatLiteralExpr: "Double"
      case .booleanLiteralExpr: "Bool"
      case .stringLiteralExpr: "String"
      case .prefixOperatorExpr(let negation) where isLiteral:
        InitialValue(expression: negation.expression).literalTypeName
      default: nil
      }
    }

    private static func isNumber(_ expression: ExprSyntax) -> Bool {
      expression.is(IntegerLiteralExprSyntax.self) || expression.is(FloatLiteralExprSyntax.self)
    }
  }
}

extension VariableDeclSyntax {
  /// Whether the declaration is one that `@Model` makes part of the entity: a stored property of objects
  /// that isn't kept out with `@Unmodeled`.
  var isModeled: Bool {
    !isStatic && !attributes.contains(macro: "Unmodeled") && bindings.contains(where: \.isStored)
  }

  var isStatic: Bool {
    modifiers.contains { ["static", "class"].contains($0.name.text) }
  }
}

extension PatternBindingSyntax {
  /// Whether the property has storage of its own: it isn't computed, though it may be observed.
  var isStored: Bool {
    guard let accessorBlock else { return true }
    return hasObservers || accessorBlock.accessors.as(AccessorDeclListSyntax.self)?.isEmpty ?? false
  }

  var hasObservers: Bool {
    guard case .accessors(let accessors) = accessorBlock?.accessors else { return false }
    return accessors.contains { ["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }
}

extension AttributeListSyntax {
  /// Returns the uses of a macro of this package, written with or without the module's name.
  func uses(ofMacro name: String) -> [AttributeSyntax] {
    compactMap { $0.as(AttributeSyntax.self) }.filter { attribute in
      TypeShape.name(of: attribute.attributeName) == name
    }
  }

  func contains(macro name: String) -> Bool { !uses(ofMacro: name).isEmpty }
}

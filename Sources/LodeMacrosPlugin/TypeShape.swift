import SwiftSyntax

/// What can be told of a property's type from its text alone.
///
/// Names are not resolved here: whether `Team` is a class or a `Codable` structure is left to the
/// compiler, which sees the overloads that expansions call.
struct TypeShape {
  indirect enum Form {
    case named(TypeSyntax)
    case array(TypeSyntax)
    case set(TypeSyntax)
    case dictionary
    /// A type that no attribute can hold, with the reason in words: `is a function`.
    case unstorable(String)
  }

  /// The type without its outer optional and parentheses.
  let type: TypeSyntax
  let form: Form
  let isOptional: Bool
  /// Whether the type was written with an exclamation mark.
  let isImplicitlyUnwrapped: Bool

  init(_ written: TypeSyntax) {
    let outer = Self.unparenthesized(written)
    let wrapped = Self.wrapped(outer)
    type = wrapped.map(Self.unparenthesized) ?? outer
    isOptional = wrapped != nil
    isImplicitlyUnwrapped = outer.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
    form = Self.form(of: type)
  }

  /// The type's text, without the comments and spaces around it.
  var text: String { type.trimmedDescription }

  /// The last name of a named type: `Player` of `League.Player`.
  var name: String? {
    guard case .named = form else { return nil }
    return Self.name(of: type)
  }

  static func unparenthesized(_ type: TypeSyntax) -> TypeSyntax {
    guard let tuple = type.as(TupleTypeSyntax.self), tuple.elements.count == 1,
      let only = tuple.elements.first, only.firstName == nil
    else { return type }
    return unparenthesized(only.type)
  }

  static func name(of type: TypeSyntax) -> String? {
    if let identifier = type.as(IdentifierTypeSyntax.self) { return identifier.name.text }
    return type.as(MemberTypeSyntax.self)?.name.text
  }

  private static func wrapped(_ type: TypeSyntax) -> TypeSyntax? {
    if let optional = type.as(OptionalTypeSyntax.self) { return optional.wrappedType }
    if let forced = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      return forced.wrappedType
    }
    return argument(of: type, named: "Optional")
  }

  /// Returns the argument of a standard generic type with one parameter, written with or without `Swift.`.
  private static func argument(of type: TypeSyntax, named name: String) -> TypeSyntax? {
    guard let arguments = arguments(of: type, named: name), arguments.count == 1 else { return nil }
    return arguments[0]
  }

  private static func arguments(of type: TypeSyntax, named name: String) -> [TypeSyntax]? {
    let clause: GenericArgumentClauseSyntax?
    if let identifier = type.as(IdentifierTypeSyntax.self), identifier.name.text == name {
      clause = identifier.genericArgumentClause
    } else if let member = type.as(MemberTypeSyntax.self), member.name.text == name,
      member.baseType.trimmedDescription == "Swift"
    {
      clause = member.genericArgumentClause
    } else {
      return nil
    }
    return clause?.arguments.compactMap { $0.argument.as(TypeSyntax.self) }
  }

  private static func form(of type: TypeSyntax) -> Form {
    if wrapped(type) != nil { return .unstorable("is an optional of an optional") }
    if let element = type.as(ArrayTypeSyntax.self)?.element ?? argument(of: type, named: "Array") {
      return reason(inside: element).map(Form.unstorable) ?? .array(element)
    }
    if let element = argument(of: type, named: "Set") {
      return reason(inside: element).map(Form.unstorable) ?? .set(element)
    }
    if let parts = dictionaryParts(type) {
      return parts.lazy.compactMap(reason(inside:)).first.map(Form.unstorable) ?? .dictionary
    }
    if let reason = reason(for: type) { return .unstorable(reason) }
    return .named(type)
  }

  private static func dictionaryParts(_ type: TypeSyntax) -> [TypeSyntax]? {
    if let dictionary = type.as(DictionaryTypeSyntax.self) {
      return [dictionary.key, dictionary.value]
    }
    return arguments(of: type, named: "Dictionary")
  }

  /// Returns why no value of a type can be part of a stored collection; nil when nothing speaks against it.
  private static func reason(inside type: TypeSyntax) -> String? {
    let type = unparenthesized(type)
    let element = wrapped(type).map(unparenthesized) ?? type
    guard case .unstorable(let reason) = form(of: element) else { return nil }
    return reason.hasPrefix("is ") ? "holds " + reason.dropFirst("is ".count) : reason
  }

  private static let namedReasons = [
    "Any": dynamic, "AnyHashable": dynamic, "AnyObject": "is any object at all",
    "Never": "has no values", "Void": "is a tuple",
  ]
  private static let dynamic = "is a value whose type is known only at run time"

  private static func reason(for type: TypeSyntax) -> String? {
    switch type.kind {
    case .functionType: return "is a function"
    case .tupleType: return "is a tuple"
    case .metatypeType: return "is a type, not a value"
    case .someOrAnyType, .compositionType: return dynamic
    case .suppressedType: return "is a value that can't be copied"
    case .attributedType:
      return type.as(AttributedTypeSyntax.self).flatMap { reason(for: $0.baseType) }
    default:
      return type.as(IdentifierTypeSyntax.self).flatMap { namedReasons[$0.name.text] }
    }
  }
}

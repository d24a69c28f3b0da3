import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// The accessors of a property of a model class, which read and set the object's row by slot.
struct PropertyMacro: AccessorMacro {
  static func expansion(
    of node: AttributeSyntax, providingAccessorsOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [AccessorDeclSyntax] {
    guard let variable = declaration.as(VariableDeclSyntax.self),
      let property = PropertyReader(variable).property
    else {
      // `@Model` has said what is wrong; with these accessors the compiler has nothing to add.
      return ["get { fatalError() }", "set {}"]
    }
    return [
      "get { \(raw: reading(property)) }",
      "set { \(raw: setting(property)) }",
    ]
  }

  private static func reading(_ property: ModelProperty) -> String {
    let slot = "_Slot.\(property.token)"
    switch property.kind {
    case .attribute:
      guard !property.isOptional, let value = property.initialValue else {
        return "attribute(\(slot))"
      }
      return "attribute(\(slot), default: \(value.text))"
    case .relationship(.toOne, _):
      return property.isOptional ? "toOne(\(slot))" : "_requiredToOne(\(slot))"
    case .relationship(.toMany, _): return "toMany(\(slot))"
    case .relationship(.ordered, _): return "ordered(\(slot))"
    }
  }

  private static func setting(_ property: ModelProperty) -> String {
    let function =
      switch property.kind {
      case .attribute: "setAttribute"
      case .relationship(.toOne, _): "setToOne"
      case .relationship(.toMany, _): "setToMany"
      case .relationship(.ordered, _): "setOrdered"
      }
    return "\(function)(_Slot.\(property.token), newValue)"
  }
}

import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Model`: adds the entity's description to a class and an accessor macro to each stored property.
///
/// All that is wrong with the class and its properties is diagnosed by the member role, once.
struct ModelMacro: MemberMacro, MemberAttributeMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let model = ModelClass(declaration, attribute: node, diagnose: context.diagnose) else {
      return []
    }
    return ModelExpansion(model).members
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingAttributesFor member: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) throws -> [AttributeSyntax] {
    guard ModelClass.isPossible(declaration), let variable = member.as(VariableDeclSyntax.self),
      variable.isModeled, variable.canHaveAccessors
    else { return [] }
    return ["@_ModelProperty"]
  }
}

extension VariableDeclSyntax {
  /// Whether accessors can be added without the compiler complaining a second time of what `@Model`
  /// diagnoses anyway.
  fileprivate var canHaveAccessors: Bool {
    let refused: Set = ["lazy", "weak", "unowned", "override"]
    return bindingSpecifier.tokenKind == .keyword(.var) && bindings.count == 1
      && !bindings.contains(where: \.hasObservers)
      && !modifiers.contains { refused.contains($0.name.text) }
  }
}

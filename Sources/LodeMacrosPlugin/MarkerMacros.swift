import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// A macro that marks a property of a model class: `@Model` reads what it says.
protocol MarkerMacro: PeerMacro {
  static var name: String { get }
}

extension MarkerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    diagnoseUse(node, of: declaration, in: context)
    return []
  }

  /// Diagnoses the macro where it says nothing to anybody.
  ///
  /// - Returns: The property that the macro is about; nil where it was diagnosed.
  @discardableResult
  static func diagnoseUse(
    _ node: AttributeSyntax, of declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) -> VariableDeclSyntax? {
    guard let problem = problem(with: declaration, in: context) else {
      return declaration.as(VariableDeclSyntax.self)
    }
    context.diagnose(problem.at(node, .remove(node, "remove @\(name)")))
    return nil
  }

  private static func problem(
    with declaration: some DeclSyntaxProtocol, in context: some MacroExpansionContext
  ) -> Problem? {
    guard let variable = declaration.as(VariableDeclSyntax.self), !variable.isStatic,
      variable.bindings.contains(where: \.isStored)
    else {
      return Problem("marker", "@\(name) describes a stored property of objects")
    }
    let attributes = context.lexicalContext.first?.asProtocol((any WithAttributesSyntax).self)
    guard attributes?.attributes.contains(macro: "Model") ?? false else {
      return Problem("marker", "@\(name) has a meaning in a class that @Model stands before, only")
    }
    guard name == "Unmodeled" || !variable.attributes.contains(macro: "Unmodeled") else {
      return Problem(
        "marker", "a property that is not in the model has nothing for @\(name) to say")
    }
    return nil
  }
}

/// `@Attribute`: how an attribute is stored.
struct AttributeMacro: MarkerMacro {
  static let name = "Attribute"
}

/// `@Relationship`: where a relationship leads and what deleting does.
///
/// Adds the name of the inverse, beside a key path by which the compiler checks that the inverse leads back
/// to this class, so that what is wrong with it is reported at the property.
struct RelationshipMacro: MarkerMacro {
  static let name = "Relationship"

  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let variable = diagnoseUse(node, of: declaration, in: context),
      let owner = context.lexicalContext.first?.as(ClassDeclSyntax.self)?.name.text,
      let property = PropertyReader(variable).property,
      case .relationship(_, let arguments) = property.kind, let inverse = arguments.inverse
    else { return [] }
    let root = inverse.root ?? property.type
    return [
      """
      private static var \(raw: property.inverseToken): String {
        let inverse: KeyPath<\(raw: root), _> = \\\(raw: root).\(raw: inverse.token)
        return _DeclaredEntity.name(\(literal: inverse.name), ofInverse: inverse, of: \(raw: owner).self)
      }
      """
    ]
  }
}

extension ModelProperty {
  /// The name of the member that holds the name of a relationship's inverse.
  var inverseToken: String { "_inverse_\(name)" }
}

/// `@Unmodeled`: a stored property that is no part of the entity.
struct UnmodeledMacro: MarkerMacro {
  static let name = "Unmodeled"
}

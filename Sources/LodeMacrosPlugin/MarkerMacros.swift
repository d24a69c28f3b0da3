import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// A macro that adds nothing by itself: `@Model` reads what it says about a property.
protocol MarkerMacro: PeerMacro {
  static var name: String { get }
}

extension MarkerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    if let problem = problem(with: declaration, in: context) {
      context.diagnose(problem.at(node, .remove(node, "remove @\(name)")))
    }
    return []
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
struct RelationshipMacro: MarkerMacro {
  static let name = "Relationship"
}

/// `@Unmodeled`: a stored property that is no part of the entity.
struct UnmodeledMacro: MarkerMacro {
  static let name = "Unmodeled"
}

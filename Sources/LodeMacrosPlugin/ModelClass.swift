import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// A class that `@Model` stands before, as read from its declaration.
struct ModelClass {
  let name: String
  /// The class's superclass as written; nil for `ManagedObject` itself.
  let superclass: String?
  let isFinal: Bool
  /// The words before a member that overrides one of `ManagedObject`: `public override`.
  let overridePrefix: String
  /// The properties that the class adds, in the order of their slots.
  let properties: [ModelProperty]
  /// The arguments of `@Model`, as written.
  let arguments: [String]

  /// Reads a declaration; nil when it can't be a model class at all.
  init?(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax,
    diagnose: (Diagnostic) -> Void
  ) {
    guard let declared = declaration.as(ClassDeclSyntax.self) else {
      diagnose(Self.notAClass(declaration, attribute))
      return nil
    }
    if let generics = declared.genericParameterClause {
      diagnose(
        Problem("generic", "a model class can't be generic: it stands for one entity").at(generics))
      return nil
    }
    guard let inherited = Self.superclass(of: declared) else {
      diagnose(Self.noSuperclass(declared))
      return nil
    }
    name = declared.name.text.withoutBackticks
    superclass = Self.root.contains(inherited) ? nil : inherited
    isFinal = declared.modifiers.contains { $0.name.tokenKind == .keyword(.final) }
    overridePrefix = Self.overridePrefix(declared.modifiers)
    arguments = attribute.labeledArguments.map(\.trimmedWithoutComma)
    properties = Self.properties(of: declared, diagnose: diagnose)
  }

  /// Tells whether a declaration can be a model class, so that the accessors of its properties make sense.
  static func isPossible(_ declaration: some DeclGroupSyntax) -> Bool {
    guard let declared = declaration.as(ClassDeclSyntax.self) else { return false }
    return declared.genericParameterClause == nil && superclass(of: declared) != nil
  }

  /// Returns what a class inherits from, as far as the text tells a class from a protocol.
  private static func superclass(of declared: ClassDeclSyntax) -> String? {
    let inherited = declared.inheritanceClause?.inheritedTypes.first?.type.trimmedDescription
    return inherited.flatMap { protocols.contains($0) ? nil : $0 }
  }

  private static let root: Set = [
    "ManagedObject", "Lode.ManagedObject", "LodeMacros.ManagedObject",
  ]

  /// Protocols that are often listed; a class that begins its list with one has no superclass.
  private static let protocols: Set = [
    "Sendable", "Hashable", "Equatable", "Comparable", "Identifiable", "Codable", "Decodable",
    "Encodable", "CustomStringConvertible", "AnyObject",
  ]

  private static func notAClass(
    _ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax
  ) -> Diagnostic {
    let message =
      "@Model stands before a class that inherits from ManagedObject, never before "
      + "“\(declaration.introducer.text)”: objects have an identity and are shared"
    return Problem("notAClass", message).at(declaration.introducer)
  }

  private static func noSuperclass(_ declared: ClassDeclSyntax) -> Diagnostic {
    let problem = Problem(
      "superclass", "a model class inherits from ManagedObject or from another model class")
    let message = "inherit from ManagedObject"
    if let first = declared.inheritanceClause?.inheritedTypes.first {
      return problem.at(
        declared.name,
        .replace(first.type, by: TypeSyntax("ManagedObject, \(first.type.trimmed)"), message))
    }
    return problem.at(declared.name, .insert(": ManagedObject", behind: declared.name, message))
  }

  /// Overrides are as visible as their class, so that whoever sees the class may use it in a model.
  private static func overridePrefix(_ modifiers: DeclModifierListSyntax) -> String {
    let access = modifiers.first { ["open", "public", "package"].contains($0.name.text) }
    return access.map { "\($0.name.text) override" } ?? "override"
  }

  private static func properties(
    of declared: ClassDeclSyntax, diagnose: (Diagnostic) -> Void
  ) -> [ModelProperty] {
    var properties: [ModelProperty] = []
    for member in declared.memberBlock.members {
      if let condition = member.decl.as(IfConfigDeclSyntax.self), condition.declaresModeled {
        diagnose(
          Problem(
            "condition",
            "a property of a model can't depend on #if: stores would differ from build to build"
          ).at(condition))
      }
      guard let variable = member.decl.as(VariableDeclSyntax.self), variable.isModeled else {
        continue
      }
      let reader = PropertyReader(variable)
      reader.diagnostics.forEach(diagnose)
      if let property = reader.property { properties.append(property) }
    }
    return properties.sorted { $0.name < $1.name }
  }
}

extension IfConfigDeclSyntax {
  /// Whether a stored property stands in one of the branches.
  fileprivate var declaresModeled: Bool {
    clauses.contains { clause in
      guard case .decls(let members) = clause.elements else { return false }
      return members.contains { member in
        member.decl.as(VariableDeclSyntax.self)?.isModeled
          ?? member.decl.as(IfConfigDeclSyntax.self)?.declaresModeled ?? false
      }
    }
  }
}

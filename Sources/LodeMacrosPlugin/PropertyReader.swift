import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// Reads a stored property of a model class and finds everything that keeps it from being stored.
struct PropertyReader {
  /// The property; nil when it was diagnosed.
  private(set) var property: ModelProperty?
  var diagnostics: [Diagnostic] = []

  let variable: VariableDeclSyntax

  init(_ variable: VariableDeclSyntax) {
    self.variable = variable
    checkDeclaration()
    guard diagnostics.isEmpty, let binding = variable.bindings.first,
      let pattern = binding.pattern.as(IdentifierPatternSyntax.self)
    else { return }
    checkName(pattern.identifier)
    let found = read(binding, name: pattern.identifier)
    if diagnostics.isEmpty { property = found }
  }

  mutating func report(
    _ id: String, _ message: String, at node: some SyntaxProtocol, _ fixes: Fix?...
  ) {
    let fixIts = fixes.compactMap { $0?.fixIt }
    diagnostics.append(Diagnostic(node: node, message: Problem(id, message), fixIts: fixIts))
  }

  // MARK: The form of the declaration

  private mutating func checkDeclaration() {
    if variable.bindings.count > 1 {
      report(
        "bindings", "declare each property of a model on its own, with its own var", at: variable)
    } else if let pattern = variable.bindings.first?.pattern,
      !pattern.is(IdentifierPatternSyntax.self)
    {
      report("bindings", "a property of a model has one name, not a pattern", at: pattern)
    }
    checkSpecifier()
    for modifier in variable.modifiers { checkModifier(modifier) }
    if let observed = variable.bindings.first(where: \.hasObservers)?.accessorBlock {
      report(
        "observers",
        "a property of a model can't have willSet or didSet: override willSave() or validate, "
          + "or set it through a method of your own", at: observed)
    }
    checkMacros()
  }

  private mutating func checkSpecifier() {
    let specifier = variable.bindingSpecifier
    guard specifier.tokenKind != .keyword(.var) else { return }
    report(
      "let",
      "a property of a model is a var: its value comes from the store after the object is made; "
        + "private(set) keeps others from changing it", at: specifier,
      .replace(specifier, by: TokenSyntax.keyword(.var), "replace \(specifier.text) by var"))
  }

  private static let refusedModifiers = [
    "lazy": "a property of a model can't be lazy: it is read from the store when it is needed",
    "weak": "a relationship is never weak: objects live in their context, not in each other",
    "unowned": "a relationship is never unowned: objects live in their context, not in each other",
    "override": "a property of a model can't override one of its superclass; give it another name",
  ]

  private mutating func checkModifier(_ modifier: DeclModifierSyntax) {
    let name = modifier.name.text
    guard let reason = Self.refusedModifiers[name] else { return }
    report(
      name, reason, at: modifier, name == "override" ? nil : .remove(modifier, "remove \(name)"))
  }

  private mutating func checkMacros() {
    let uses = ["Attribute", "Relationship"].map { variable.attributes.uses(ofMacro: $0) }
    for (name, same) in zip(["Attribute", "Relationship"], uses) {
      for extra in same.dropFirst() {
        report(
          "duplicate", "@\(name) is given twice; put all arguments into one", at: extra,
          .remove(extra, "remove this @\(name)"))
      }
    }
    if let attribute = uses[0].first, !uses[1].isEmpty {
      report(
        "duplicate",
        "a property is an attribute or a relationship, not both; @Relationship has arguments of its "
          + "own for the original name and the hash modifier", at: attribute,
        .remove(attribute, "remove @Attribute"))
    }
  }

  /// Names that every managed object uses itself, or that have a meaning in predicates.
  static let reservedNames: Set = [
    "SELF", "self", "objectID", "entity", "id", "description", "hash", "hashValue", "isFault",
    "isInserted", "isDeleted", "isUpdated", "hasChanges", "managedObjectContext",
  ]

  private mutating func checkName(_ token: TokenSyntax) {
    let name = token.text.withoutBackticks
    guard Self.reservedNames.contains(name) else { return }
    report(
      "name", "every managed object has a “\(name)” of its own; choose another name for this one",
      at: token)
  }

  // MARK: Type and value

  private mutating func read(
    _ binding: PatternBindingSyntax, name: TokenSyntax
  ) -> ModelProperty? {
    let initialValue = Self.initialValue(binding)
    guard let written = binding.typeAnnotation?.type else {
      return readInferred(initialValue, name, binding)
    }
    let shape = TypeShape(written)
    if shape.isImplicitlyUnwrapped {
      report(
        "implicitlyUnwrapped", "a property of a model is either optional or not; write ? here",
        at: written, .replace(written, by: TypeSyntax("\(shape.type.trimmed)?"), "write ?"))
    }
    if let use = variable.attributes.uses(ofMacro: "Relationship").first {
      return readRelationship(shape, RelationshipArguments(use), initialValue, name)
    }
    return readAttribute(shape, written, initialValue, name, binding)
  }

  /// Returns the value after the equals sign; nil for none and for a plain nil.
  private static func initialValue(_ binding: PatternBindingSyntax) -> ModelProperty.InitialValue? {
    guard let value = binding.initializer?.value, !value.is(NilLiteralExprSyntax.self) else {
      return nil
    }
    return ModelProperty.InitialValue(expression: value)
  }

  private mutating func readInferred(
    _ initialValue: ModelProperty.InitialValue?, _ name: TokenSyntax,
    _ binding: PatternBindingSyntax
  ) -> ModelProperty? {
    let arguments = attributeArguments()
    guard !variable.attributes.contains(macro: "Relationship"),
      let initialValue, let type = initialValue.literalTypeName
    else {
      let type = initialValue?.expression.calledTypeName
      report(
        "annotation",
        "a property of a model needs its type written out, unless its value is a literal",
        at: name, type.map { .insert(": \($0)", behind: name, "write “: \($0)”") })
      return nil
    }
    return ModelProperty(
      token: name.text, name: name.text.withoutBackticks, kind: .attribute(arguments), type: type,
      isOptional: false, initialValue: initialValue)
  }
}

extension ExprSyntax {
  /// The type of a call that names one, `Date` of `Date()`, when it can be told from the text.
  fileprivate var calledTypeName: String? {
    guard let callee = self.as(FunctionCallExprSyntax.self)?.calledExpression,
      callee.is(DeclReferenceExprSyntax.self) || callee.is(MemberAccessExprSyntax.self),
      callee.trimmedDescription.split(separator: ".").allSatisfy({ $0.first?.isUppercase ?? false })
    else { return nil }
    return callee.trimmedDescription
  }
}

import SwiftSyntax
import SwiftSyntaxBuilder

/// The members that `@Model` adds to a class.
struct ModelExpansion {
  private let model: ModelClass

  init(_ model: ModelClass) { self.model = model }

  var members: [DeclSyntax] {
    var texts = [slots, declaredEntity, entityDescription, propertyCount, propertyName]
    if !model.isFinal, !model.properties.isEmpty { texts.append(nameInRoot) }
    if !computedValues.isEmpty { texts.append(initialValues) }
    return texts.map { DeclSyntax(stringLiteral: $0) }
  }

  /// The slots stand in computed properties, which the optimizer folds into the accessors: inherited ones
  /// first, then the class's own in the order of their names, as `Entity` has them.
  private var slots: String {
    let base = model.superclass.map { "\($0).propertyCount + " } ?? ""
    let lines = model.properties.enumerated().map { index, property in
      "  static var \(property.token): Int { \(base)\(index) }"
    }
    return block("private enum _Slot", lines)
  }

  private var declaredEntity: String {
    var head = ["\"\(model.name)\"", "of: \(model.name).self"]
    if let superclass = model.superclass { head.append("inheriting: \(superclass).self") }
    head += model.arguments
    let binding = model.properties.isEmpty ? "let" : "var"
    return block(
      "private static let _declaredEntity: EntityDescription =",
      ["  \(binding) entity = _DeclaredEntity(\(head.joined(separator: ", ")))"]
        + model.properties.map { "  entity.\(declaration(of: $0))" }
        + ["  return entity.description"]) + "()"
  }

  private func declaration(of property: ModelProperty) -> String {
    var arguments = ["\"\(property.name)\""]
    switch property.kind {
    case .attribute(let attribute):
      arguments.append("\(property.type).self")
      if property.isOptional { arguments.append("isOptional: true") }
      if let value = property.initialValue, value.isLiteral {
        arguments.append("default: \(value.text)")
      }
      if !attribute.options.isEmpty {
        arguments.append("options: [\(attribute.options.map { ".\($0)" }.joined(separator: ", "))]")
      }
      arguments += attribute.passedOn
      return "attribute(\(arguments.joined(separator: ", ")))"
    case .relationship(let cardinality, let relationship):
      arguments.append("to: \(property.type).self")
      if property.isOptional { arguments.append("isOptional: true") }
      if relationship.inverse != nil { arguments.append("inverse: \(property.inverseToken)") }
      arguments += relationship.passedOn
      return "\(cardinality)(\(arguments.joined(separator: ", ")))"
    }
  }

  private var entityDescription: String {
    block(
      "\(model.overridePrefix) class var entityDescription: EntityDescription?",
      ["  _declaredEntity"])
  }

  private var propertyCount: String {
    let count = model.properties.count
    return block(
      "\(model.overridePrefix) class var propertyCount: Int",
      ["  \(model.superclass.map { "\($0).propertyCount + " } ?? "")\(count)"])
  }

  private var propertyName: String {
    let head = "\(model.overridePrefix) class func propertyName(of keyPath: AnyKeyPath) -> String?"
    if model.properties.isEmpty { return block(head, ["  super.propertyName(of: keyPath)"]) }
    let asked = "super.propertyName(of: keyPath)"
    guard !model.isFinal else { return block(head, names(of: model.name, otherwise: asked)) }
    let root = "(type(of: keyPath).rootType as? any (\(model.name) & PropertyNaming).Type)"
    let inRoot = "\(root).flatMap { _name(of: keyPath, in: $0) }"
    return block(head, names(of: model.name, otherwise: "\(inRoot) ?? \(asked)"))
  }

  /// A key path that begins at a subclass differs from the one that begins here, though both lead to the same
  /// property; so a class that can have subclasses makes the key paths to compare with at the same root.
  /// Those are made anew each time, which takes microseconds.
  private var nameInRoot: String {
    block(
      "private static func _name<Root: \(model.name) & PropertyNaming>"
        + "(of keyPath: AnyKeyPath, in root: Root.Type) -> String?",
      names(of: "Root", otherwise: "nil"))
  }

  private func names(of root: String, otherwise: String) -> [String] {
    ["  switch keyPath {"]
      + model.properties.map { "  case \\\(root).\($0.token): \"\($0.name)\"" }
      + ["  default: \(otherwise)", "  }"]
  }

  private var computedValues: [ModelProperty] {
    model.properties.filter { $0.initialValue.map { !$0.isLiteral } ?? false }
  }

  private var initialValues: String {
    block(
      "\(model.overridePrefix) func setInitialValues()",
      ["  super.setInitialValues()"]
        + computedValues.map { "  \($0.token) = \($0.initialValue?.text ?? "nil")" })
  }

  private func block(_ head: String, _ lines: [String]) -> String {
    ([head + " {"] + lines + ["}"]).joined(separator: "\n")
  }
}

extension ModelProperty.Cardinality: CustomStringConvertible {
  /// The name of the function that declares such a relationship.
  var description: String {
    switch self {
    case .toOne: "toOne"
    case .toMany: "toMany"
    case .ordered: "ordered"
    }
  }
}

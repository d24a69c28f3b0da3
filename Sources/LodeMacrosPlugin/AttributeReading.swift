import SwiftSyntax
import SwiftSyntaxBuilder

// Reading a property that is an attribute.

extension PropertyReader {
  mutating func attributeArguments() -> AttributeArguments {
    let use = variable.attributes.uses(ofMacro: "Attribute").first
    let arguments = use.map(AttributeArguments.init) ?? AttributeArguments()
    diagnostics += arguments.diagnostics
    return arguments
  }

  mutating func readAttribute(
    _ shape: TypeShape, _ written: TypeSyntax, _ initialValue: ModelProperty.InitialValue?,
    _ name: TokenSyntax, _ binding: PatternBindingSyntax
  ) -> ModelProperty {
    let arguments = attributeArguments()
    if case .unstorable(let reason) = shape.form {
      report(
        "unstorable",
        "“\(written.trimmed)” can't be stored: it \(reason). Attributes hold values of the standard "
          + "types, enumerations with a raw value and Codable types; @Unmodeled keeps a property "
          + "out of the model", at: written)
    } else if let wider = shape.name.flatMap({ Self.widerIntegers[$0] }) {
      report(
        "integer",
        "no attribute type holds every “\(shape.text)”; attributes hold Int16, Int32, Int64 and Int",
        at: written,
        .replace(shape.type, by: TypeSyntax("\(raw: wider)"), "replace \(shape.text) by \(wider)"))
    } else if initialValue == nil, !shape.isOptional {
      reportMissingValue(shape, written, binding)
    }
    checkOrder(shape, arguments, written)
    return ModelProperty(
      token: name.text, name: name.text.withoutBackticks, kind: .attribute(arguments),
      type: shape.text, isOptional: shape.isOptional, initialValue: initialValue)
  }

  static let widerIntegers = [
    "Int8": "Int16", "UInt8": "Int16", "UInt16": "Int32", "UInt32": "Int64", "UInt64": "Int64",
    "UInt": "Int64", "Int128": "Decimal", "UInt128": "Decimal",
  ]

  static let plainValues = [
    "String": "\"\"", "Bool": "false", "Int": "0", "Int16": "0", "Int32": "0", "Int64": "0",
    "Double": "0", "Float": "0", "Decimal": "0", "Date": ".now", "Data": "Data()", "UUID": "UUID()",
  ]

  private mutating func reportMissingValue(
    _ shape: TypeShape, _ written: TypeSyntax, _ binding: PatternBindingSyntax
  ) {
    let value: String? =
      switch shape.form {
      case .array, .set: "[]"
      case .dictionary: "[:]"
      case .named: shape.name.flatMap { Self.plainValues[$0] }
      case .unstorable: nil
      }
    let isUnknown = shape.name.map { Self.plainValues[$0] == nil } ?? false
    report(
      "default",
      "an attribute that isn't optional needs a value for new objects: write “= …” or make it optional"
        + (isUnknown ? "; a relationship needs @Relationship before it" : ""), at: binding,
      value.map { .insert(" = \($0)", behind: written, "write “= \($0)”") },
      .insert("?", behind: written, "make it optional"))
  }

  private mutating func checkOrder(
    _ shape: TypeShape, _ arguments: AttributeArguments, _ written: TypeSyntax
  ) {
    guard let option = arguments.options.first(where: { $0 != "transient" }) else { return }
    switch shape.form {
    case .named where shape.name != "Data": return
    case .unstorable: return
    default:
      report(
        "order", "“\(shape.text)” has no order that a store could look up; remove .\(option)",
        at: written)
    }
  }
}

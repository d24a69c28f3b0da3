import SwiftSyntax

// Reading a property that is a relationship.

extension PropertyReader {
  mutating func readRelationship(
    _ shape: TypeShape, _ arguments: RelationshipArguments,
    _ initialValue: ModelProperty.InitialValue?, _ name: TokenSyntax
  ) -> ModelProperty? {
    diagnostics += arguments.diagnostics
    guard let (cardinality, destination) = Self.destination(shape),
      let destinationName = TypeShape(destination).name, !TypeShape(destination).isOptional,
      !Self.valueTypes.contains(destinationName)
    else {
      report(
        "destination",
        "a relationship leads to objects: its type is a model class, optional or not, a Set of it, or "
          + "an Array of it for an ordered relationship; “\(shape.text)” is none", at: shape.type)
      return nil
    }
    checkToMany(shape, cardinality, arguments)
    checkInitialValue(initialValue, cardinality)
    return ModelProperty(
      token: name.text, name: name.text.withoutBackticks,
      kind: .relationship(cardinality, arguments), type: destination.trimmedDescription,
      isOptional: shape.isOptional, initialValue: nil)
  }

  /// Types that are certainly no model classes.
  private static let valueTypes = Set(plainValues.keys).union(widerIntegers.keys).union([
    "URL", "Character", "Substring", "ManagedObjectID", "NSNumber", "NSString",
  ])

  private static func destination(
    _ shape: TypeShape
  ) -> (ModelProperty.Cardinality, TypeSyntax)? {
    switch shape.form {
    case .named(let type): (.toOne, type)
    case .set(let element): (.toMany, TypeShape.unparenthesized(element))
    case .array(let element): (.ordered, TypeShape.unparenthesized(element))
    case .dictionary, .unstorable: nil
    }
  }

  private mutating func checkToMany(
    _ shape: TypeShape, _ cardinality: ModelProperty.Cardinality, _ arguments: RelationshipArguments
  ) {
    if cardinality == .toOne, let count = arguments.countArgument {
      report(
        "count",
        "only a relationship to many objects has a count; make this one optional or not instead",
        at: count)
    } else if cardinality != .toOne, shape.isOptional,
      let written = variable.bindings.first?.typeAnnotation?.type
    {
      report(
        "optionalToMany", "a relationship to many objects is empty, never nil; remove the ?",
        at: written, .replace(written, by: shape.type, "remove ?"))
    }
  }

  private mutating func checkInitialValue(
    _ value: ModelProperty.InitialValue?, _ cardinality: ModelProperty.Cardinality
  ) {
    guard let value else { return }
    if cardinality != .toOne, value.expression.as(ArrayExprSyntax.self)?.elements.isEmpty ?? false {
      return
    }
    report(
      "relationshipValue",
      "a relationship of a new object is empty; set it in awakeFromInsert() or after the object is made",
      at: value.expression)
  }
}

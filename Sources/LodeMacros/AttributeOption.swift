/// What stores do with an attribute: the arguments of `@Attribute`.
public struct AttributeOption: Hashable, Sendable {
  private let name: String

  /// No two objects of the entity or its sub-entities have the same value, other than nil.
  public static let unique = AttributeOption(name: "unique")

  /// Stores keep an index that finds objects by the attribute and sorts by it.
  public static let indexed = AttributeOption(name: "indexed")

  /// The attribute is never stored, and lost when its object becomes a fault.
  public static let transient = AttributeOption(name: "transient")
}

/// The name of a relationship's inverse, written as a key path: `\.team`.
///
/// Any name is accepted here, because Swift can't check two macro arguments that need each other; what
/// `@Model` writes checks it, by a key path that begins at the relationship's own type.
@dynamicMemberLookup
public struct InverseName {
  private init() {}

  /// Stands for the relationship of a name.
  public subscript(dynamicMember name: String) -> InverseName { self }
}

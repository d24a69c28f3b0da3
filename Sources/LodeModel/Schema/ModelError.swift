/// Everything that is wrong with a model, found before any store opens.
public struct ModelError: Error, Sendable, Hashable {
  /// What is wrong; may gain values.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// An entity, a property or an index has no name, or one with a dot.
    public static let emptyName = Code(rawValue: "emptyName")
    /// A property has a name that means something else in predicates.
    public static let reservedName = Code(rawValue: "reservedName")
    /// Two entities have one name.
    public static let duplicateEntity = Code(rawValue: "duplicateEntity")
    /// Two properties of an entity, inherited ones among them, have one name.
    public static let duplicateProperty = Code(rawValue: "duplicateProperty")
    /// An entity inherits from one that isn't there.
    public static let unknownSuperentity = Code(rawValue: "unknownSuperentity")
    /// An entity inherits from itself by way of others.
    public static let cyclicInheritance = Code(rawValue: "cyclicInheritance")
    /// A relationship leads to an entity that isn't there.
    public static let unknownDestination = Code(rawValue: "unknownDestination")
    /// A relationship's inverse isn't there.
    public static let unknownInverse = Code(rawValue: "unknownInverse")
    /// A relationship's inverse doesn't lead back.
    public static let oneSidedInverse = Code(rawValue: "oneSidedInverse")
    /// The bounds of a to-many contradict each other.
    public static let invalidCount = Code(rawValue: "invalidCount")
    /// A to-one relationship is marked as ordered.
    public static let invalidOrder = Code(rawValue: "invalidOrder")
    /// A default doesn't fit its attribute.
    public static let invalidDefault = Code(rawValue: "invalidDefault")
    /// Elements are missing, or don't belong to a composite.
    public static let invalidElements = Code(rawValue: "invalidElements")
    /// Two indexes of an entity have one name.
    public static let duplicateIndex = Code(rawValue: "duplicateIndex")
    /// An index names what can't be indexed.
    public static let invalidIndex = Code(rawValue: "invalidIndex")
    /// A uniqueness constraint names what can't be compared.
    public static let invalidConstraint = Code(rawValue: "invalidConstraint")
    /// The model exceeds a limit.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// A class declares no entity, or not the one it is used for.
    public static let invalidClass = Code(rawValue: "invalidClass")
  }

  /// One thing that is wrong at one place.
  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let code: Code
    /// The name of the entity.
    public let entity: String
    /// The name of the property or the index, where there is one.
    public let property: String?
    /// What is wrong and what to do about it.
    public let message: String

    /// Makes a problem.
    public init(_ code: Code, entity: String, property: String? = nil, message: String) {
      self.code = code
      self.entity = entity
      self.property = property
      self.message = message
    }

    public var description: String {
      "\(property.map { "\(entity).\($0)" } ?? entity): \(message)"
    }
  }

  /// Everything that is wrong, in the order of the entities' names.
  public let problems: [Problem]

  /// Makes the error of its problems.
  public init(problems: [Problem]) { self.problems = problems }
}

extension ModelError: CustomStringConvertible {
  public var description: String {
    "the model has \(problems.count) problem\(problems.count == 1 ? "" : "s"):\n"
      + problems.map { "  \($0)" }.joined(separator: "\n")
  }
}

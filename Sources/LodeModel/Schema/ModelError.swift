/// Everything that is wrong with a model, found before any store opens.
public struct ModelError: Error, Sendable, Hashable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    public static let emptyName = Code(rawValue: "emptyName")
    public static let reservedName = Code(rawValue: "reservedName")
    public static let duplicateEntity = Code(rawValue: "duplicateEntity")
    public static let duplicateProperty = Code(rawValue: "duplicateProperty")
    public static let unknownSuperentity = Code(rawValue: "unknownSuperentity")
    public static let cyclicInheritance = Code(rawValue: "cyclicInheritance")
    public static let unknownDestination = Code(rawValue: "unknownDestination")
    public static let unknownInverse = Code(rawValue: "unknownInverse")
    public static let oneSidedInverse = Code(rawValue: "oneSidedInverse")
    public static let invalidCount = Code(rawValue: "invalidCount")
    public static let invalidOrder = Code(rawValue: "invalidOrder")
    public static let invalidDefault = Code(rawValue: "invalidDefault")
    public static let invalidElements = Code(rawValue: "invalidElements")
    public static let duplicateIndex = Code(rawValue: "duplicateIndex")
    public static let invalidIndex = Code(rawValue: "invalidIndex")
    public static let invalidConstraint = Code(rawValue: "invalidConstraint")
    public static let tooLarge = Code(rawValue: "tooLarge")
    public static let invalidClass = Code(rawValue: "invalidClass")
  }

  public struct Problem: Hashable, Sendable, CustomStringConvertible {
    public let code: Code
    public let entity: String
    public let property: String?
    /// What is wrong and what to do about it.
    public let message: String

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

  public let problems: [Problem]

  public init(problems: [Problem]) { self.problems = problems }
}

extension ModelError: CustomStringConvertible {
  public var description: String {
    "the model has \(problems.count) problem\(problems.count == 1 ? "" : "s"):\n"
      + problems.map { "  \($0)" }.joined(separator: "\n")
  }
}

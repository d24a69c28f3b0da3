public import LodeModel

/// Everything that keeps a context's objects from being saved, found before any store was touched.
public struct ValidationError: Error, Sendable, Hashable {
  /// What is wrong, with the number that Core Data users know it by.
  public enum Code: Int, Sendable, Hashable {
    case invalidValue = 1550
    case severalFailures = 1560
    case missingMandatoryProperty = 1570
    case relationshipLacksMinimumCount = 1580
    case relationshipExceedsMaximumCount = 1590
    case relationshipDeniedDelete = 1600
    case numberOutOfRange = 1610
  }

  /// One thing that is wrong with one object.
  public struct Failure: Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is.
    public let code: Code
    /// The object concerned.
    public let objectID: ManagedObjectID
    /// The name of the property; nil when the object as a whole is meant.
    public let key: String?
    /// What is wrong and what to do; never contains the value.
    public let message: String

    /// Makes a failure.
    public init(_ code: Code, objectID: ManagedObjectID, key: String?, message: String) {
      self.code = code
      self.objectID = objectID
      self.key = key
      self.message = message
    }

    public var description: String {
      let name = objectID.entityName.string
      return "\(key.map { "\(name).\($0)" } ?? name) of object \(objectID.number): \(message)"
    }
  }

  /// Everything that is wrong, in the order of objects and properties.
  public let failures: [Failure]

  /// Makes the error of its failures.
  public init(failures: [Failure]) { self.failures = failures }

  /// The failure's own code, or `severalFailures` when there is more than one.
  public var code: Code {
    failures.count == 1 ? failures.first?.code ?? .severalFailures : .severalFailures
  }
}

extension ValidationError: CustomStringConvertible {
  public var description: String { failures.map(\.description).joined(separator: "\n") }
}

public import LodeModel

/// Why a context could not do what it was asked, where neither store, values nor predicate are to blame.
public struct ContextError: Error, Sendable, Hashable {
  /// What kind of error it is; may gain values.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String
    /// Makes the kind of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// No row has the ID that was asked for.
    public static let objectNotFound = Code(rawValue: "objectNotFound")
    /// The model has no entity of the name or for the class.
    public static let unknownEntity = Code(rawValue: "unknownEntity")
    /// A request's limit, offset or batch size is negative.
    public static let invalidRequest = Code(rawValue: "invalidRequest")
    /// A request is for another class than the objects of its entity have.
    public static let wrongClass = Code(rawValue: "wrongClass")
    /// A prefetching key path names a relationship that isn't there.
    public static let unknownRelationship = Code(rawValue: "unknownRelationship")
  }

  /// What kind of error it is.
  public var code: Code
  /// What happened and what to do.
  public var message: String
  /// The object concerned, where there is one.
  public var objectID: ManagedObjectID?

  /// Makes an error.
  public init(_ code: Code, _ message: String, objectID: ManagedObjectID? = nil) {
    self.code = code
    self.message = message
    self.objectID = objectID
  }
}

extension ContextError: CustomStringConvertible {
  public var description: String { "\(code.rawValue): \(message)" }
}

public import LodeModel

/// Why a store could not do what it was asked.
public struct StoreError: Error, Sendable {
  /// What kind of error it is; may gain values.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The operating system refused to open, read or write a file.
    public static let file = Code(rawValue: "file")
    /// No space was left; nothing was written, and a later save may succeed.
    public static let full = Code(rawValue: "full")
    /// The system has no address space to map the data file; the options may ask for less.
    public static let addressSpace = Code(rawValue: "addressSpace")
    /// The store was opened for reading only.
    public static let readOnly = Code(rawValue: "readOnly")
    /// What the store's files hold is not what was written.
    public static let corrupt = Code(rawValue: "corrupt")
    /// The path holds something that is no store.
    public static let notAStore = Code(rawValue: "notAStore")
    /// The store was written by a newer version of Lode.
    public static let newerFormat = Code(rawValue: "newerFormat")
    /// The store was written by a version of Lode whose format this one doesn't read.
    public static let olderFormat = Code(rawValue: "olderFormat")
    /// The store's entities differ from the model's.
    public static let incompatibleModel = Code(rawValue: "incompatibleModel")
    /// Another process has the store, or this one has it open already; the message says which.
    public static let locked = Code(rawValue: "locked")
    /// Another process was writing for too long; nothing was written, and a later save may succeed.
    public static let busy = Code(rawValue: "busy")
    /// The store has failed in a way that forbids writing until it is opened again.
    public static let poisoned = Code(rawValue: "poisoned")
    /// The store was closed before.
    public static let closed = Code(rawValue: "closed")
    /// Rows were changed or removed since they were read.
    public static let conflict = Code(rawValue: "conflict")
    /// A uniqueness constraint would break.
    public static let constraint = Code(rawValue: "constraint")
    /// An option of the store is out of its range; nothing was opened or made.
    public static let invalidOption = Code(rawValue: "invalidOption")
    /// A value can't be kept: too long, of the wrong type, of no known entity.
    public static let invalidValue = Code(rawValue: "invalidValue")
    /// This kind of store can't do what it was asked.
    public static let unsupported = Code(rawValue: "unsupported")
    /// The query's predicate can't be evaluated.
    public static let predicate = Code(rawValue: "predicate")
  }

  /// One uniqueness constraint that a commit would break.
  public struct ConstraintViolation: Hashable, Sendable {
    /// The entity that has the constraint.
    public var entityName: String
    /// The properties whose values collide.
    public var propertyNames: [String]
    /// The object of the commit that collides.
    public var objectID: ManagedObjectID
    /// The stored object, or the other one of the same commit, that it collides with.
    public var conflictingID: ManagedObjectID

    /// Makes a violation.
    public init(
      entityName: String, propertyNames: [String], objectID: ManagedObjectID,
      conflictingID: ManagedObjectID
    ) {
      self.entityName = entityName
      self.propertyNames = propertyNames
      self.objectID = objectID
      self.conflictingID = conflictingID
    }
  }

  /// What kind of error it is.
  public var code: Code
  /// What happened and what to do.
  public var message: String
  /// The file or folder concerned.
  public var path: String?
  /// The objects concerned: of a conflict, those whose rows have changed.
  public var objectIDs: [ManagedObjectID]
  /// What a conflict's other commits did.
  public var conflicts: [Conflict] = []
  /// The uniqueness constraints that would break.
  public var constraintViolations: [ConstraintViolation]
  /// What was thrown below the store, where that says more.
  public var underlying: (any Error)?

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, path: String? = nil, objectIDs: [ManagedObjectID] = [],
    constraintViolations: [ConstraintViolation] = [], underlying: (any Error)? = nil
  ) {
    self.code = code
    self.message = message
    self.path = path
    self.objectIDs = objectIDs
    self.constraintViolations = constraintViolations
    self.underlying = underlying
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String {
    path.map { "\(code.rawValue): \(message) (\($0))" } ?? "\(code.rawValue): \(message)"
  }
}

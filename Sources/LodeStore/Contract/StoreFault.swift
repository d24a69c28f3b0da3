public import LodeModel

/// One thing that is wrong in a store's files.
public struct StoreFault: Sendable, Hashable {
  /// What kind of thing is wrong; may gain values.
  public struct Kind: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A page of the data file isn't what was written, or leads nowhere.
    public static let page = Kind(rawValue: "page")
    /// The catalogue: an entry, a counter, a dictionary.
    public static let catalogue = Kind(rawValue: "catalogue")
    /// A row's record is damaged.
    public static let record = Kind(rawValue: "record")
    /// A to-one relationship leads to a row that isn't there.
    public static let reference = Kind(rawValue: "reference")
    /// An index and the rows disagree.
    public static let index = Kind(rawValue: "index")
    /// Two rows have values that must be unique.
    public static let constraint = Kind(rawValue: "constraint")
    /// A to-many relationship's link is damaged, or leads from or to a row that isn't there.
    public static let link = Kind(rawValue: "link")
    /// A relationship and its inverse disagree.
    public static let inverse = Kind(rawValue: "inverse")
  }

  /// What kind of thing is wrong.
  public var kind: Kind
  /// What was found and what was expected; never an attribute's value.
  public var message: String
  /// The object concerned; nil where the fault is no object's.
  public var objectID: ManagedObjectID?
  /// The property, index or constraint concerned, as its entity and its name.
  public var place: String?
  /// Where in the data file, in bytes from its beginning.
  public var position: UInt64?

  /// Makes a fault.
  public init(
    _ kind: Kind, _ message: String, objectID: ManagedObjectID? = nil, place: String? = nil,
    position: UInt64? = nil
  ) {
    self.kind = kind
    self.message = message
    self.objectID = objectID
    self.place = place
    self.position = position
  }
}

extension StoreFault: CustomStringConvertible {
  /// The fault in one line: kind, place, object, what was found.
  public var description: String {
    let parts = [
      kind.rawValue, place, objectID.map { "\($0)" }, position.map { "at byte \($0)" },
    ].compactMap(\.self)
    return "\(parts.joined(separator: " ")): \(message)"
  }
}

/// What a check of a store has looked at and found.
public struct StoreCheckReport: Sendable, Hashable {
  /// What is wrong, in the order in which it was found; at most as many as were asked for.
  public var faults: [StoreFault] = []
  /// How many faults there are, those included that are not in `faults`.
  public var faultCount = 0
  /// Pages of the data file that were looked at; 0 for a store in memory or one that is in use.
  public var pageCount = 0
  /// Rows that were looked at.
  public var rowCount = 0
  /// Index and constraint entries that were compared with their rows.
  public var indexEntryCount = 0
  /// Links of to-many relationships that were followed.
  public var linkCount = 0

  /// Makes a report of nothing.
  public init() {}

  /// Whether nothing is wrong.
  public var isSound: Bool { faultCount == 0 }
}

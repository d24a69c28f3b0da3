/// Why fetched results could not be fetched, or could not follow a change.
public struct FetchedResultsError: Error, Sendable {
  /// A kind of failure; more may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String

    /// Makes a code of a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The request has no sort terms, so that rows would have no places.
    public static let missingSort = Code(rawValue: "missingSort")
    /// The section key path leads to nothing that can name a section.
    public static let invalidSectionKeyPath = Code(rawValue: "invalidSectionKeyPath")
    /// The order doesn't keep rows with one section name together.
    public static let sectionsOutOfOrder = Code(rawValue: "sectionsOutOfOrder")
    /// Objects of the request's entity are not of the controller's class.
    public static let wrongClass = Code(rawValue: "wrongClass")
    /// The request can't be bound or its rows can't be read; `underlying` says why.
    public static let fetch = Code(rawValue: "fetch")
  }

  /// What kind of failure it is.
  public var code: Code
  /// What happened and what to do.
  public var message: String
  /// The section key path, where it is to blame.
  public var sectionNameKeyPath: String?
  /// The place in the whole list, from 0, of the row that opens its section a second time.
  public var rowIndex: Int?
  /// The name of that section.
  public var sectionName: String?
  /// What the fetch met.
  public var underlying: (any Error)?

  init(_ code: Code, _ message: String, sectionNameKeyPath: String? = nil) {
    self.code = code
    self.message = message
    self.sectionNameKeyPath = sectionNameKeyPath
  }

  /// Wraps what a fetch or the reading of a row met.
  init(fetching error: any Error) {
    self.init(.fetch, "the rows of the results can't be read: \(error)")
    underlying = error
  }

  /// Names the row that opens a section again.
  init(_ error: SectionOrderError, sectionNameKeyPath: String?) {
    self.init(
      .sectionsOutOfOrder,
      "row \(error.position) opens the section “\(error.sectionName)” a second time; sort by the "
        + "section key first, or by a key that groups rows in the same way",
      sectionNameKeyPath: sectionNameKeyPath)
    rowIndex = error.position
    sectionName = error.sectionName
  }
}

extension FetchedResultsError: CustomStringConvertible {
  /// The code, the message and the section key path that is to blame.
  public var description: String {
    sectionNameKeyPath.map { "\(code.rawValue): \(message) (section key path “\($0)”)" }
      ?? "\(code.rawValue): \(message)"
  }
}

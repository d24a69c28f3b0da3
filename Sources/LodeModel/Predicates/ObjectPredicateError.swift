/// Why a predicate or a sort term can't be made, bound to an entity or evaluated.
public struct ObjectPredicateError: Error, Sendable, Hashable {
  /// What kind of error it is; may gain values.
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The format string isn't one; `offset` says where it stops being one.
    public static let syntax = Code(rawValue: "syntax")
    /// The arguments don't go with the placeholders of the format string.
    public static let arguments = Code(rawValue: "arguments")
    /// The predicate is longer or nested more deeply than the limits of `docs/queries.md`.
    public static let tooLarge = Code(rawValue: "tooLarge")
    /// A key names no property of its entity.
    public static let unknownKey = Code(rawValue: "unknownKey")
    /// A key path goes on behind a property that has nothing behind it.
    public static let invalidKeyPath = Code(rawValue: "invalidKeyPath")
    /// A key path leads to many values where one is needed.
    public static let toManyKey = Code(rawValue: "toManyKey")
    /// A quantifier stands before something that isn't a collection.
    public static let invalidQuantifier = Code(rawValue: "invalidQuantifier")
    /// String options stand on a comparison of something else.
    public static let invalidOptions = Code(rawValue: "invalidOptions")
    /// The two sides of a comparison have types that don't compare.
    public static let typeMismatch = Code(rawValue: "typeMismatch")
    /// The right side of MATCHES is no regular expression.
    public static let invalidPattern = Code(rawValue: "invalidPattern")
    /// A variable has no value: it is to be substituted before the predicate is used.
    public static let unboundVariable = Code(rawValue: "unboundVariable")
    /// A store was asked about an attribute that isn't stored.
    public static let transientKey = Code(rawValue: "transientKey")
    /// A form that Lode knows of and doesn't offer.
    public static let unsupported = Code(rawValue: "unsupported")
  }

  /// What kind of error it is.
  public let code: Code

  /// What is wrong and what to do about it; never contains values that the predicate compares with.
  public let message: String

  /// Where in the format string, in bytes of its UTF-8 from 0; nil when there is no format string.
  public var offset: Int?

  /// The name of the entity that the predicate was bound to.
  public var entity: String?

  /// The key path concerned, with dots.
  public var keyPath: String?

  /// Makes an error.
  public init(
    _ code: Code, _ message: String, offset: Int? = nil, entity: String? = nil,
    keyPath: String? = nil
  ) {
    self.code = code
    self.message = message
    self.offset = offset
    self.entity = entity
    self.keyPath = keyPath
  }
}

extension ObjectPredicateError: CustomStringConvertible {
  public var description: String {
    let place = [
      offset.map { "at byte \($0)" }, entity.map { "entity \($0)" },
      keyPath.map { "key path “\($0)”" },
    ].compactMap(\.self).joined(separator: ", ")
    return place.isEmpty
      ? "\(code.rawValue): \(message)" : "\(code.rawValue): \(message) (\(place))"
  }
}

/// The bounds of predicates; what exceeds one is refused with `ObjectPredicateError.Code.tooLarge`.
package enum PredicateLimits {
  /// How deeply predicates and expressions nest.
  package static let depthMax = 200
  /// How many names a key path has.
  package static let keyPathLengthMax = 100
  /// How many bytes a format string has.
  package static let formatByteCountMax = 1 << 20

  /// Refuses what is nested more deeply than predicates may be.
  package static func check(depth: Int) throws(ObjectPredicateError) {
    guard depth <= depthMax else {
      throw ObjectPredicateError(.tooLarge, "a predicate nests at most \(depthMax) levels deep")
    }
  }
}

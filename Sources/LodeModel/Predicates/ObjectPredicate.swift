/// A condition on objects: true or false for each one, wherever it is evaluated.
///
/// Made from a format string, from `#Predicate` or of these cases; `docs/queries.md` says what each
/// operator answers, nil and empty collections included.
public indirect enum ObjectPredicate: Hashable, Sendable {
  case constant(Bool)
  case comparison(ObjectComparison)
  /// True when all are; true when empty.
  case and([ObjectPredicate])
  /// True when one is; false when empty.
  case or([ObjectPredicate])
  case not(ObjectPredicate)
}

/// One comparison of a predicate.
public struct ObjectComparison: Hashable, Sendable {
  /// How a comparison reads a left side that leads through a to-many relationship.
  public enum Quantifier: String, Hashable, Sendable {
    /// The sides are compared as they are.
    case direct
    /// True when a member satisfies the comparison; false when there is none.
    case any
    /// True when every member does; true when there is none.
    case all
    /// True when no member does; true when there is none.
    case none
  }

  /// How two sides are compared; the raw value is the operator's spelling in a format.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between = "BETWEEN"
    case `in` = "IN"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case like = "LIKE"
    case matches = "MATCHES"
  }

  /// How strings are compared.
  public struct Options: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `c`: upper and lower case are one.
    public static let caseInsensitive = Options(rawValue: 1)
    /// `d`: letters are compared without their accents.
    public static let diacriticInsensitive = Options(rawValue: 2)
    /// `n`: the operands are compared by their bytes.
    public static let normalized = Options(rawValue: 4)
    /// `l`: strings are ordered as the user's locale does.
    public static let localeSensitive = Options(rawValue: 8)
  }

  /// How a to-many left side is read.
  public var quantifier: Quantifier
  /// The left side.
  public var left: ObjectExpression
  /// How the sides are compared.
  public var `operator`: Operator
  /// How strings are compared; none for everything else.
  public var options: Options
  /// The right side.
  public var right: ObjectExpression

  /// Makes a comparison; nothing is checked before it is bound.
  public init(
    _ left: ObjectExpression, _ operator: Operator, _ right: ObjectExpression,
    quantifier: Quantifier = .direct, options: Options = []
  ) {
    self.quantifier = quantifier
    self.left = left
    self.operator = `operator`
    self.options = options
    self.right = right
  }
}

extension ObjectComparison.Operator {
  /// The operator that says the same with the sides exchanged, if there is one.
  var mirrored: Self? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: nil
    }
  }
}

/// An index that stores keep of an entity's rows: ordered by its elements, then by object number.
public struct FetchIndexDescription: Hashable, Sendable {
  /// One attribute or to-one relationship of an index.
  public struct Element: Hashable, Sendable {
    /// The attribute or to-one relationship.
    public var propertyName: String
    /// Whether smaller values come first.
    public var isAscending: Bool

    /// Makes an element of an index.
    public init(_ propertyName: String, isAscending: Bool = true) {
      self.propertyName = propertyName
      self.isAscending = isAscending
    }
  }

  /// The name, unique in the entity and what it inherits from.
  public var name: String
  /// What the index is ordered by, first element first.
  public var elements: [Element]

  /// Describes an index.
  public init(_ name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }

  /// Makes an index of one property that has the property's name.
  public init(on propertyName: String) {
    self.init(propertyName, elements: [Element(propertyName)])
  }
}

/// An index that stores keep of an entity's rows: ordered by its elements, then by object number.
public struct FetchIndexDescription: Hashable, Sendable {
  /// One attribute or to-one relationship of an index.
  public struct Element: Hashable, Sendable {
    public var propertyName: String
    public var isAscending: Bool

    public init(_ propertyName: String, isAscending: Bool = true) {
      self.propertyName = propertyName
      self.isAscending = isAscending
    }
  }

  public var name: String
  public var elements: [Element]

  public init(_ name: String, elements: [Element]) {
    self.name = name
    self.elements = elements
  }

  /// Makes an index of one property that has the property's name.
  public init(on propertyName: String) {
    self.init(propertyName, elements: [Element(propertyName)])
  }
}

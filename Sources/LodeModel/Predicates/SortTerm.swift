/// One key of an order: a key path through to-one relationships, and a direction.
public struct SortTerm: Hashable, Sendable {
  public var keyPath: ObjectKeyPath
  public var isAscending: Bool
  /// How strings are compared; only case and diacritic folding matter to a sort.
  public var options: ObjectComparison.Options

  public init(
    _ keyPath: String, ascending isAscending: Bool = true, options: ObjectComparison.Options = []
  ) {
    self.keyPath = ObjectKeyPath(keyPath)
    self.isAscending = isAscending
    self.options = options
  }
}

/// One key of an order: a key path through to-one relationships, and a direction.
public struct SortTerm: Hashable, Sendable {
  /// Leads to the key that is sorted by.
  public var keyPath: ObjectKeyPath
  /// Whether smaller keys come first.
  public var isAscending: Bool
  /// How strings are compared; only case and diacritic folding matter to a sort.
  public var options: ObjectComparison.Options

  /// Makes a term; nothing is checked before it is bound.
  public init(
    _ keyPath: String, ascending isAscending: Bool = true, options: ObjectComparison.Options = []
  ) {
    self.keyPath = ObjectKeyPath(keyPath)
    self.isAscending = isAscending
    self.options = options
  }
}

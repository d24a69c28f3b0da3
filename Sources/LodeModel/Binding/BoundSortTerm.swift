public import Foundation

/// A sort term whose key path has been found in an entity.
public struct BoundSortTerm: Hashable, Sendable {
  /// Where the key is read.
  package let path: BoundPath
  /// Whether smaller keys come first.
  public let isAscending: Bool
  /// How strings are folded before they are compared.
  public let options: ObjectComparison.Options
  /// The entities whose objects the key path reads beyond the object itself.
  public let traversedEntities: Set<Entity>
  private let folding: StringFolding

  /// Makes a term of a path that was found.
  package init(
    path: BoundPath, isAscending: Bool, options: ObjectComparison.Options,
    traversedEntities: Set<Entity> = []
  ) {
    self.path = path
    self.traversedEntities = traversedEntities
    self.isAscending = isAscending
    self.options = options
    folding = StringFolding(options)
  }

  /// The term's key path when it ends in an attribute that no store has; nil otherwise.
  public var transientKeyPath: String? { path.isTransient ? path.string : nil }

  /// Returns the key by which something is sorted: the value at the end of the key path, folded as the
  /// options ask, null when a hop is nil.
  ///
  /// - Throws: what the source throws.
  public func value<Source: PredicateSource>(on source: Source) throws -> Value {
    folding.fold(try SourceReader(source: source).value(at: path))
  }

  /// Compares two keys that `value(on:)` returned: null first, or last when descending.
  public func order(_ left: Value, _ right: Value) -> ComparisonResult {
    let order = Value.sortOrder(left, right)
    return isAscending ? order : order.reversed
  }

  /// Compares two objects by the keys of all terms, which `value(on:)` returned at the positions of their
  /// terms; the first that differ decide.
  public static func order(
    _ left: [Value], _ right: [Value], by terms: [BoundSortTerm]
  ) -> ComparisonResult {
    for (index, term) in terms.enumerated() {
      let order = term.order(left[index], right[index])
      if order != .orderedSame { return order }
    }
    return .orderedSame
  }
}

extension SortTerm {
  /// Returns the term with its key path found in an entity.
  ///
  /// - Throws: `ObjectPredicateError` when the key path isn't there, leads through a to-many relationship or
  ///   ends in something without an order.
  public func bound(to entity: Entity) throws(ObjectPredicateError) -> BoundSortTerm {
    var resolver = PathResolver(entity: entity)
    let path = try resolver.resolve(keyPath)
    guard !path.isToMany else {
      throw ObjectPredicateError(
        .toManyKey, "a sort key must lead to one value, but this leads to many",
        entity: entity.name, keyPath: keyPath.string)
    }
    guard path.attributeType?.isOrdered ?? true else {
      throw ObjectPredicateError(
        .typeMismatch, "values of this type have no order", entity: entity.name,
        keyPath: keyPath.string)
    }
    guard options.isEmpty || path.attributeType == .string else {
      throw ObjectPredicateError(
        .invalidOptions, "string options need a string attribute", entity: entity.name,
        keyPath: keyPath.string)
    }
    return BoundSortTerm(
      path: path, isAscending: isAscending, options: options,
      traversedEntities: resolver.traversedEntities)
  }
}

public import Foundation

extension SortTerm {
  /// Makes a sort term of a Swift sort descriptor over a class of objects.
  ///
  /// Strings are sorted as Swift orders them.
  ///
  /// - Throws: `ObjectPredicateError` with code `unknownKey` for a key path that leads to no property,
  ///   `unsupported` for a descriptor with a comparator of its own.
  public init<Root: PropertyNaming>(
    lowering descriptor: SortDescriptor<Root>
  ) throws(ObjectPredicateError) {
    guard let keyPath = descriptor.keyPath else {
      throw ObjectPredicateError(
        .unsupported, "a sort descriptor without a key path can't be expressed")
    }
    if let comparator = descriptor.stringComparator, comparator != .lexical {
      throw ObjectPredicateError(
        .unsupported, "strings are sorted as Swift orders them, which is the comparator .lexical")
    }
    guard let name = Root.propertyName(of: keyPath) else {
      throw PropertyLookup.failure(
        Root.self, keyPath,
        "sort through a relationship with a SortTerm of the names: SortTerm(\"team.name\")")
    }
    self.init(name, ascending: descriptor.order == .forward)
  }
}

extension ObjectPredicate {
  /// Makes a predicate of a format string and the arguments for its placeholders.
  ///
  /// `%@` stands for a value, `%K` for a key path, `%d` and `%f` and their kin for numbers; placeholders in
  /// quotes are text. `docs/queries.md` has the grammar.
  ///
  ///     try ObjectPredicate("team.name == %@ AND age BETWEEN %@", "Crew", 18...21)
  ///
  /// - Complexity: the length of the format and the size of the arguments; a look-up for a short format
  ///   without arguments that was read before.
  /// - Throws: `ObjectPredicateError` with the offset at which the format is wrong, doesn't go with the
  ///   arguments, nests too deeply or uses what isn't offered.
  public init(
    _ format: String, _ arguments: (any PredicateArgument)?...
  ) throws(ObjectPredicateError) {
    try self.init(format, arguments: arguments)
  }

  /// Makes a predicate of a format string and a list of arguments for its placeholders.
  ///
  /// - Throws: `ObjectPredicateError`, as the other initializer.
  public init(
    _ format: String, arguments: [(any PredicateArgument)?]
  ) throws(ObjectPredicateError) {
    func read() throws(ObjectPredicateError) -> ObjectPredicate {
      var parser = try FormatParser(format, ArgumentList(arguments))
      return try parser.parse()
    }
    self = arguments.isEmpty ? try ParseCache.predicate(format, read) : try read()
  }
}

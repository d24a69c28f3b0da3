extension ObjectPredicate {
  /// Returns the predicate with arguments in place of its variables.
  ///
  ///     let template = try ObjectPredicate("age > $low AND team == $team")
  ///     let predicate = template.substituting(["low": 20, "team": crew])
  ///
  /// Variables that aren't named stay, so that a template can be filled in several steps; nil stands for
  /// NULL. Binding a predicate that still has variables is an error.
  ///
  /// - Complexity: the size of the predicate.
  public func substituting(_ arguments: [String: (any PredicateArgument)?]) -> ObjectPredicate {
    substituting(values: arguments.mapValues { $0?.predicateValue ?? .null })
  }
}

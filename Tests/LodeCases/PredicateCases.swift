import LodeModel

/// Predicates about the league, and the objects that match each.
///
/// Every case is run in four ways: on plain values, bound on pending objects, and on stored rows with and
/// without indexes.
package struct PredicateCases: Sendable, CustomStringConvertible {
  /// What the cases show.
  package let title: String
  /// The entity whose objects are asked.
  package let entityName: String
  /// Formats, and the tags of the objects that match, in the order of `LeagueRow.all`.
  package let answers: [(String, String)]

  init(_ title: String, of entityName: String, _ answers: [(String, String)]) {
    self.title = title
    self.entityName = entityName
    self.answers = answers
  }

  /// All cases.
  package static var all: [PredicateCases] { comparisons + expressions + edges }

  package var description: String { "\(title), of \(entityName)" }
}

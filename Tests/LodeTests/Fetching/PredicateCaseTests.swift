import Foundation
import Lode
import LodeCases
import LodeTesting
import Testing

/// The cases of predicates in stores, with and without indexes, before and after the save.
@Suite struct PredicateCaseTests {
  @Test(arguments: StoreKind.allCases)
  func `each case has its answer on stored rows without indexes`(_ kind: StoreKind) throws {
    try expectAnswers(kind, League.model(), isSaved: true)
  }

  @Test(arguments: StoreKind.allCases)
  func `each case has its answer on stored rows with indexes`(_ kind: StoreKind) throws {
    try expectAnswers(kind, League.indexedModel(), isSaved: true)
  }

  @Test func `each case has its answer on pending objects`() throws {
    try expectAnswers(.inMemory, League.indexedModel(), isSaved: false)
  }

  private func expectAnswers(
    _ kind: StoreKind, _ model: ManagedObjectModel, isSaved: Bool
  ) throws {
    try kind.withContainer(model) { container in
      let context = container.viewContext
      let tags = try insertLeague(into: context)
      if isSaved { try context.save() }
      for cases in PredicateCases.all {
        // Stores refuse what they don't keep.
        for (format, expected) in cases.answers where !format.contains("nickname") {
          do {
            let found = try context.fetchObjectIDs(context.request(cases.entityName, format))
            let answer = found.compactMap { tags[$0] }.joined(separator: " ")
            #expect(answer == expected, "\(format)")
          } catch { Issue.record("\(format): \(error)") }
        }
      }
    }
  }

  /// Inserts all rows, in whose order objects are found; returns the tags of the objects.
  private func insertLeague(
    into context: ManagedObjectContext
  ) throws -> [ManagedObjectID: String] {
    var objects: [String: ManagedObject] = [:]
    for row in LeagueRow.all {
      let object = try context.insert(row.entityName, row.values)
      for (name, tags) in row.related {
        object[toOne: name] = tags.first.flatMap { objects[$0] }
      }
      objects[row.tag] = object
    }
    for (team, bench) in LeagueRow.benches {
      objects[team]?[ordered: "bench"] = bench.compactMap { objects[$0] }
    }
    return Dictionary(uniqueKeysWithValues: objects.map { ($0.value.objectID, $0.key) })
  }
}

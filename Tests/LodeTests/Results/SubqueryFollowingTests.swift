import Foundation
import Lode
import LodeTesting
import Testing

/// Lists whose predicates read other objects by a subquery follow changes of those objects.
struct SubqueryFollowingTests {
  @Test(arguments: StoreKind.allCases)
  func `a list follows the members that its subquery reads`(_ kind: StoreKind) throws {
    try kind.withContainer(TestModels.league()) { container in
      let context = container.viewContext
      let crew = try context.insert("Team", ["name": .string("Crew")])
      let player = try context.insert("Player", ["age": .integer(19)])
      player[toOne: "team"] = crew
      try context.save()
      let controller = try FetchedResultsController<ManagedObject>.fetched(
        "Team", in: context, sort: [SortTerm("name")],
        predicate: ObjectPredicate(
          "SUBQUERY(players, $p, $p.age > 20 AND $p.email == nil).@count > 0"),
        delegate: ResultsRecorder())
      #expect(controller.numberOfObjects == 0)
      player["age"] = Int16(21)
      context.processPendingChanges()
      #expect(controller.numberOfObjects == 1)
      player["email"] = "x"
      try context.save()
      #expect(controller.numberOfObjects == 0)
    }
  }
}

import Foundation
import LodeMacros
import Testing

/// Key paths find the names of properties, at the root they are written with.
struct KeyPathTests {
  @Test func `a key path leads to its property's name`() {
    #expect(Team.propertyName(of: \Team.name) == "name")
    #expect(Team.propertyName(of: \Team.players) == "players")
    #expect(Sample.propertyName(of: \Sample.default) == "default")
  }

  @Test func `a key path of another class or to something else leads nowhere`() {
    #expect(Team.propertyName(of: \Player.lastName) == nil)
    #expect(Team.propertyName(of: \Team.hashValue) == nil)
    #expect(Team.propertyName(of: \Team.name.count) == nil)
    #expect(Sample.propertyName(of: \Sample.calls) == nil)
  }

  @Test func `inherited properties are found from every subclass`() {
    #expect(Engineer.propertyName(of: \Engineer.language) == "language")
    #expect(Engineer.propertyName(of: \Engineer.salary) == "salary")
    #expect(Engineer.propertyName(of: \Engineer.name) == "name")
    #expect(Engineer.propertyName(of: \Person.name) == "name")
    #expect(Engineer.propertyName(of: \Specialist.office) == "office")
    #expect(Person.propertyName(of: \Person.number) == "number")
    #expect(Person.propertyName(of: \Employee.salary) == nil)
    #expect(Engineer.propertyName(of: \Engineer.title) == nil)
  }

  @Test func `the object's ID is found from every class`() {
    #expect(Team.propertyName(of: \Team.objectID) == "objectID")
    #expect(Engineer.propertyName(of: \Engineer.id) == "objectID")
    #expect(Engineer.propertyName(of: \Person.objectID) == "objectID")
  }

  @Test func `Swift's predicates and sort descriptors find attributes, inherited ones too`() throws
  {
    let predicate = try ObjectPredicate(
      lowering: #Predicate<Player> { $0.team?.name == "Crew" && $0.lastName.starts(with: "G") })
    #expect(predicate == (try ObjectPredicate("team.name == 'Crew' AND lastName BEGINSWITH 'G'")))
    let inherited = try ObjectPredicate(
      lowering: #Predicate<Engineer> { $0.number > 3 && $0.language == "C" })
    #expect(inherited == (try ObjectPredicate("number > 3 AND language == 'C'")))
    #expect(try SortTerm(lowering: SortDescriptor(\Player.lastName)) == SortTerm("lastName"))
    #expect(
      try SortTerm(lowering: SortDescriptor(\Engineer.number, order: .reverse))
        == SortTerm("number", ascending: false))
  }
}

import Foundation
import LodeMacros
import Testing

/// An application's work with classes that macros declared: insert, relate, save, fetch.
struct WorkingTests {
  @Test func `objects are made, related, saved and fetched`() throws {
    let container = try PersistentContainer(model: try ManagedObjectModel(Team.self, Player.self))
    let context = container.viewContext
    let crew = Team(context: context)
    crew.name = "Crew"
    for lastName in ["Jordan", "Green", "Gill"] {
      let player = Player(context: context)
      player.lastName = lastName
      player.team = crew
    }
    #expect(crew.players.count == 3)
    try context.save()

    let request = FetchRequest<Player>(
      predicate: #Predicate { $0.team?.name == "Crew" && $0.lastName.starts(with: "G") },
      sortBy: [SortDescriptor(\.lastName), SortDescriptor(\.firstName)])
    let other = container.newBackgroundContext()
    try other.performAndWait {
      let players = try other.fetch(request)
      #expect(players.map(\.lastName) == ["Gill", "Green"])
      #expect(players.allSatisfy { $0.team?.name == "Crew" })
    }
  }

  @Test func `every form of value survives a save`() throws {
    let container = try PersistentContainer(model: try ManagedObjectModel(Sample.self))
    let sample = Sample(context: container.viewContext)
    sample.color = .green
    sample.level = .high
    sample.size = .large
    sample.address = .init(city: "Köln", zip: 50667)
    sample.tags = []
    sample.counts = ["x": 1]
    sample.url = URL(string: "file:///a")
    sample.objectReference = sample.objectID
    let uuid = sample.uuid
    try container.viewContext.save()

    let other = container.newBackgroundContext()
    try other.performAndWait {
      let stored = try #require(try other.fetch(FetchRequest<Sample>()).first)
      #expect(stored.color == .green && stored.level == .high && stored.size == .large)
      #expect(stored.address == .init(city: "Köln", zip: 50667) && stored.tags.isEmpty)
      #expect(stored.counts == ["x": 1] && stored.url == URL(string: "file:///a"))
      #expect(stored.uuid == uuid && stored.objectReference == stored.objectID)
      #expect(stored.string == "plain" && stored.decimal == 12 && stored.note == nil)
    }
  }

  @Test func `a fetch of a class finds its subclasses, as what they are`() throws {
    let model = try ManagedObjectModel(
      Person.self, Employee.self, Engineer.self, Office.self)
    let context = try PersistentContainer(model: model).viewContext
    let engineer = Engineer(context: context)
    engineer.name = "Ada"
    engineer.number = 1
    let employee = Employee(context: context)
    employee.number = 2
    try context.save()
    let people = try context.fetch(
      FetchRequest<Person>(predicate: nil, sortBy: [SortDescriptor(\.number)]))
    #expect(people == [engineer, employee])
    #expect((people.first as? Engineer)?.title == "Ada (Swift)")
    for _ in ["stored", "changed"] {
      #expect(try found(#Predicate { $0 is Engineer }, in: context) == [1])
      #expect(try found(#Predicate { !($0 is Engineer) }, in: context) == [2])
      #expect(try found(#Predicate { $0 is Employee }, in: context) == [1, 2])
      #expect(try found(#Predicate { ($0 as? Engineer)?.language == "Swift" }, in: context) == [1])
      #expect(try found(#Predicate { ($0 as? Engineer)?.language == nil }, in: context) == [2])
      #expect(try found(#Predicate { ($0 as? Employee)?.office == nil }, in: context) == [1, 2])
      employee.name = "Bo"
    }
  }

  private func found(
    _ predicate: Predicate<Person>, in context: ManagedObjectContext
  ) throws -> [Int] {
    try context.fetch(
      FetchRequest<Person>(predicate: predicate, sortBy: [SortDescriptor(\.number)])
    )
    .map(\.number)
  }
}

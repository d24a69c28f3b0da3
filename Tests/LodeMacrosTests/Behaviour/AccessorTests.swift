import Foundation
import LodeMacros
import Testing

/// Accessors read and set the property that bears their name.
struct AccessorTests {
  private let samples: ManagedObjectContext
  private let company: ManagedObjectContext

  init() throws {
    samples = try makeContext(Sample.self)
    company = try makeContext(Person.self, Employee.self, Engineer.self, Office.self)
  }

  @Test func `a new object has its defaults`() {
    let sample = Sample(context: samples)
    #expect(sample.boolean && sample.integer == -7 && sample.double == 1.5)
    #expect(sample.string == "plain" && sample.decimal == 12 && sample.float == 0.5)
    #expect(sample.date == nil && sample.address == nil && sample.level == nil)
    #expect(sample.color == .red && sample.size == .small && sample.rank == .first)
    #expect(sample.verse == "roses\n  are \"red\"" && sample.primes == [2, 3])
    #expect(sample.tags == ["a", "b"] && sample.counts.isEmpty && sample.default == 3)
  }

  @Test func `values that are computed are computed once for each object`() {
    let first = Sample(context: samples)
    let second = Sample(context: samples)
    #expect(first.uuid == first.uuid)
    #expect(first.uuid != second.uuid)
  }

  @Test func `values come back as they were set`() {
    let sample = Sample(context: samples)
    sample.integer16 = .min
    sample.data = Data([1, 2])
    sample.url = URL(string: "file:///a")
    sample.color = .green
    sample.level = .high
    sample.size = .large
    sample.rank = .second
    sample.address = .init(city: "Köln", zip: 50667)
    sample.tags.append("c")
    sample.counts["x"] = 1
    sample.default = nil
    sample.note = "n"
    sample.guardedIncrement()
    #expect(sample.integer16 == .min && sample.data == Data([1, 2]))
    #expect(sample.url == URL(string: "file:///a") && sample.color == .green)
    #expect(sample.level == .high && sample.size == .large && sample.rank == .second)
    #expect(sample.address == .init(city: "Köln", zip: 50667))
    #expect(sample.tags == ["a", "b", "c"] && sample.counts == ["x": 1])
    #expect(sample.default == nil && sample.note == "n" && sample.guarded == 1)
  }

  @Test func `each accessor has the slot of its property`() throws {
    let engineer = Engineer(context: company)
    engineer.number = 1
    engineer.name = "Ada"
    engineer.salary = 2
    engineer.language = "C"
    let values: [String: Value] = [
      "number": .integer(1), "name": .string("Ada"), "salary": .decimal(2),
      "language": .string("C"), "badge": .uuid(engineer.badge),
    ]
    for (name, value) in values {
      let property = try #require(engineer.entity.property(named: name))
      #expect(stored(property, of: engineer) == value, "\(name)")
    }
    #expect(engineer.title == "Ada (C)")
  }

  private func stored(_ property: Property, of object: ManagedObject) -> Value? {
    func value<T: AttributeValue>(_ type: T.Type) -> Value? {
      let value: T? = object.attribute(property.slot)
      return value?.value
    }
    return switch property.attribute?.type {
    case .integer64: value(Int.self)
    case .string: value(String.self)
    case .decimal: value(Decimal.self)
    case .uuid: value(UUID.self)
    default: nil
    }
  }

  @Test func `relationships lead to objects, in order where they are arrays`() {
    let office = Office(context: company)
    let staff = (0..<5).map { _ in Employee(context: company) }
    office.staff = staff
    #expect(office.staff == staff)
    office.staff.swapAt(0, 4)
    #expect(office.staff == [staff[4], staff[1], staff[2], staff[3], staff[0]])
    office.owner = staff[2]
    #expect(office.owner === staff[2])
    #expect(office.neighbours.isEmpty)
  }

  @Test func `an unmodeled property belongs to the Swift object`() {
    let sample = Sample(context: samples)
    var count = 0
    sample.calls.append { count += 1 }
    sample.calls[0]()
    #expect(count == 1)
  }

  @Test func `reading a required relationship that is not set stops the program`() async {
    await #expect(processExitsWith: .failure) {
      let office = Office(context: try makeContext(Office.self))
      _ = office.owner
    }
  }
}

private func makeContext(_ classes: ManagedObject.Type...) throws -> ManagedObjectContext {
  try PersistentContainer(model: try ManagedObjectModel(classes: classes)).viewContext
}

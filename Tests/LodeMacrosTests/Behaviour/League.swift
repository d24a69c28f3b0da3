import Foundation
import LodeMacros

// The models of the tests, written as an application writes them.

@Model final class Team: ManagedObject {
  @Attribute(.unique) var name: String = ""
  var uniformColor: String?
  @Relationship(deleteRule: .cascade, inverse: \.team) var players: Set<Player>
}

@Model final class Player: ManagedObject {
  @Attribute(.indexed) var lastName: String = ""
  var firstName: String = ""
  var email: String?
  var joined: Date = .now
  @Relationship(deleteRule: .nullify, inverse: \.players) var team: Team?
}

/// One attribute of every form.
@Model final class Sample: ManagedObject {
  enum Color: String { case red, green }
  enum Level: Int16 { case low = 1, high = 2 }
  struct Address: Codable, Equatable {
    var city: String
    var zip: Int
  }
  /// Both `Codable` and stored by its raw value: the raw value is what is stored.
  enum Size: String, Codable { case small, large }

  /// Has a raw value, but says itself how it is stored.
  enum Rank: String, AttributeValue {
    case first, second

    static var attributeType: AttributeType { .boolean }
    init?(value: Value) {
      guard let isFirst = Bool(value: value) else { return nil }
      self = isFirst ? .first : .second
    }
    var value: Value { .boolean(self == .first) }
  }

  var boolean = true
  var integer = -7
  var double = 1.5
  var string = "plain"
  var verse = """
    roses
      are "red"
    """
  var integer16: Int16 = 16
  var integer32: Int32 = 32
  var integer64: Int64 = 64
  var float: Float = 0.5
  var decimal: Decimal = 12
  var date: Date?
  var data: Data?
  var uuid: UUID = UUID()
  var url: URL?
  var objectReference: ManagedObjectID?
  var color: Color = .red
  var level: Level?
  var size: Size = .small
  var rank: Rank = .first
  var address: Address?
  var tags: [String] = ["a", "b"]
  var counts: [String: Int] = [:]
  var primes: [Int] = {
    // Evaluated for each object.
    [2, 3]
  }()
  var `default`: Swift.Optional<Int> = 3
  @Attribute(.transient) var note: String?
  private(set) var guarded = 0
  @Unmodeled var calls: [() -> Void] = []

  func guardedIncrement() { guarded += 1 }
}

@Model(isAbstract: true) class Person: ManagedObject {
  @Attribute(.unique) var number = 0
  var name: String?
}

@Model class Employee: Person {
  var salary: Decimal = 0
  @Relationship(inverse: \Office.staff) var office: Office?
}

/// A class between two models that is none itself.
class Specialist: Employee {
  var title: String { "\(name ?? "") (\(field))" }
  var field: String { "general" }
}

@Model final class Engineer: Specialist {
  override var field: String { language }
  var language: String = "Swift"
  var badge: UUID = UUID()
}

@Model(
  originalName: "Branch", hashModifier: "2", uniqueness: [["city", "street"]],
  indexes: [
    FetchIndexDescription(
      "place", elements: [.init("city"), .init("street", isAscending: false)])
  ])
final class Office: ManagedObject {
  @Attribute(originalName: "town", hashModifier: "b") var city: String = ""
  var street: String?
  @Relationship(
    deleteRule: .deny, originalName: "people", hashModifier: "c", minimumCount: 1, maximumCount: 9)
  var staff: [Employee]
  @Relationship var owner: Person
  @Relationship(inverse: \.neighbours) var neighbours: Set<Office>
}

enum Archive {
  @Model final class Paper: ManagedObject {
    var text = ""
    @Relationship fileprivate var marks: Set<Mark>
  }

  @Model fileprivate final class Mark: ManagedObject {
    private var hidden = 0
    @Relationship(inverse: \.marks) var paper: Paper?
  }

  static var models: [ManagedObject.Type] { [Paper.self, Mark.self] }
}

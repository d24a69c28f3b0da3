/// The data of the benchmark and the choices its operations make, all from fixed seeds.
///
/// A league of `objectCount` players in teams of 25: ten properties a player, five of them strings, one a
/// text of about 200 bytes. Player numbers start at 1; each is made independently of the others.
struct Workload {
  struct Team {
    var id: Int64
    var name: String
    var uniformColor: String
  }

  struct Player {
    var id: Int64
    var firstName: String
    var lastName: String
    var email: String
    /// Whole seconds.
    var birthDate: Double
    var height: Double
    var position: String
    var biography: String
    var active: Bool
    var teamID: Int64
  }

  /// A multiple of 50.
  let objectCount: Int
  private let words = WordList()

  init(objectCount: Int) {
    precondition(objectCount > 0 && objectCount % 50 == 0, "a multiple of 50")
    self.objectCount = objectCount
  }

  var teamCount: Int { objectCount / 25 }
  var lastNameCount: Int { objectCount / 50 }

  func lastName(_ index: Int) -> String { words.lastName(index) }

  var teams: [Team] {
    (1...teamCount).map { number in
      Team(
        id: Int64(number), name: words.capitalized(128 + number % 1_872) + " United \(number)",
        uniformColor: Self.colors[number % 8])
    }
  }

  /// The players of the store; `count` of them from the first when given.
  func players(count: Int? = nil) -> [Player] {
    (0..<(count ?? objectCount)).map(player(at:))
  }

  /// The player at an index from 0; indexes from `objectCount` on are extra objects for single commits.
  func player(at index: Int) -> Player {
    let seed = (UInt64(index) &+ 1) &* 0xD134_2543_DE82_EF95 ^ 0x4C6F_6465
    var random = SplitMix64(seed: seed)
    let id = Int64(index) + 1
    let firstName = words.firstName(random.next(below: 400))
    let lastName = words.lastName(random.next(below: lastNameCount))
    let birthDate = Double(random.next() % 1_419_120_000) - 1_262_304_000
    let height = 1.5 + Double(random.next() % 6_000) / 10_000
    let position = Self.positions[random.next(below: 8)]
    let active = random.next() & 3 != 0
    let team = index < objectCount ? index * 7_919 : index + 1
    return Player(
      id: id, firstName: firstName, lastName: lastName,
      email: "\(firstName).\(lastName)\(id)@example.com".lowercased(), birthDate: birthDate,
      height: height, position: position, biography: biography(&random), active: active,
      teamID: Int64(1 + team % teamCount))
  }

  private func biography(_ random: inout SplitMix64) -> String {
    var text = ""
    text.reserveCapacity(224)
    var sentenceLength = 8 + random.next(below: 8)
    var wordCount = 0
    while true {
      let draw = random.next() >> 48
      let index = Int((draw &* draw &* draw &* 2_000) >> 48)
      text += wordCount == 0 ? words.capitalized(index) : words[index]
      wordCount += 1
      if text.utf8.count >= 200 { return text + "." }
      if wordCount == sentenceLength {
        text += "."
        sentenceLength = 8 + random.next(below: 8)
        wordCount = 0
      }
      text += " "
    }
  }

  static let positions = [
    "goalkeeper", "centre back", "full back", "wing back", "midfielder", "playmaker", "winger",
    "striker",
  ]
  private static let colors = [
    "red", "blue", "green", "white", "black", "yellow", "claret", "sky blue",
  ]
}

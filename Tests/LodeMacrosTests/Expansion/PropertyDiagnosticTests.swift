import Testing

/// What the macros refuse in a property, where they say so, and what their fix makes of it.
struct PropertyDiagnosticTests {
  struct Refusal: CustomTestStringConvertible {
    let property: String
    /// `column message` of each diagnostic; the message up to where it is enough.
    let expected: [String]
    let mended: String?

    init(_ property: String, _ expected: String..., mended: String? = nil) {
      self.property = property
      self.expected = expected
      self.mended = mended
    }

    var testDescription: String { property }

    func check(sourceLocation: SourceLocation) {
      let expansion = Expansion("@Model class Note: ManagedObject {\n\(property)\n}")
      #expect(
        expansion.diagnostics.count == expected.count, "\(expansion.diagnostics)",
        sourceLocation: sourceLocation)
      for (found, start) in zip(expansion.diagnostics, expected) {
        #expect(found.hasPrefix("2:" + start), sourceLocation: sourceLocation)
      }
      let lines = expansion.mended.split(separator: "\n")
      #expect(lines[1] == mended ?? property, sourceLocation: sourceLocation)
    }
  }

  @Test(arguments: [
    Refusal(
      "let name: String = \"\"", "1 a property of a model is a var",
      mended: "var name: String = \"\""),
    Refusal("var a = 1, b = 2", "1 declare each property of a model on its own"),
    Refusal("var (a, b) = (1, 2)", "5 a property of a model has one name"),
    Refusal(
      "lazy var name: String = \"\"", "1 a property of a model can't be lazy",
      mended: "var name: String = \"\""),
    Refusal(
      "weak var team: Team?", "1 a relationship is never weak", mended: "var team: Team?"),
    Refusal(
      "@Relationship unowned var team: Team?", "15 a relationship is never unowned",
      mended: "@Relationship var team: Team?"),
    Refusal("var n: Int = 0 { didSet {} }", "16 a property of a model can't have willSet"),
    Refusal("override var name: String = \"\"", "1 a property of a model can't override"),
    Refusal("var description: String = \"\"", "5 every managed object has a “description”"),
    Refusal("var `self`: String?", "5 every managed object has a “self”"),
  ])
  func `a declaration that is no plain variable is refused`(refusal: Refusal) {
    refusal.check(sourceLocation: #_sourceLocation)
  }

  @Test(arguments: [
    Refusal(
      "var block: () -> Void = {}",
      "12 “() -> Void” can't be stored: it is a function. Attributes hold values of the standard "
        + "types, enumerations with a raw value and Codable types; @Unmodeled keeps a property out of "
        + "the model"),
    Refusal("var block: (@Sendable () -> Void)?", "12 “(@Sendable () -> Void)?” can't be stored"),
    Refusal("var pair: (Int, Int) = (1, 2)", "11 “(Int, Int)” can't be stored: it is a tuple"),
    Refusal("var none: Void = ()", "11 “Void” can't be stored: it is a tuple"),
    Refusal("var type: Int.Type = Int.self", "11 “Int.Type” can't be stored: it is a type"),
    Refusal("var thing: Any?", "12 “Any?” can't be stored: it is a value whose type is known only"),
    Refusal("var thing: any P = x", "12 “any P” can't be stored: it is a value whose type"),
    Refusal("var thing: P & Q = x", "12 “P & Q” can't be stored: it is a value whose type"),
    Refusal("var thing: AnyObject?", "12 “AnyObject?” can't be stored: it is any object at all"),
    Refusal("var twice: Int??", "12 “Int??” can't be stored: it is an optional of an optional"),
    Refusal("var list: [Any] = []", "11 “[Any]” can't be stored: it holds a value whose type"),
    Refusal(
      "var map: [String: [() -> Void]] = [:]",
      "10 “[String: [() -> Void]]” can't be stored: it holds a function"),
    Refusal("var set: Swift.Set<AnyHashable> = []", "10 “Swift.Set<AnyHashable>” can't be stored"),
    Refusal(
      "var n: UInt64 = 0", "8 no attribute type holds every “UInt64”", mended: "var n: Int64 = 0"),
    Refusal(
      "var n: UInt8?", "8 no attribute type holds every “UInt8”", mended: "var n: Int16?"),
  ])
  func `a type that cannot be stored is refused in words`(refusal: Refusal) {
    refusal.check(sourceLocation: #_sourceLocation)
  }

  @Test(arguments: [
    Refusal(
      "var name: String", "5 an attribute that isn't optional needs a value for new objects",
      mended: "var name: String = \"\""),
    Refusal(
      "var tags: [String]", "5 an attribute that isn't optional needs a value",
      mended: "var tags: [String] = []"),
    Refusal(
      "var counts: [String: Int]", "5 an attribute that isn't optional needs a value",
      mended: "var counts: [String: Int] = [:]"),
    Refusal(
      "var team: Team",
      "5 an attribute that isn't optional needs a value for new objects: write “= …” or make it "
        + "optional; a relationship needs @Relationship before it", mended: "var team: Team?"),
    Refusal(
      "var name: String!", "11 a property of a model is either optional or not",
      mended: "var name: String?"),
    Refusal(
      "var made = Date()", "5 a property of a model needs its type written out",
      mended: "var made: Date = Date()"),
    Refusal("var id2 = UUID.make()", "5 a property of a model needs its type written out"),
  ])
  func `a property without value or type is refused`(refusal: Refusal) {
    refusal.check(sourceLocation: #_sourceLocation)
  }

  @Test(arguments: [
    Refusal(
      "@Attribute @Attribute(.unique) var n = 0", "12 @Attribute is given twice",
      mended: "@Attribute var n = 0"),
    Refusal(
      "@Attribute(.unique) @Relationship var team: Team?",
      "1 a property is an attribute or a relation",
      mended: "@Relationship var team: Team?"),
    Refusal("@Attribute(.unique) var data: Data?", "31 “Data” has no order"),
    Refusal("@Attribute(.indexed) var tags: [String] = []", "32 “[String]” has no order"),
    Refusal("@Attribute(.unique, .transient) var n = 0", "1 a transient attribute is never stored"),
    Refusal("@Attribute(.unique, .unique) var n = 0", "21 .unique is given twice"),
    Refusal("@Attribute(options) var n = 0", "12 write the option out here"),
    Refusal("@Attribute(originalName: \"\") var n = 0", "26 the original name is empty"),
    Refusal(
      "@Attribute static var n = 0", "1 @Attribute describes a stored property of objects",
      mended: "static var n = 0"),
    Refusal(
      "@Attribute var n: Int { 0 }", "1 @Attribute describes a stored property of objects",
      mended: "var n: Int { 0 }"),
    Refusal(
      "@Unmodeled func n() {}", "1 @Unmodeled describes a stored property of objects",
      mended: "func n() {}"),
    Refusal(
      "@Unmodeled @Attribute(.unique) var n = 0", "12 a property that is not in the model",
      mended: "@Unmodeled var n = 0"),
  ])
  func `an attribute's arguments that contradict are refused`(refusal: Refusal) {
    refusal.check(sourceLocation: #_sourceLocation)
  }

  @Test(arguments: [
    Refusal("@Relationship var names: Set<String>", "26 a relationship leads to objects"),
    Refusal("@Relationship var when: Date?", "25 a relationship leads to objects"),
    Refusal("@Relationship var pair: (Team, Team)", "25 a relationship leads to objects"),
    Refusal("@Relationship var map: [String: Team]", "24 a relationship leads to objects"),
    Refusal("@Relationship var players: Set<Player?>", "28 a relationship leads to objects"),
    Refusal("@Relationship var grid: [[Player]]", "25 a relationship leads to objects"),
    Refusal(
      "@Relationship var players: Set<Player>?", "28 a relationship to many objects is empty",
      mended: "@Relationship var players: Set<Player>"),
    Refusal(
      "@Relationship(maximumCount: 3) var team: Team?", "15 only a relationship to many objects has"
    ),
    Refusal(
      "@Relationship(minimumCount: 3, maximumCount: 2) var players: [Player]",
      "1 at least 3 and at most 2 can't both hold"),
    Refusal(
      "@Relationship(inverse: \\.team.league) var players: Set<Player>",
      "24 the inverse is a key path to one property"),
    Refusal(
      "@Relationship(inverse: key) var players: Set<Player>",
      "24 the inverse is a key path to one property"),
    Refusal("@Relationship var team: Team? = Team()", "33 a relationship of a new object is empty"),
    Refusal(
      "@Relationship var players: [Player] = [a]", "39 a relationship of a new object is empty"),
    Refusal("@Relationship var team = nil", "19 a property of a model needs its type written out"),
  ])
  func `a relationship that leads nowhere is refused`(refusal: Refusal) {
    refusal.check(sourceLocation: #_sourceLocation)
  }

  @Test func `a property under a condition is refused`() {
    let expansion = Expansion(
      """
      @Model class Note: ManagedObject {
        #if DEBUG
          var n = 0
        #endif
        #if DEBUG
          func f() {}
        #endif
      }
      """)
    #expect(expansion.diagnostics.count == 1)
    #expect(
      expansion.diagnostics.first?.hasPrefix("2:3 a property of a model can't depend on") ?? false)
  }

  @Test func `every wrong property is diagnosed at once and the right ones expand`() {
    let expansion = Expansion(
      """
      @Model class Note: ManagedObject {
        var a: String
        var b: Any?
        var c = 0
      }
      """)
    #expect(expansion.diagnostics.map { $0.prefix(3) } == ["2:7", "3:10".prefix(3)])
    #expect(expansion.text.contains("attribute(_Slot.c, default: 0)"))
  }

  @Test(arguments: [
    "private(set) var n = 0", "private var n: Int?", "var n: Optional<Int>", "var text = \"\\(1)\"",
    "var n: Int? = nil",
    "var n: Swift.Optional<Swift.String> = \"\"", "@Relationship var team: (Team)? = nil",
    "@Relationship var players: Array<Player> = []", "@Attribute var n: (Int) = -1",
    "@Attribute(.indexed, originalName: \"m\", hashModifier: \"2\") var n = 1.5",
    "@Unmodeled let n = 0", "@Unmodeled lazy var n = 0", "@available(*, deprecated) var n = true",
    "@LodeMacros.Attribute(.unique) var n = 0",
  ])
  func `what can be stored is not refused`(property: String) {
    let expansion = Expansion("@Model class Note: ManagedObject {\n\(property)\n}")
    #expect(expansion.diagnostics.isEmpty)
  }
}

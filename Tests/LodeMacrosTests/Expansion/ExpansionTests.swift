import Testing

/// The text that the macros write. What it does is tested by compiling it, in `Behaviour`.
struct ExpansionTests {
  @Test func `properties become accessors by slot and an entity`() {
    let expansion = Expansion(
      """
      @Model final class Team: ManagedObject {
        @Attribute(.unique) var name: String = ""
        var uniformColor: String?
        @Relationship(deleteRule: .cascade, inverse: \\.team) var players: Set<Player>
      }
      """)
    #expect(expansion.diagnostics.isEmpty)
    #expect(expansion.text == teamExpansion)
  }

  @Test func `a subclass continues the slots of its superclass`() {
    let expansion = Expansion(
      """
      @Model(originalName: "Forward") public class Striker: League.Player {
        public var goals = 0
        var scored: Date = .now
      }
      """)
    #expect(expansion.diagnostics.isEmpty)
    #expect(expansion.text == strikerExpansion)
  }

  @Test func `each form of a relationship has its own accessors`() {
    let expansion = Expansion(
      """
      @Model final class Match: ManagedObject {
        @Relationship(inverse: \\Team.matches) var home: Team
        @Relationship(minimumCount: 2) var officials: [Referee] = []
      }
      """)
    #expect(expansion.diagnostics.isEmpty)
    for line in [
      "_requiredToOne(_Slot.home)", "setToOne(_Slot.home, newValue)", "ordered(_Slot.officials)",
      "setOrdered(_Slot.officials, newValue)",
      "entity.toOne(\"home\", to: Team.self, inverse: _inverse_home)",
      "let inverse: KeyPath<Team, _> = \\Team.matches",
      "entity.ordered(\"officials\", to: Referee.self, minimumCount: 2)",
    ] {
      #expect(expansion.text.contains(line))
    }
  }

  @Test func `computed, static and unmodeled properties stay as they are`() {
    let expansion = Expansion(
      """
      @Model final class Team: ManagedObject {
        static let limit = 5
        class var league: String { "A" }
        var title: String { name }
        @Unmodeled var cache: [String: () -> Void] = [:]
        var name: String = ""
      }
      """)
    #expect(expansion.diagnostics.isEmpty)
    #expect(expansion.text.contains("\n  static let limit = 5\n"))
    #expect(expansion.text.contains("\n  var cache: [String: () -> Void] = [:]\n"))
    #expect(
      expansion.text.contains(
        """
          private enum _Slot {
            static var name: Int {
              0
            }
          }
        """))
  }

  @Test func `names in backticks lose them in the entity`() {
    let expansion = Expansion(
      "@Model final class Note: ManagedObject { var `default`: Bool = false }")
    #expect(expansion.text.contains("static var `default`: Int"))
    #expect(expansion.text.contains("entity.attribute(\"default\", Bool.self, default: false)"))
  }

  @Test(arguments: [
    ("open", "open override class var"), ("public", "public override class var"),
    ("package final", "package override class var"), ("final", "  override class var"),
    ("private final", "  override class var"),
  ])
  func `members are as visible as their class`(modifiers: String, expected: String) {
    let expansion = Expansion("@Model \(modifiers) class Note: ManagedObject { var n = 0 }")
    #expect(expansion.text.contains(expected))
  }
}

private let teamExpansion = """
  final class Team: ManagedObject {
    var name: String {
      get {
        attribute(_Slot.name, default: "")
      }
      set {
        setAttribute(_Slot.name, newValue)
      }
    }
    var uniformColor: String? {
      get {
        attribute(_Slot.uniformColor)
      }
      set {
        setAttribute(_Slot.uniformColor, newValue)
      }
    }
    var players: Set<Player> {
      get {
        toMany(_Slot.players)
      }
      set {
        setToMany(_Slot.players, newValue)
      }
    }
    private static var _inverse_players: String {
      let inverse: KeyPath<Player, _> = \\Player.team
      return _DeclaredEntity.name("team", ofInverse: inverse, of: Team.self)
    }
    private enum _Slot {
      static var name: Int {
        0
      }
      static var players: Int {
        1
      }
      static var uniformColor: Int {
        2
      }
    }
    private static let _declaredEntity: EntityDescription = {
      var entity = _DeclaredEntity("Team", of: Team.self)
      entity.attribute("name", String.self, default: "", options: [.unique])
      entity.toMany("players", to: Player.self, inverse: _inverse_players, deleteRule: .cascade)
      entity.attribute("uniformColor", String.self, isOptional: true)
      return entity.description
    }()
    override class var entityDescription: EntityDescription? {
      _declaredEntity
    }
    override class var propertyCount: Int {
      3
    }
    override class func propertyName(of keyPath: AnyKeyPath) -> String? {
      switch keyPath {
      case \\Team.name:
        "name"
      case \\Team.players:
        "players"
      case \\Team.uniformColor:
        "uniformColor"
      default:
        super.propertyName(of: keyPath)
      }
    }
  }
  """

private let strikerExpansion = """
  public class Striker: League.Player {
    public var goals {
      get {
        attribute(_Slot.goals, default: 0)
      }
      set {
        setAttribute(_Slot.goals, newValue)
      }
    }
    var scored: Date {
      get {
        attribute(_Slot.scored, default: .now)
      }
      set {
        setAttribute(_Slot.scored, newValue)
      }
    }
    private enum _Slot {
      static var goals: Int {
        League.Player.propertyCount + 0
      }
      static var scored: Int {
        League.Player.propertyCount + 1
      }
    }
    private static let _declaredEntity: EntityDescription = {
      var entity = _DeclaredEntity("Striker", of: Striker.self, inheriting: League.Player.self, originalName: "Forward")
      entity.attribute("goals", Int.self, default: 0)
      entity.attribute("scored", Date.self)
      return entity.description
    }()
    public override class var entityDescription: EntityDescription? {
      _declaredEntity
    }
    public override class var propertyCount: Int {
      League.Player.propertyCount + 2
    }
    public override class func propertyName(of keyPath: AnyKeyPath) -> String? {
      switch keyPath {
      case \\Striker.goals:
        "goals"
      case \\Striker.scored:
        "scored"
      default:
        (type(of: keyPath).rootType as? any (Striker & PropertyNaming).Type).flatMap {
          _name(of: keyPath, in: $0)
        } ?? super.propertyName(of: keyPath)
      }
    }
    private static func _name<Root: Striker & PropertyNaming>(of keyPath: AnyKeyPath, in root: Root.Type) -> String? {
      switch keyPath {
      case \\Root.goals:
        "goals"
      case \\Root.scored:
        "scored"
      default:
        nil
      }
    }
    public override func setInitialValues() {
      super.setInitialValues()
      scored = .now
    }
  }
  """

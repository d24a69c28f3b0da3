import Foundation
import Testing

/// What the compiler refuses of classes that the macros let pass, because only it knows what names mean.
@Suite(.enabled(if: Compiler.isAvailable, "the modules lie beside the tests, the compiler in PATH"))
struct CompilerTests {
  @Test func `a type that cannot be stored is refused at the property`() throws {
    let errors = try Compiler.errors(
      """
      struct Plain {}
      @Model final class Note: ManagedObject {
        var plain: Plain?
        var letter: Character = "a"
        var other: Note?
        var others: Set<Note> = []
        var list: [Note] = []
      }
      """)
    let unstorable = "this type can't be stored: attributes hold the standard types"
    for property in ["plain", "letter"] {
      #expect(errors[property]?.contains(unstorable) ?? false, "\(property)")
    }
    let unmarked =
      "a property that leads to objects is a relationship: write @Relationship before it"
    for property in ["other", "others", "list"] {
      #expect(errors[property]?.contains(unmarked) ?? false, "\(property)")
    }
    #expect(errors.count == 5, "\(errors)")
  }

  @Test func `an inverse that is not there or leads elsewhere is refused at the property`() throws {
    let errors = try Compiler.errors(
      """
      @Model final class Note: ManagedObject {
        @Relationship(inverse: \\.missing) var first: Page?
        @Relationship(inverse: \\.next) var second: Page?
        @Relationship(inverse: \\Page.title) var third: Page?
        @Relationship(inverse: \\.notes) var fourth: Page?
      }
      @Model final class Page: ManagedObject {
        var title = ""
        @Relationship var next: Page?
        @Relationship(inverse: \\.fourth) var notes: Set<Note>
      }
      """)
    #expect(errors["first"]?.contains("value of type 'Page' has no member 'missing'") ?? false)
    let elsewhere = "the inverse must be a relationship that leads back to this class"
    #expect(errors["second"]?.contains(elsewhere) ?? false)
    #expect(errors["third"]?.contains(elsewhere) ?? false)
    #expect(errors.count == 3, "\(errors)")
  }

  @Test func `a relationship to what is no object is refused at the property`() throws {
    let errors = try Compiler.errors(
      """
      struct Plain: Hashable {}
      @Model final class Note: ManagedObject {
        @Relationship var one: Plain?
        @Relationship var many: Set<Plain>
        @Relationship var sorted: [Plain]
      }
      """)
    let message = "a relationship leads to a model class; this type is none"
    for property in ["one", "many", "sorted"] {
      #expect(errors[property]?.contains(message) ?? false, "\(property)")
    }
    #expect(errors.count == 3, "\(errors)")
  }

  @Test func `what the macros refuse, the compiler does not refuse once more`() throws {
    let errors = try Compiler.errors(
      """
      @Model class Note { var n = 0 }
      @Model final class Page: ManagedObject {
        var name: String
        let title = ""
        lazy var text: String = ""
        var block: () -> Void
      }
      """)
    #expect(errors.keys.sorted() == ["line 1", "line 3", "line 4", "line 5", "line 6"])
    for (place, text) in errors { #expect(text.count { $0 == "\n" } == 1, "\(place): \(text)") }
  }

  @Test(arguments: ["README.md", "docs/models.md"])
  func `the examples of the documents compile`(document: String) throws {
    let text = try String(
      contentsOf: Compiler.root.appendingPathComponent(document), encoding: .utf8)
    let examples = text.components(separatedBy: "```swift\n").dropFirst()
      .compactMap { $0.components(separatedBy: "```").first }
    #expect(!examples.isEmpty)
    for example in examples {
      let errors = try Compiler.errors(
        "import Foundation; let folder = URL(fileURLWithPath: \"/\")\n" + example)
      #expect(errors.isEmpty, "\(errors)")
    }
  }

  @Test func `two full key paths that need each other are the one form that fails`() throws {
    func errors(_ players: String, _ team: String) throws -> [String: String] {
      try Compiler.errors(
        """
        @Model final class Team: ManagedObject {
          @Relationship(inverse: \(players)) var players: Set<Player>
        }
        @Model final class Player: ManagedObject {
          @Relationship(inverse: \(team)) var team: Team?
        }
        """)
    }
    #expect(try errors("\\.team", "\\.players").isEmpty)
    #expect(try errors("\\Player.team", "\\.players").isEmpty)
    #expect(try errors("\\.team", "\\Team.players").isEmpty)
    let circular = try errors("\\Player.team", "\\Team.players").values.joined()
    #expect(circular.contains("circular reference"))
  }
}

/// The compiler, as an application's build would run it.
private enum Compiler {
  /// The folder of the package.
  static let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
    url.deletingLastPathComponent()
  }

  private static let products = URL(fileURLWithPath: CommandLine.arguments[0])
    .resolvingSymlinksInPath().deletingLastPathComponent()
  private static let plugin = products.appendingPathComponent("LodeMacrosPlugin-tool").path
  private static let modules = products.appendingPathComponent("Modules").path

  static var isAvailable: Bool {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return FileManager.default.fileExists(atPath: plugin)
      && FileManager.default.fileExists(atPath: modules + "/LodeMacros.swiftmodule")
      && folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/swiftc") }
  }

  /// Compiles a text behind `import LodeMacros`.
  ///
  /// - Returns: the errors, each on its line, by the name of the property for which a macro was expanded, or
  ///   by the line of the text.
  static func errors(_ text: String) throws -> [String: String] {
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("\(UUID().uuidString).swift")
    try "import LodeMacros; \(text)".write(to: file, atomically: true, encoding: .utf8)
    defer { try? FileManager.default.removeItem(at: file) }
    return parse(try run(arguments(file)), file.path)
  }

  private static func arguments(_ file: URL) -> [String] {
    let maps = ["CChecksum/include", "CLMDB", "CZstd"].flatMap {
      ["-Xcc", "-fmodule-map-file=\(root.path)/Sources/\($0)/module.modulemap"]
    }
    return [
      "swiftc", "-typecheck", file.path, "-swift-version", "6", "-I", modules,
      "-load-plugin-executable", "\(plugin)#LodeMacrosPlugin", "-diagnostic-style", "llvm",
    ] + maps
  }

  private static func run(_ arguments: [String]) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    let output = Pipe()
    process.standardError = output
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  /// An error in an expansion is followed by a note that names the property it was made for.
  private static func parse(_ output: String, _ path: String) -> [String: String] {
    var errors: [String: String] = [:]
    var expanded: Substring?
    for line in output.split(separator: "\n") {
      if line.hasPrefix("<unknown>") || line.hasPrefix("error:") {
        errors["compiler", default: ""] += line + "\n"
      } else if line.contains(": error: ") {
        let isDirect = line.hasPrefix(path + ":")
        expanded = isDirect ? nil : line
        guard isDirect else { continue }
        let number = line.dropFirst(path.count + 1).prefix { $0.isNumber }
        errors["line \(number)", default: ""] += line + "\n"
      } else if let error = expanded, let name = line.firstMatch(of: /on property '(\w+)' here/) {
        errors[String(name.1), default: ""] += error + "\n"
        expanded = nil
      }
    }
    return errors
  }
}

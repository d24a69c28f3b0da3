import Testing

@testable import LodeTool

struct ArgumentsTests {
  @Test func `the demonstration has a usual store and prints text`() throws {
    #expect(try invocation("demo league") == .demoLeague(DemoOptions()))
  }

  @Test(arguments: ["demo league --json --store /s", "demo league --store=/s --json"])
  func `options come in any order and either form`(line: String) throws {
    let options = DemoOptions(storePath: "/s", printsJSON: true)
    #expect(try invocation(line) == .demoLeague(options))
  }

  @Test(arguments: [
    ("", "no command given"),
    ("dance", "no command “dance”"),
    ("demo", "demo: which one? There is “league”"),
    ("demo cup", "demo: no demonstration “cup”; there is “league”"),
    ("demo league --store", "--store needs the path of a folder"),
    ("demo league --store --json", "--store needs the path of a folder"),
    ("demo league --store=", "--store needs the path of a folder"),
    ("demo league --store a --store b", "--store is given twice"),
    ("demo league --jason", "option “--jason” is not known here"),
    ("demo league --json=yes", "option “--json=yes” is not known here"),
    ("demo league now", "argument “now” is not known here"),
    ("version 2", "argument “2” is not known here"),
  ])
  func `a wrong command line is answered in words`(line: String, message: String) {
    #expect(throws: UsageError(message: message)) { try invocation(line) }
  }

  @Test(arguments: ["help", "--help", "help demo", "demo --help", "demo league -h", "help version"])
  func `help is there wherever it is asked for`(line: String) throws {
    guard case .help(let topic) = try invocation(line) else {
      Issue.record("not help")
      return
    }
    #expect(try Help.text(on: topic).contains("usage"))
  }

  @Test func `help on nothing we know is an error`() {
    #expect(throws: UsageError(message: "no help on “dance steps”")) {
      try Help.text(on: ["dance", "steps"])
    }
  }

  private func invocation(_ line: String) throws -> Invocation {
    try Invocation(arguments: line.split(separator: " ").map(String.init))
  }
}

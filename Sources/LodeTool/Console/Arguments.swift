/// What a command line asks for.
enum Invocation: Equatable {
  case help(topic: [String])
  case version
  case demoLeague(DemoOptions)
  case check(StorePathOptions)
  case stat(StorePathOptions)
  case backup(StorePathOptions, destination: String)
}

/// The options of commands that work on a store.
struct StorePathOptions: Equatable {
  /// The store's folder.
  var path: String
  /// Whether one JSON object is printed instead of text.
  var printsJSON = false
}

/// The options of `lode demo league`.
struct DemoOptions: Equatable {
  /// The store's folder; nil for the usual place.
  var storePath: String?
  /// Whether one JSON object is printed instead of text.
  var printsJSON = false
}

/// Why a command line can't be understood, in words for the person who typed it.
struct UsageError: Error, Equatable {
  var message: String
}

extension Invocation {
  /// Reads the arguments behind the program's name.
  ///
  /// - Throws: `UsageError` for an unknown or incomplete command and for wrong options.
  init(arguments: [String]) throws(UsageError) {
    guard let command = arguments.first else {
      throw UsageError(message: "no command given")
    }
    let rest = Array(arguments.dropFirst())
    switch command {
    case "help", "--help", "-h": self = .help(topic: rest)
    case "--version", "version":
      try Self.refuse(rest)
      self = .version
    case "demo": self = try Self.demo(rest)
    case "check", "stat", "backup":
      self =
        rest.contains(where: Self.isHelp) ? .help(topic: [command]) : try Self.store(command, rest)
    default: throw UsageError(message: "no command “\(command)”")
    }
  }

  private static func demo(_ arguments: [String]) throws(UsageError) -> Invocation {
    guard let name = arguments.first else {
      throw UsageError(message: "demo: which one? There is “league”")
    }
    if isHelp(name) { return .help(topic: ["demo"]) }
    guard name == "league" else {
      throw UsageError(message: "demo: no demonstration “\(name)”; there is “league”")
    }
    let rest = arguments.dropFirst()
    if rest.contains(where: isHelp) { return .help(topic: ["demo", "league"]) }
    return .demoLeague(try demoOptions(rest))
  }

  /// Reads the paths and options of a command that works on a store.
  private static func store(
    _ command: String, _ arguments: [String]
  ) throws(UsageError) -> Invocation {
    let paths = arguments.filter { !$0.hasPrefix("-") }
    try refuse(arguments.filter { $0.hasPrefix("-") && $0 != "--json" })
    let expected = command == "backup" ? ["PATH", "DEST"] : ["PATH"]
    guard paths.count >= expected.count else {
      throw UsageError(
        message: "\(command) needs \(expected.joined(separator: " and ")): the folder of a store"
          + (expected.count > 1 ? " and that of the copy" : ""))
    }
    try refuse(Array(paths.dropFirst(expected.count)))
    let options = StorePathOptions(
      path: paths[0], printsJSON: arguments.contains("--json"))
    switch command {
    case "check": return .check(options)
    case "stat": return .stat(options)
    default: return .backup(options, destination: paths[1])
    }
  }

  private static func demoOptions(_ arguments: ArraySlice<String>) throws(UsageError) -> DemoOptions
  {
    var options = DemoOptions()
    var rest = arguments
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      switch (String(parts[0]), parts.count) {
      case ("--json", 1): options.printsJSON = true
      case ("--store", 1): try options.setStore(rest.popFirst())
      case ("--store", _): try options.setStore(String(parts[1]))
      default: try refuse([argument])
      }
    }
    return options
  }

  private static func refuse(_ arguments: [String]) throws(UsageError) {
    guard let argument = arguments.first else { return }
    let kind = argument.hasPrefix("-") ? "option" : "argument"
    throw UsageError(message: "\(kind) “\(argument)” is not known here")
  }

  private static func isHelp(_ argument: String) -> Bool {
    argument == "--help" || argument == "-h"
  }
}

extension DemoOptions {
  fileprivate mutating func setStore(_ path: String?) throws(UsageError) {
    guard storePath == nil else { throw UsageError(message: "--store is given twice") }
    guard let path, !path.isEmpty, !path.hasPrefix("--") else {
      throw UsageError(message: "--store needs the path of a folder")
    }
    storePath = path
  }
}

import Foundation

/// The `lode` command, apart from its entry point.
package enum LodeCommand {
  static let version = "0.1.0"

  /// Does what the arguments behind the program's name ask for, and prints it.
  ///
  /// What goes wrong is said on the standard error output.
  ///
  /// - Returns: the exit code: 0 done, 1 the work failed, 2 the arguments were wrong.
  package static func run(arguments: [String]) async -> Int32 {
    do {
      try await run(Invocation(arguments: arguments))
      return 0
    } catch let error as UsageError {
      complain("\(error.message). “lode help” says what there is.")
      return 2
    } catch {
      complain("\(error)")
      return 1
    }
  }

  private static func run(_ invocation: Invocation) async throws {
    switch invocation {
    case .help(let topic): print(try Help.text(on: topic))
    case .version: print("lode \(version)")
    case .demoLeague(let options): try await demonstrate(options)
    }
  }

  private static func demonstrate(_ options: DemoOptions) async throws {
    let environment = ProcessInfo.processInfo.environment
    let place = options.storePath.map { URL(filePath: $0, directoryHint: .isDirectory) }
    let demo = LeagueDemo(
      storeURL: place ?? StorePlace.league(environment: environment),
      paint: options.printsJSON ? .plain : .forStandardOutput(environment: environment),
      write: options.printsJSON ? { _ in } : { print($0) })
    let report = try await demo.run()
    if options.printsJSON { print(try report.json()) }
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("lode: \(text)\n".utf8))
  }
}

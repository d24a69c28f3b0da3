import Foundation

/// The `lode` command, apart from its entry point.
package enum LodeCommand {
  static let version = "0.1.0"

  /// Does what the arguments behind the program's name ask for, and prints it.
  ///
  /// What goes wrong is said on the standard error output.
  ///
  /// - Returns: the exit code: 0 done, 1 the work failed or a check found faults, 2 the arguments were
  ///   wrong.
  package static func run(arguments: [String]) async -> Int32 {
    do {
      return try await run(Invocation(arguments: arguments)) ? 0 : 1
    } catch let error as UsageError {
      complain("\(error.message). “lode help” says what there is.")
      return 2
    } catch {
      complain("\(error)")
      return 1
    }
  }

  private static func run(_ invocation: Invocation) async throws -> Bool {
    switch invocation {
    case .help(let topic): print(try Help.text(on: topic))
    case .version: print("lode \(version)")
    case .demoLeague(let options): try await demonstrate(options)
    case .check(let options): return try command(options).check(options.path)
    case .stat(let options): try command(options).stat(options.path)
    case .backup(let options, let destination):
      try command(options).backup(options.path, to: destination)
    }
    return true
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

  private static func command(_ options: StorePathOptions) -> StoreCommand {
    StoreCommand(
      paint: options.printsJSON
        ? .plain : .forStandardOutput(environment: ProcessInfo.processInfo.environment),
      printsJSON: options.printsJSON, write: { print($0) })
  }

  private static func complain(_ text: String) {
    FileHandle.standardError.write(Data("lode: \(text)\n".utf8))
  }
}

import Foundation
import LodeTool

/// The entry point of `lode`; a target of its own, because tests can't import a program.
@main
struct Main {
  static func main() async {
    exit(await LodeCommand.run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}

import Foundation
import Lode
import LodeTesting

/// Saves numbered teams with players to a store and prints each number once its save has returned, until
/// it is killed.
///
/// Arguments: the store's folder, the first number, the count of saves.
@main enum CrashWriter {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let first = Int(arguments[2]), let count = Int(arguments[3]) else {
      throw ContextError(.unknownEntity, "usage: LodeCrashWriter FOLDER FIRST COUNT")
    }
    let container = try PersistentContainer(
      model: CrashModel.model(), at: URL(fileURLWithPath: arguments[1]))
    let context = container.viewContext
    for number in first..<(first + count) {
      try CrashModel.insert(number, into: context)
      try context.save()
      FileHandle.standardOutput.write(Data("\(number)\n".utf8))
    }
  }
}

// A program that uses a store until it is killed.
//
//   LodeCrashProbe count FOLDER THREADS            alone
//   LodeCrashProbe share FOLDER THREADS TREE       with other processes
//   LodeCrashProbe die FOLDER OPERATION            with others; kills itself before a file operation
//   LodeCrashProbe hold FOLDER                     stays attached until its input ends
//
// Each thread counts up in a tree of its own, from what it finds there, and writes every number
// that was acknowledged to the output. A counter in another tree counts all saves of all threads.

import Foundation
import LodeKV

@main
struct CrashProbe {
  static func main() {
    do {
      try run(CommandLine.arguments)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) throws {
    guard arguments.count >= 3 else { exit(64) }
    let folder = arguments[2]
    switch (arguments[1], arguments.dropFirst(3).compactMap { Int($0) }) {
    case ("count", let numbers) where numbers.count == 1:
      try run(try open(folder, isShared: false), threadCount: numbers[0], firstTree: 1)
    case ("share", let numbers) where numbers.count == 2:
      try run(try open(folder, isShared: true), threadCount: numbers[0], firstTree: numbers[1])
    case ("die", let numbers) where numbers.count == 1:
      try runAndDie(in: folder, operation: numbers[0])
    case ("hold", _):
      let engine = try open(folder, isShared: true)
      print("ready")
      fflush(nil)
      _ = FileHandle.standardInput.readDataToEndOfFile()
      try engine.close()
    default: exit(64)
    }
  }

  private static func open(
    _ folder: String, isShared: Bool, _ fileSystem: any FileSystem = POSIXFileSystem()
  ) throws -> LMDBEngine {
    var options = LMDBEngine.Options()
    options.mapByteCount = 1 << 30
    options.journalSegmentByteCount = 128 << 10
    options.allowsOtherProcesses = isShared
    // Starting a process takes its time on a busy machine.
    options.lockWait = .seconds(60)
    return try LMDBEngine(open: folder, options: options, fileSystem: fileSystem)
  }

  private static func run(_ engine: LMDBEngine, threadCount: Int, firstTree: Int) throws {
    DispatchQueue.concurrentPerform(iterations: threadCount) { thread in
      do {
        let tree = TreeID(UInt32(firstTree + thread))
        var number = try engine.read { try $0.count(of: tree) }
        while true {
          try save(number, in: tree, of: engine)
          acknowledge(thread, number)
          number += 1
        }
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
      }
    }
  }

  private static func runAndDie(in folder: String, operation: Int) throws {
    let engine = try open(folder, isShared: true, DyingFileSystem(operation))
    let tree = TreeID(1)
    var number = try engine.read { try $0.count(of: tree) }
    for round in 1...3 {
      for _ in 1...3 {
        try save(number, in: tree, of: engine)
        acknowledge(0, number)
        number += 1
      }
      if round < 3 { try engine.checkpoint() }
    }
    try engine.abandon()
  }

  private static func save(_ number: Int, in tree: TreeID, of engine: LMDBEngine) throws {
    try engine.commit { snapshot in
      var list = WriteList()
      withUnsafeBytes(of: UInt64(number).bigEndian) { list.put($0, $0, in: tree) }
      // Makes pages change that are older than the last checkpoint.
      let value = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 700)
      let place = [UInt8(number % 50), 1]
      place.withUnsafeBytes { place in
        value.withUnsafeBytes { list.put(place, $0, in: TreeID(99)) }
      }
      let counter = try [UInt8(0)].withUnsafeBytes { try snapshot.value(of: $0, in: TreeID(98)) }
      let count = counter.map { $0.loadUnaligned(as: UInt64.self) } ?? 0
      [UInt8(0)].withUnsafeBytes { key in
        withUnsafeBytes(of: count + 1) { list.put(key, $0, in: TreeID(98)) }
      }
      return list
    }
  }

  /// Writes a line in one system call, so that it is out before the next save begins.
  private static func acknowledge(_ thread: Int, _ number: Int) {
    var line = Array("\(thread) \(number)\n".utf8)
    if write(1, &line, line.count) != line.count { exit(2) }
  }
}

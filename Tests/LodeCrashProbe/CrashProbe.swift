// A program that saves until it is killed. Each of its threads counts up in a tree of its own,
// from what it finds there, and writes every number that was acknowledged to the output.
//
//   LodeCrashProbe FOLDER THREADS

import Foundation
import LodeKV

@main
struct CrashProbe {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let threadCount = Int(arguments[2]) else {
      FileHandle.standardError.write(Data("usage: LodeCrashProbe FOLDER THREADS\n".utf8))
      exit(64)
    }
    var options = LMDBEngine.Options()
    options.mapByteCount = 1 << 30
    options.journalSegmentByteCount = 128 << 10
    let engine = try LMDBEngine(open: URL(fileURLWithPath: arguments[1]), options: options)
    DispatchQueue.concurrentPerform(iterations: threadCount) { thread in
      do {
        try count(in: TreeID(UInt32(thread + 1)), of: engine, thread: thread)
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
      }
    }
  }

  private static func count(in tree: TreeID, of engine: LMDBEngine, thread: Int) throws {
    var number = try engine.read { try $0.count(of: tree) }
    while true {
      let next = number
      try engine.commit { _ in
        var list = WriteList()
        withUnsafeBytes(of: UInt64(next).bigEndian) { key in
          list.put(key, key, in: tree)
          // Makes pages change that are older than the last checkpoint.
          let value = [UInt8](repeating: UInt8(truncatingIfNeeded: next), count: 700)
          let place = [UInt8(next % 50), 1]
          place.withUnsafeBytes { place in
            value.withUnsafeBytes { list.put(place, $0, in: TreeID(99)) }
          }
        }
        return list
      }
      acknowledge(thread, number)
      number += 1
    }
  }

  /// Writes a line in one system call, so that it is out before the next save begins.
  private static func acknowledge(_ thread: Int, _ number: Int) {
    var line = Array("\(thread) \(number)\n".utf8)
    if write(1, &line, line.count) != line.count { exit(2) }
  }
}

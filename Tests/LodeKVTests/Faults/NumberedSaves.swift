// Saves with numbers, and the one question that every crash test asks: is each acknowledged one
// there, whole, and nothing that was never begun?

import Foundation
import LodeKV
import Testing

/// Which numbered saves were begun and which were acknowledged.
struct SaveLog: Sendable {
  var started: Set<Int> = []
  var acknowledged: Set<Int> = []
}

/// Saves that each put a pair of their own into two trees and count up a third.
enum NumberedSaves {
  private static let first = TreeID(1)
  private static let second = TreeID(2)
  private static let counter = TreeID(3)

  /// Makes a save, which is logged as acknowledged when it doesn't throw.
  static func save(_ number: Int, to engine: any KeyValueEngine, _ log: inout SaveLog) throws {
    log.started.insert(number)
    try engine.commit { snapshot in
      var list = WriteList()
      list.put([UInt8](number: number), value(number), in: first)
      list.put([UInt8](number: -number), value(number + 1), in: second)
      let count = try snapshot.bytes([0], in: counter).map { $0.count } ?? 0
      list.put([0], [UInt8](repeating: 1, count: count + 1), in: counter)
      if try snapshot.bytes([UInt8](number: number - 3), in: first) != nil {
        list.put([UInt8](number: number - 3), value(number - 3), in: first)
      }
      return list
    }
    log.acknowledged.insert(number)
  }

  /// Returns the saves that are there, having checked that each is whole.
  static func present(in engine: any KeyValueEngine) throws -> Set<Int> {
    try engine.read { snapshot in
      var numbers: Set<Int> = []
      for pair in try snapshot.pairs(in: first) {
        let number = Int(bitPattern: UInt(bigEndianBytes: pair.key))
        guard pair.value == value(number),
          try snapshot.bytes([UInt8](number: -number), in: second) == value(number + 1)
        else { throw Mismatch(number: number) }
        numbers.insert(number)
      }
      let count = try snapshot.count(of: second)
      let counted = try snapshot.bytes([0], in: counter)?.count ?? 0
      guard count == numbers.count, counted == count else { throw Mismatch(number: count) }
      return numbers
    }
  }

  struct Mismatch: Error { let number: Int }

  private static func value(_ number: Int) -> [UInt8] {
    [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100 + abs(number) * 37 % 900)
  }

  /// Reopens a store and checks it against a log; then writes on, closes, and checks again.
  static func verify(_ folder: String, _ log: SaveLog, _ comment: Comment) throws {
    var log = log
    let fileSystem = POSIXFileSystem()
    let engine = try LMDBEngine(open: folder, options: .small, fileSystem: fileSystem)
    try check(engine, log, comment)
    log.started = try present(in: engine)
    log.acknowledged = log.started
    for number in 1000..<1006 { try save(number, to: engine, &log) }
    try check(engine, log, comment)
    try engine.close()
    let reopened = try LMDBEngine(open: folder, options: .small, fileSystem: fileSystem)
    try check(reopened, log, comment)
    try reopened.close()
  }

  private static func check(
    _ engine: LMDBEngine, _ log: SaveLog, _ comment: Comment
  ) throws {
    let present = try present(in: engine)
    #expect(log.acknowledged.subtracting(present).isEmpty, "lost; \(comment)")
    #expect(present.subtracting(log.started).isEmpty, "out of nowhere; \(comment)")
  }
}

extension UInt {
  fileprivate init(bigEndianBytes bytes: [UInt8]) {
    self = bytes.reduce(0) { $0 << 8 | UInt($1) }
  }
}

// Saves with numbers, and the one question that every crash test asks: is each acknowledged one
// there, whole, and nothing that was never begun?

import Foundation
import LodeKV
import LodeKVTesting

/// Which numbered saves were begun, and which were acknowledged and may not be lost.
final class SaveLog {
  var started: Set<Int> = []
  var acknowledged: Set<Int> = []
  /// Saves that were acknowledged but may be lost, by their sequence.
  private var returned: Set<Int> = []
  private var pending: [(sequence: UInt64, number: Int)] = []

  init(started: Set<Int> = []) {
    self.started = started
    acknowledged = started
  }

  /// Takes down a save that was acknowledged, but may be lost as long as it isn't synced.
  func acknowledge(_ number: Int, _ sequence: UInt64) {
    returned.insert(number)
    pending.append((sequence, number))
  }

  /// Takes what an engine says about syncs at its word.
  func update(from engine: LMDBEngine) throws {
    let durableSequence = try engine.statistics().durableSequence
    let index = pending.firstIndex { $0.sequence > durableSequence } ?? pending.count
    acknowledged.formUnion(pending[..<index].map(\.number))
    pending.removeFirst(index)
  }

  /// Whether saves are there without one that returned before them. Numbers ascend in time.
  func hasGap(_ present: Set<Int>) -> Bool {
    let last = present.intersection(started).max() ?? 0
    return returned.contains { $0 < last && !present.contains($0) }
  }
}

/// Saves that each put a pair of their own into two trees and count up a third.
enum NumberedSaves {
  private static let first = TreeID(1)
  private static let second = TreeID(2)
  private static let counter = TreeID(3)

  /// Makes a save, which is logged as acknowledged when it doesn't throw.
  static func save(
    _ number: Int, to engine: any KeyValueEngine, durability: CommitDurability? = nil,
    _ log: SaveLog
  ) throws {
    log.started.insert(number)
    let sequence = try engine.commit(durability: durability) { snapshot in
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
    if durability ?? .full == .full {
      log.acknowledged.insert(number)
    } else {
      log.acknowledge(number, sequence)
    }
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
  ///
  /// - Returns: what is wrong, or nil.
  static func problem(
    in folder: String, _ log: SaveLog, flaw: PowerLossFileSystem.Flaw? = nil
  ) -> String? {
    do {
      try verify(folder, log, flaw: flaw)
      return nil
    } catch {
      return "\(error)"
    }
  }

  private static func verify(
    _ folder: String, _ log: SaveLog, flaw: PowerLossFileSystem.Flaw?
  ) throws {
    let fileSystem: any FileSystem =
      if let flaw { try PowerLossFileSystem(folder: folder, flaw: flaw) } else { POSIXFileSystem() }
    let engine = try LMDBEngine(open: folder, options: .small, fileSystem: fileSystem)
    try check(engine, log)
    let laterLog = SaveLog(started: try present(in: engine))
    for number in 1000..<1006 { try save(number, to: engine, laterLog) }
    try check(engine, laterLog)
    try engine.close()
    let reopened = try LMDBEngine(open: folder, options: .small, fileSystem: fileSystem)
    try check(reopened, laterLog)
    try reopened.close()
  }

  private struct Difference: Error {
    let lost: Set<Int>
    let hasGap: Bool
    let outOfNowhere: Set<Int>
  }

  private static func check(_ engine: LMDBEngine, _ log: SaveLog) throws {
    let present = try present(in: engine)
    let lost = log.acknowledged.subtracting(present)
    let outOfNowhere = present.subtracting(log.started)
    let hasGap = log.hasGap(present)
    guard lost.isEmpty, outOfNowhere.isEmpty, !hasGap else {
      throw Difference(lost: lost, hasGap: hasGap, outOfNowhere: outOfNowhere)
    }
  }
}

extension UInt {
  fileprivate init(bigEndianBytes bytes: [UInt8]) {
    self = bytes.reduce(0) { $0 << 8 | UInt($1) }
  }
}

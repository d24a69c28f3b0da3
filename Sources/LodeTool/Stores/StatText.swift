import Foundation
import Lode

/// A store's figures as text.
struct StatText {
  let path: String
  let figures: StoreFigures
  let paint: Paint

  var lines: [String] {
    head + section("entities", entities) + section("trees", trees)
      + section("readers", readers)
  }

  private var head: [String] {
    let total = max(figures.pageCount, 1)
    return [
      "\(paint(.bold, path))  \(figures.identifier.uuidString)  format \(figures.format)",
      "last save        \(figures.lastSequence.formatted()), durable "
        + "\(figures.durableSequence.formatted())",
      "data file        \(bytes(figures.dataFileByteCount))",
      "pages            \(figures.pageCount.formatted()) of \(figures.pageByteCount.formatted()) bytes: "
        + "\(figures.livePageCount.formatted()) live, \(figures.freePageCount.formatted()) free "
        + "(\(figures.freePageCount * 100 / total) %)",
      "growth           \(bytes(figures.growthByteCount)) since the checkpoint, at most "
        + bytes(figures.growthByteCountMax),
      "journal          \(bytes(figures.journalUsedByteCount)) of "
        + "\(bytes(figures.journalFileByteCount)), at most \(bytes(figures.journalByteCountMax))",
    ]
  }

  private func section(_ title: String, _ lines: [String]) -> [String] {
    lines.isEmpty ? [] : ["", paint(.bold, title)] + lines.map { "  " + $0 }
  }

  private var entities: [String] {
    figures.entities.filter { $0.rowCount > 0 }.map { entity in
      let ratio =
        entity.rawByteCount > 0 ? entity.storedByteCount * 100 / entity.rawByteCount : 100
      let dictionaries =
        entity.dictionaryCount > 0
        ? ", \(entity.dictionaryCount) dictionaries of \(bytes(UInt64(entity.dictionaryByteCount)))"
        : ""
      return "\(pad(entity.name))\(entity.rowCount.formatted()) rows, "
        + "\(bytes(UInt64(entity.storedByteCount))) (\(ratio) %)\(dictionaries)"
    }
  }

  private var trees: [String] {
    figures.trees.map { tree in
      "\(pad(tree.name))\(tree.entryCount.formatted()) entries, \(tree.pageCount.formatted()) pages, "
        + "depth \(tree.depth)"
    }
  }

  private var readers: [String] {
    figures.readers.map {
      "process \($0.processID), \($0.commitsBehind.formatted()) commits behind"
    }
  }

  private func pad(_ name: String) -> String {
    name.count < 30 ? name.padding(toLength: 30, withPad: " ", startingAt: 0) : name + "  "
  }

  private func bytes(_ count: UInt64) -> String { "\(count.formatted()) bytes" }
}

import LodeRandom
import Foundation
import Lode
import LodeTesting
import LodeModel
import Testing

/// Random batches over a table and over plain arrays: replaying what is reported over the old arrays
/// gives the new ones.
struct TableOracleTests {
  /// How the rows of a random run sort and what their sections are.
  enum Shape: CaseIterable {
    case plain, sectionIsFirstKey, sectionHasRank
  }

  @Test(arguments: Shape.allCases)
  func `replaying a random batch's changes gives the new list`(shape: Shape) throws {
    let seed = UInt64.random(in: 0 ... .max)
    var oracle = Oracle(shape: shape, seed: seed)
    for step in 0..<1000 {
      let failure = try oracle.runBatch()
      #expect(failure == nil, "seed \(seed), batch \(step)")
      if failure != nil { return }
    }
  }

  @Test func `the fewest rows move`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    for step in 0..<700 {
      let old = Array(1...7 as ClosedRange<UInt64>)
      var table = SectionTable(isAscending: [true], isSectioned: false)
      for number in old { try table.insert(TableRow(number, .integer(Int64(number) * 2))) }
      var touched: [UInt64: Int64] = [:]
      for number in old where Bool.random(using: &random) {
        let key = Int64.random(in: 1...15, using: &random)
        touched[number] = key == Int64(number) * 2 ? nil : key
      }
      let edits = touched.map { TableEdit(TableRow($0, .integer($1))) }
      let change = try table.apply(edits)
      let new = table.objectIDs.map(\.number)
      let moves = FetchedResultsChange(change).rows.filter { $0.removal != nil }.count
      let fewest = fewestMoves(from: old, to: new, among: Array(touched.keys))
      #expect(moves == fewest, "seed \(seed), step \(step)")
    }
  }

  /// Tries all sets of moved rows and returns the size of the least that leaves the others in order.
  private func fewestMoves(from old: [UInt64], to new: [UInt64], among touched: [UInt64]) -> Int {
    (0..<1 << touched.count).filter { set in
      let moved = Set(touched.indices.filter { set & 1 << $0 != 0 }.map { touched[$0] })
      return old.filter { !moved.contains($0) } == new.filter { !moved.contains($0) }
    }.map(\.nonzeroBitCount).min() ?? 0
  }
}

/// A table, its rows as a dictionary, and a source of random edits.
private struct Oracle {
  let shape: TableOracleTests.Shape
  var random: SeededGenerator
  var table: SectionTable
  var rows: [UInt64: TableRow] = [:]
  /// The rank of each section, by which `sectionHasRank` orders them.
  var ranks: [Int64] = Array(0..<8)
  var lastNumber: UInt64 = 0

  init(shape: TableOracleTests.Shape, seed: UInt64) {
    self.shape = shape
    random = SeededGenerator(seed: seed)
    table = SectionTable(isAscending: [true, false], isSectioned: shape != .plain)
  }

  /// Runs one batch and returns what is wrong with its outcome.
  mutating func runBatch() throws -> String? {
    let old = table.plainSections
    let edits = edits()
    let effective = edits.values.filter(table.changesAnything)
    let change = FetchedResultsChange(try table.apply(effective))
    let new = table.plainSections
    if new != expectedSections { return "table \(new), expected \(expectedSections)" }
    if change.replayed(over: old) != new { return "\(old) → \(new): \(change)" }
    return mentionFault(change, edits: effective, old: old, new: new) ?? pathFault(new)
  }

  private func mentionFault(
    _ change: FetchedResultsChange, edits: [TableEdit], old: [PlainSection], new: [PlainSection]
  ) -> String? {
    let mentioned = change.rows.map(\.objectID)
    if Set(mentioned) != Set(edits.map(\.objectID)) || Set(mentioned).count != mentioned.count {
      return "each effective edit has one event: \(change)"
    }
    for case .update(let id, let from, let to) in change.rows
    where old[from.section].rows[from.row] != id || new[to.section].rows[to.row] != id {
      return "update paths: \(change)"
    }
    return nil
  }

  private func pathFault(_ sections: [PlainSection]) -> String? {
    for (section, rows) in sections.map(\.rows).enumerated() {
      for (row, id) in rows.enumerated()
      where table.path(of: id) != TablePath(section: section, row: row) { return "path of \(id)" }
    }
    return nil
  }

  private var expectedSections: [PlainSection] {
    let sorted = rows.values.sorted { left, right in
      for (key, isAscending) in [(0, true), (1, false)] {
        let order = Value.sortOrder(left.keys[key], right.keys[key])
        if order.rawValue != 0 { return (order.rawValue < 0) == isAscending }
      }
      return left.objectID < right.objectID
    }
    var sections = shape == .plain ? [PlainSection(name: "", rows: [])] : []
    for row in sorted {
      if sections.last?.name != row.sectionName {
        sections.append(PlainSection(name: row.sectionName, rows: []))
      }
      sections[sections.count - 1].rows.append(row.objectID)
    }
    return sections
  }

  // MARK: Random edits

  private mutating func edits() -> [UInt64: TableEdit] {
    var edits: [UInt64: TableEdit] = [:]
    if shape == .sectionHasRank, chance(10) { exchangeRanks(&edits) }
    for _ in 0..<Int.random(in: 0...(chance(10) ? 30 : 4), using: &random) {
      let edit = edit()
      edits[edit.objectID.number] = edit
    }
    return edits
  }

  private mutating func edit() -> TableEdit {
    let existing = rows.keys.sorted().randomElement(using: &random)
    guard let number = existing, !chance(rows.count < 40 ? 45 : 15) else {
      lastNumber += 1
      return put(
        lastNumber, TableRow(lastNumber, section: Int64.random(in: 0..<8, using: &random), self))
    }
    if chance(25) {
      rows[number] = nil
      return .removal(number)
    }
    let section = Int64.random(in: 0..<8, using: &random)
    let old = rows[number]
    let new = chance(30) ? old : TableRow(number, section: section, self)
    return put(number, new ?? TableRow(number, section: section, self))
  }

  private mutating func put(_ number: UInt64, _ row: TableRow) -> TableEdit {
    var row = row
    if chance(80), row.keys.count > 1 {
      row.keys[1] = .integer(.random(in: 0..<12, using: &random))
    }
    rows[number] = row
    return TableEdit(objectID: row.objectID, row: row, isUpdated: chance(50))
  }

  /// Gives two sections each other's rank, which touches all their rows.
  private mutating func exchangeRanks(_ edits: inout [UInt64: TableEdit]) {
    let pair = (Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random))
    ranks.swapAt(pair.0, pair.1)
    for (number, row) in rows.sorted(by: { $0.key < $1.key }) {
      guard let section = Int64(row.sectionName) else { continue }
      rows[number]?.keys[0] = .integer(ranks[Int(section)])
      edits[number] = rows[number].map {
        TableEdit(objectID: $0.objectID, row: $0, isUpdated: false)
      }
    }
  }

  private mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }
}

extension TableRow {
  fileprivate init(_ number: UInt64, section: Int64, _ oracle: Oracle) {
    let first = oracle.shape == .sectionHasRank ? oracle.ranks[Int(section)] : section
    self.init(
      number, .integer(first), .integer(0), section: oracle.shape == .plain ? "" : "\(section)")
  }
}

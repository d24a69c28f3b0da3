import Lode
import LodeModel
import Testing

/// What one batch reports, case by case.
struct TableBatchTests {
  private func table(_ rows: [TableRow], ascending: Bool = true) throws -> SectionTable {
    var table = SectionTable(
      isAscending: Array(repeating: ascending, count: rows.first?.keys.count ?? 1),
      isSectioned: rows.contains { !$0.sectionName.isEmpty })
    for row in rows { try table.insert(row) }
    return table
  }

  private func path(_ section: Int, _ row: Int) -> TablePath {
    TablePath(section: section, row: row)
  }

  @Test func `a row leaves its one-row section for a section that exists`() throws {
    func session(_ number: UInt64, _ phase: Int64) -> TableRow {
      TableRow(number, .integer(phase), .string("p\(number)"), section: "\(phase)")
    }
    var table = try table([session(41, 0), session(39, 1), session(3, 2), session(40, 3)])
    let change = try table.apply([TableEdit(session(41, 1))])
    #expect(change.sections == [.delete("0", at: 0)])
    #expect(change.rows == [.move(rowID(41), from: path(0, 0), to: path(0, 1), updated: true)])
    #expect(table.plainSections.description == "[1:[39, 41], 2:[3], 3:[40]]")
  }

  @Test func `a one-row section vanishes while its row founds a new one`() throws {
    func photo(_ number: UInt64, _ day: Int64) -> TableRow {
      TableRow(number, .integer(day), section: "\(day)")
    }
    var table = try table([photo(1, 3), photo(2, 2), photo(3, 1)], ascending: false)
    let change = try table.apply([TableEdit(photo(2, 4))])
    #expect(change.sections == [.delete("2", at: 1), .insert("4", at: 0)])
    #expect(change.rows == [.move(rowID(2), from: path(1, 0), to: path(0, 0), updated: true)])
  }

  @Test func `a sort key that changes within its place is an update`() throws {
    var table = try table((1...3).map { TableRow($0, .integer(Int64($0) * 10)) })
    let change = try table.apply([TableEdit(TableRow(2, .integer(25)))])
    #expect(change.sections.isEmpty)
    #expect(change.rows == [.update(rowID(2), from: path(0, 1), to: path(0, 1))])
  }

  @Test func `a section that loses all rows at once is deleted once with every row`() throws {
    let counts = [1, 1, 1, 1, 1, 6, 2]
    var rows: [TableRow] = []
    for (section, count) in counts.enumerated() {
      for _ in 0..<count {
        rows.append(
          TableRow(UInt64(rows.count + 1), .integer(Int64(section)), section: "\(section)"))
      }
    }
    var table = try table(rows)
    let change = try table.apply((6...11).map { .removal($0) })
    #expect(change.sections == [.delete("5", at: 5)])
    #expect(change.rows == (6...11).reversed().map { .delete(rowID($0), at: path(5, Int($0) - 6)) })
    #expect(table.sectionName(at: 5) == "6")
  }

  @Test func `two rows that change places are one move and one update`() throws {
    var table = try table([TableRow(1, .integer(1)), TableRow(2, .integer(2))])
    let change = try table.apply([
      TableEdit(TableRow(1, .integer(2))), TableEdit(TableRow(2, .integer(1))),
    ])
    #expect(change.rows.count == 2)
    #expect(FetchedResultsChange(change).rows.filter { $0.removal != nil }.count == 1)
  }

  @Test func `a section whose rows are all exchanged in its place is not mentioned`() throws {
    var table = try table([
      TableRow(1, .integer(1), section: "a"), TableRow(2, .integer(2), section: "b"),
      TableRow(3, .integer(3), section: "c"),
    ])
    let change = try table.apply([.removal(2), TableEdit(TableRow(4, .integer(2), section: "b"))])
    #expect(change.sections.isEmpty)
    #expect(change.rows == [.delete(rowID(2), at: path(1, 0)), .insert(rowID(4), at: path(1, 0))])
  }

  @Test func `sections that change places are one deleted and inserted`() throws {
    func row(_ number: UInt64, _ order: Int64, _ name: String) -> TableRow {
      TableRow(number, .integer(order), section: name)
    }
    var table = try table([row(1, 1, "a"), row(2, 2, "b"), row(3, 2, "b")])
    let change = try table.apply([
      TableEdit(objectID: rowID(1), row: row(1, 3, "a"), isUpdated: false)
    ])
    #expect(change.sections == [.delete("a", at: 0), .insert("a", at: 1)])
    #expect(change.rows == [.move(rowID(1), from: path(0, 0), to: path(1, 0), updated: false)])
  }

  @Test func `a renamed section is deleted and inserted and its rows move`() throws {
    var table = try table([
      TableRow(1, .string("Ohio"), section: "Ohio"), TableRow(2, .string("Ohio"), section: "Ohio"),
      TableRow(3, .string("Texas"), section: "Texas"),
    ])
    let change = try table.apply(
      [1, 2].map {
        TableEdit(
          objectID: rowID($0), row: TableRow($0, .string("Utah"), section: "Utah"), isUpdated: false
        )
      })
    #expect(change.sections == [.delete("Ohio", at: 0), .insert("Utah", at: 1)])
    #expect(
      change.rows == [
        .move(rowID(1), from: path(0, 0), to: path(1, 0), updated: false),
        .move(rowID(2), from: path(0, 1), to: path(1, 1), updated: false),
      ])
  }

  @Test func `rows between which others come and go are not mentioned`() throws {
    var table = try table((1...5).map { TableRow($0, .integer(Int64($0) * 10)) })
    let change = try table.apply([
      .removal(1), TableEdit(TableRow(6, .integer(35))), TableEdit(TableRow(5, .integer(5))),
    ])
    #expect(
      change.rows == [
        .delete(rowID(1), at: path(0, 0)), .insert(rowID(6), at: path(0, 3)),
        .move(rowID(5), from: path(0, 4), to: path(0, 0), updated: true),
      ])
  }
}

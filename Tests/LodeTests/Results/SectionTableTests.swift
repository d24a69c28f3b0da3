import Foundation
import Lode
import LodeModel
import Testing

private let store = StoreIdentifier(UUID())
private let entityName = EntityName("Row")

func rowID(_ number: UInt64) -> ManagedObjectID {
  ManagedObjectID(store: store, entityName: entityName, number: number)
}

extension TableRow {
  init(_ number: UInt64, _ keys: Value..., section: String = "") {
    self.init(objectID: rowID(number), keys: keys, sectionName: section)
  }
}

extension TableEdit {
  /// An edit of an object whose values have changed.
  init(_ row: TableRow) { self.init(objectID: row.objectID, row: row, isUpdated: true) }

  static func removal(_ number: UInt64) -> TableEdit {
    TableEdit(objectID: rowID(number), row: nil, isUpdated: false)
  }
}

struct SectionTableTests {
  @Test func `a table without sections has one section even when empty`() {
    let table = SectionTable(isAscending: [true], isSectioned: false)
    #expect(table.plainSections == [PlainSection(name: "", rows: [])])
  }

  @Test func `a table with sections has none when empty`() {
    let table = SectionTable(isAscending: [true], isSectioned: true)
    #expect(table.plainSections.isEmpty)
  }

  @Test func `rows with equal keys stand by object number`() throws {
    var table = SectionTable(isAscending: [false], isSectioned: false)
    for number in [3, 1, 2] as [UInt64] { try table.insert(TableRow(number, .integer(7))) }
    #expect(table.objectIDs == [1, 2, 3].map(rowID))
  }

  @Test func `null stands first ascending and last descending`() throws {
    for isAscending in [true, false] {
      var table = SectionTable(isAscending: [isAscending], isSectioned: false)
      try table.insert(TableRow(1, .integer(7)))
      try table.insert(TableRow(2, .null))
      #expect(table.objectIDs == (isAscending ? [2, 1] : [1, 2]).map(rowID))
    }
  }

  @Test func `a path out of range has no object`() throws {
    var table = SectionTable(isAscending: [true], isSectioned: true)
    try table.insert(TableRow(1, .integer(1), section: "a"))
    for path in [(-1, 0), (0, -1), (0, 1), (1, 0), (.max, .max), (.min, .min)] {
      #expect(table.objectID(at: TablePath(section: path.0, row: path.1)) == nil)
    }
    #expect(table.path(of: rowID(9)) == nil)
  }

  @Test func `a second run of a section's rows is refused by place and name`() throws {
    var table = SectionTable(isAscending: [true], isSectioned: true)
    try table.insert(TableRow(1, .integer(1), section: "Txt"))
    try table.insert(TableRow(2, .integer(2), section: "General"))
    #expect(throws: SectionOrderError(position: 2, sectionName: "Txt")) {
      try table.insert(TableRow(3, .integer(3), section: "Txt"))
    }
    #expect(table.plainSections.map(\.name) == ["Txt", "General"])
  }

  @Test func `a row that divides a section is refused`() throws {
    var table = SectionTable(isAscending: [true], isSectioned: true)
    try table.insert(TableRow(1, .integer(1), section: "a"))
    try table.insert(TableRow(3, .integer(3), section: "a"))
    #expect(throws: SectionOrderError(position: 2, sectionName: "a")) {
      try table.insert(TableRow(2, .integer(2), section: "b"))
    }
    #expect(table.plainSections == [PlainSection(name: "a", rows: [1, 3].map(rowID))])
  }

  @Test func `a batch that would break the grouping leaves the table as it was`() throws {
    var table = SectionTable(isAscending: [true], isSectioned: true)
    for number in 1...6 as ClosedRange<UInt64> {
      try table.insert(TableRow(number, .integer(Int64(number)), section: number < 4 ? "a" : "b"))
    }
    let before = table.plainSections
    let edits = [
      TableEdit.removal(1), TableEdit(TableRow(7, .integer(7), section: "b")),
      TableEdit(TableRow(2, .integer(9), section: "a")),
    ]
    #expect(throws: SectionOrderError.self) { try table.apply(edits) }
    #expect(table.plainSections == before)
    #expect(table.path(of: rowID(2)) == TablePath(section: 0, row: 1))
    #expect(table.path(of: rowID(7)) == nil)
  }

  @Test func `an edit that changes nothing is known before it is applied`() throws {
    var table = SectionTable(isAscending: [true], isSectioned: true)
    let row = TableRow(1, .integer(1), section: "a")
    try table.insert(row)
    #expect(!table.changesAnything(TableEdit(objectID: rowID(1), row: row, isUpdated: false)))
    #expect(!table.changesAnything(.removal(2)))
    #expect(table.changesAnything(TableEdit(row)))
    #expect(table.changesAnything(.removal(1)))
    #expect(table.changesAnything(TableEdit(TableRow(2, .integer(1), section: "a"))))
    var renamed = row
    renamed.sectionName = "b"
    #expect(table.changesAnything(TableEdit(objectID: rowID(1), row: renamed, isUpdated: false)))
  }

  @Test func `a longest increasing series is found`() {
    #expect(longestIncreasing([]) == [])
    #expect(longestIncreasing([5]) == [0])
    #expect(longestIncreasing([3, 2, 1]) == [2])
    #expect(longestIncreasing([2, 8, 4, 5, 1, 6]).map { [2, 8, 4, 5, 1, 6][$0] } == [2, 4, 5, 6])
  }
}

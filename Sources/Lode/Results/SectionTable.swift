import Foundation
package import LodeModel

/// A row as a section table keeps it: which object, where it sorts and what its section is called.
package struct TableRow: Sendable, Equatable {
  /// Whose row it is.
  package var objectID: ManagedObjectID
  /// The values of the sort terms, folded as the terms ask.
  package var keys: [Value]
  /// The name of the section it belongs to; empty in a table without sections.
  package var sectionName: String

  /// Makes a row.
  package init(objectID: ManagedObjectID, keys: [Value], sectionName: String = "") {
    self.objectID = objectID
    self.keys = keys
    self.sectionName = sectionName
  }
}

/// A row's place: its section, and its place among the rows of that section; both from 0.
package struct TablePath: Hashable, Comparable, Sendable {
  /// The section's index.
  package var section: Int
  /// The row's place in its section.
  package var row: Int

  /// Makes a path; nothing is checked.
  package init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }

  /// Orders as the list does: by section, then by row.
  package static func < (left: Self, right: Self) -> Bool {
    left.section != right.section ? left.section < right.section : left.row < right.row
  }
}

/// Two rows of one section name with rows of another between them.
package struct SectionOrderError: Error, Equatable {
  /// The place in the whole list, from 0, of the row that opens its section a second time.
  package let position: Int
  /// The name of that section.
  package let sectionName: String

  /// Makes an error.
  package init(position: Int, sectionName: String) {
    self.position = position
    self.sectionName = sectionName
  }
}

/// The sorted list of rows behind fetched results, cut into sections.
///
/// Rows are ordered by their keys, then by object number. A section is a run of rows with equal section
/// names; a second run of the same name is refused. One rank tree holds the rows, another one the
/// sections; a section knows its first row, so that paths follow from positions in the two trees.
/// Look-ups and edits cost O(log n) with n rows. A row costs 70 to 130 bytes as the arrays grow, 24 to 48
/// for each key, and what its strings need beyond 15 bytes.
package struct SectionTable: Sendable {
  typealias Node = RankTree.Node

  struct RowEntry {
    var objectID: ManagedObjectID
    var section: Node
  }

  struct SectionEntry {
    var name: String
    /// The first row; 0 while the section is empty.
    var firstRow: Node
    var rowCount: Int
  }

  let isAscending: [Bool]
  let isSectioned: Bool
  var rows = RankTree()
  var rowEntries: [RowEntry] = []
  var rowKeys: [Value] = []
  var rowNodes: [ManagedObjectID: Node] = [:]
  var sections = RankTree()
  var sectionEntries: [SectionEntry] = []
  var sectionNodes: [String: Node] = [:]

  /// Makes an empty table.
  ///
  /// - Parameters:
  ///   - isAscending: the direction of each key of the rows.
  ///   - isSectioned: whether rows have section names; without them there is exactly one section, even
  ///     when it is empty.
  package init(isAscending: [Bool], isSectioned: Bool) {
    self.isAscending = isAscending
    self.isSectioned = isSectioned
    if !isSectioned { _ = openSection("", after: 0) }
  }

  /// How many rows there are.
  package var count: Int { rows.count }

  /// How many sections there are.
  package var sectionCount: Int { sections.count }

  /// Returns a section's name.
  package func sectionName(at index: Int) -> String { entry(ofSectionAt: index).name }

  /// Returns how many rows a section has.
  package func rowCount(inSectionAt index: Int) -> Int { entry(ofSectionAt: index).rowCount }

  /// Returns the index of the section of a name; nil when there is none.
  package func sectionIndex(named name: String) -> Int? {
    sectionNodes[name].map { sections.position(of: $0) }
  }

  /// Tells whether an object has a row.
  package func contains(_ objectID: ManagedObjectID) -> Bool { rowNodes[objectID] != nil }

  /// Returns where an object stands; nil when it isn't in the table.
  package func path(of objectID: ManagedObjectID) -> TablePath? {
    rowNodes[objectID].map { place(of: $0).path }
  }

  /// Returns the object at a path, in O(log n); nil when the path is out of range.
  package func objectID(at path: TablePath) -> ManagedObjectID? {
    guard (0..<sectionCount).contains(path.section) else { return nil }
    let section = entry(ofSectionAt: path.section)
    guard (0..<section.rowCount).contains(path.row) else { return nil }
    let node = rows.node(at: rows.position(of: section.firstRow) + path.row)
    return rowEntries[Int(node) - 1].objectID
  }

  /// Returns an object's place in the whole list; nil when it isn't in the table.
  package func position(of objectID: ManagedObjectID) -> Int? {
    rowNodes[objectID].map { rows.position(of: $0) }
  }

  /// The objects in their order, in O(n).
  package var objectIDs: [ManagedObjectID] { objectIDs(atPositions: 0..<count) }

  /// Returns the objects at places in the whole list, in O(k + log n) for k places.
  ///
  /// - Precondition: the places are within 0 and `count`.
  package func objectIDs(atPositions positions: Range<Int>) -> [ManagedObjectID] {
    guard !positions.isEmpty else { return [] }
    var objectIDs: [ManagedObjectID] = []
    objectIDs.reserveCapacity(positions.count)
    var node = rows.node(at: positions.lowerBound)
    for _ in positions {
      objectIDs.append(rowEntries[Int(node) - 1].objectID)
      node = rows.node(after: node)
    }
    return objectIDs
  }

  /// Returns a section's objects in their order, in O(k + log n) for k objects.
  package func objectIDs(inSectionAt index: Int) -> [ManagedObjectID] {
    let section = entry(ofSectionAt: index)
    guard section.rowCount > 0 else { return [] }
    let start = rows.position(of: section.firstRow)
    return objectIDs(atPositions: start..<start + section.rowCount)
  }

  private func entry(ofSectionAt index: Int) -> SectionEntry {
    sectionEntries[Int(sections.node(at: index)) - 1]
  }

  /// Returns a row's position in the whole list and its path.
  func place(of node: Node) -> (position: Int, path: TablePath) {
    let position = rows.position(of: node)
    let section = rowEntries[Int(node) - 1].section
    let start = rows.position(of: sectionEntries[Int(section) - 1].firstRow)
    return (position, TablePath(section: sections.position(of: section), row: position - start))
  }
}

// MARK: - Keys

extension SectionTable {
  func keys(of node: Node) -> ArraySlice<Value> {
    let start = (Int(node) - 1) * isAscending.count
    return rowKeys[start..<start + isAscending.count]
  }

  func row(_ node: Node) -> TableRow {
    let entry = rowEntries[Int(node) - 1]
    let name = sectionEntries[Int(entry.section) - 1].name
    return TableRow(objectID: entry.objectID, keys: Array(keys(of: node)), sectionName: name)
  }

  /// Tells whether a row would stand where a node is: equal keys, equal section name.
  func isInPlace(_ row: TableRow, at node: Node) -> Bool {
    sectionEntries[Int(rowEntries[Int(node) - 1].section) - 1].name == row.sectionName
      && zip(keys(of: node), row.keys).allSatisfy { Value.sortOrder($0, $1) == .orderedSame }
  }

  /// Tells whether a node stands before the place of a row.
  func precedes(_ node: Node, _ row: TableRow) -> Bool {
    let start = (Int(node) - 1) * isAscending.count
    for key in isAscending.indices {
      switch Value.sortOrder(rowKeys[start + key], row.keys[key]) {
      case .orderedSame: continue
      case .orderedAscending: return isAscending[key]
      case .orderedDescending: return !isAscending[key]
      }
    }
    return precedes(rowEntries[Int(node) - 1].objectID, row.objectID)
  }

  /// The order of rows with equal keys: by object number, then, among stores, by identity.
  private func precedes(_ left: ManagedObjectID, _ right: ManagedObjectID) -> Bool {
    if left.number != right.number { return left.number < right.number }
    return left != right && left.description < right.description
  }
}

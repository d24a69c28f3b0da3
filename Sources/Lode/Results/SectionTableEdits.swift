package import LodeModel

// Adding and removing single rows, sections with them.

extension SectionTable {
  /// Adds a row at its place, and its section when the row is the first of it.
  ///
  /// - Complexity: O(log n), with one comparison of keys when the row belongs at the end.
  /// - Precondition: the table doesn't contain the row's object.
  /// - Throws: `SectionOrderError` when the row would divide a section or open one a second time; the
  ///   table is unchanged then.
  package mutating func insert(_ row: TableRow) throws(SectionOrderError) {
    precondition(row.keys.count == isAscending.count, "a row has one key for each sort term")
    precondition(rowNodes[row.objectID] == nil, "an object has one row")
    let gap = gap(for: row)
    let section = try section(for: row, in: gap)
    let node = rows.insert(in: gap)
    store(row, section: section, at: node)
    if gap.previous == 0 || rowEntries[Int(gap.previous) - 1].section != section {
      sectionEntries[Int(section) - 1].firstRow = node
    }
    sectionEntries[Int(section) - 1].rowCount += 1
  }

  /// Takes an object's row out, and its section when the row was its last.
  ///
  /// - Returns: the row as it was.
  /// - Precondition: the table contains the object.
  @discardableResult
  package mutating func remove(_ objectID: ManagedObjectID) -> TableRow {
    guard let node = rowNodes.removeValue(forKey: objectID) else {
      preconditionFailure("only a row of the table can be removed")
    }
    let row = row(node)
    leaveSection(node)
    rows.remove(node)
    let start = (Int(node) - 1) * isAscending.count
    for key in start..<start + isAscending.count { rowKeys[key] = .null }
    return row
  }

  private func gap(for row: TableRow) -> RankTree.Gap {
    let last = rows.last
    if last == 0 || precedes(last, row) { return rows.gap(after: last) }
    return rows.gap(behind: { precedes($0, row) })
  }

  private mutating func store(_ row: TableRow, section: Node, at node: Node) {
    let entry = RowEntry(objectID: row.objectID, section: section)
    if Int(node) > rowEntries.count {
      rowEntries.append(entry)
      rowKeys.append(contentsOf: row.keys)
    } else {
      rowEntries[Int(node) - 1] = entry
      let start = (Int(node) - 1) * isAscending.count
      for key in isAscending.indices { rowKeys[start + key] = row.keys[key] }
    }
    rowNodes[row.objectID] = node
  }

  // MARK: Sections

  /// Returns the section that a row in a gap belongs to: that of a neighbour, or a new one.
  private mutating func section(
    for row: TableRow, in gap: RankTree.Gap
  ) throws(SectionOrderError) -> Node {
    guard isSectioned else { return sections.first }
    let previous = gap.previous == 0 ? 0 : rowEntries[Int(gap.previous) - 1].section
    let next = gap.next == 0 ? 0 : rowEntries[Int(gap.next) - 1].section
    let named = sectionNodes[row.sectionName]
    if let named, named == previous || named == next { return named }
    guard named == nil, previous == 0 || previous != next else {
      let position = gap.previous == 0 ? 0 : rows.position(of: gap.previous) + 1
      throw outOfOrder(row, position: position, next: gap.next, isOpen: named != nil)
    }
    return openSection(row.sectionName, after: previous)
  }

  /// Names the row that opens a section again: the new one, or the one behind it whose section the new
  /// one divides.
  private func outOfOrder(
    _ row: TableRow, position: Int, next: Node, isOpen: Bool
  ) -> SectionOrderError {
    if isOpen { return SectionOrderError(position: position, sectionName: row.sectionName) }
    let divided = sectionEntries[Int(rowEntries[Int(next) - 1].section) - 1].name
    return SectionOrderError(position: position + 1, sectionName: divided)
  }

  mutating func openSection(_ name: String, after previous: Node) -> Node {
    let node = sections.insert(in: sections.gap(after: previous))
    let entry = SectionEntry(name: name, firstRow: 0, rowCount: 0)
    if Int(node) > sectionEntries.count {
      sectionEntries.append(entry)
    } else {
      sectionEntries[Int(node) - 1] = entry
    }
    sectionNodes[name] = node
    return node
  }

  private mutating func leaveSection(_ node: Node) {
    let section = rowEntries[Int(node) - 1].section
    let index = Int(section) - 1
    sectionEntries[index].rowCount -= 1
    let isEmpty = sectionEntries[index].rowCount == 0
    if sectionEntries[index].firstRow == node {
      sectionEntries[index].firstRow = isEmpty ? 0 : rows.node(after: node)
    }
    guard isEmpty, isSectioned else { return }
    sectionNodes[sectionEntries[index].name] = nil
    sectionEntries[index].name = ""
    sections.remove(section)
  }
}

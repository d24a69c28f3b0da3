package import LodeModel

// The changes of one batch, told as deletes at old paths and inserts at new ones.
//
// Rows and sections that the batch doesn't touch keep their order among themselves: they are anchors. A
// touched row that exists before and after stays where it is, instead of moving, when
//   - its section stays,
//   - as many anchors stand before it as did, and
//   - it belongs to a longest series of such rows that keep their order.
// The same rule decides which sections that lost all their rows and got new ones stay. So the fewest
// rows move, and applying the changes to the old list gives the new one. Nothing is compared but what
// the batch touches: a batch of c rows costs O(c · log n).

/// What a batch asks of one object's row.
package struct TableEdit: Sendable {
  /// Whose row it is about.
  package var objectID: ManagedObjectID
  /// The row as it is now; nil when the object doesn't belong in the table.
  package var row: TableRow?
  /// Whether values of the object differ from what they were, besides where it sorts.
  package var isUpdated: Bool

  /// Makes an edit.
  package init(objectID: ManagedObjectID, row: TableRow?, isUpdated: Bool) {
    self.objectID = objectID
    self.row = row
    self.isUpdated = isUpdated
  }
}

/// What a batch did to a table; paths of deletes and `from` are before it, all others after it.
package struct TableChange: Sendable, Equatable {
  /// A section that went or came, with its name.
  package enum Section: Sendable, Hashable {
    case delete(String, at: Int)
    case insert(String, at: Int)
  }

  /// What happened to one object's row.
  package enum Row: Sendable, Hashable {
    case delete(ManagedObjectID, at: TablePath)
    case insert(ManagedObjectID, at: TablePath)
    case move(ManagedObjectID, from: TablePath, to: TablePath, updated: Bool)
    case update(ManagedObjectID, from: TablePath, to: TablePath)
  }

  /// Deletes from the last to the first, then inserts from the first to the last.
  package var sections: [Section] = []
  /// Deletes from the last to the first, then inserts, moves and updates, each by their new paths.
  package var rows: [Row] = []
}

extension SectionTable {
  /// Tells whether an edit changes anything; each edit that does gives exactly one row change.
  package func changesAnything(_ edit: TableEdit) -> Bool {
    guard let node = rowNodes[edit.objectID] else { return edit.row != nil }
    guard let row = edit.row else { return true }
    return edit.isUpdated || !isInPlace(row, at: node)
  }

  /// Carries out a batch of edits, in O(c · log n) for c edits.
  ///
  /// - Parameter edits: at most one for each object, each changing something.
  /// - Throws: `SectionOrderError` when the rows would not be grouped by section afterwards; the table is
  ///   unchanged then.
  package mutating func apply(_ edits: [TableEdit]) throws(SectionOrderError) -> TableChange {
    var batch = TableBatch(edits, in: self)
    try carryOut(batch)
    batch.readNewPlaces(in: self)
    return batch.change()
  }

  private mutating func carryOut(_ batch: TableBatch) throws(SectionOrderError) {
    let removed = batch.rows.filter(\.leavesPlace).map { remove($0.objectID) }
    var inserted: [ManagedObjectID] = []
    do {
      for row in batch.rows where row.takesPlace {
        guard let new = row.new else { continue }
        try insert(new)
        inserted.append(new.objectID)
      }
    } catch {
      inserted.forEach { remove($0) }
      restore(removed)
      throw error
    }
  }

  /// Puts rows back that stood in the table together with all that it holds.
  private mutating func restore(_ removed: [TableRow]) {
    do {
      for row in removed { try insert(row) }
    } catch {
      preconditionFailure("rows that were grouped are grouped again")
    }
  }
}

/// A batch while it is carried out: the rows it touches with their places before and after.
private struct TableBatch {
  typealias Place = (position: Int, path: TablePath)

  struct Row {
    let objectID: ManagedObjectID
    let new: TableRow?
    let isUpdated: Bool
    let oldSectionName: String
    let oldPlace: Place?
    /// Whether the row is in the table before and after, with the same keys and section name.
    let keepsPlace: Bool
    var newPlace: Place?

    var leavesPlace: Bool { oldPlace != nil && !keepsPlace }
    var takesPlace: Bool { new != nil && !keepsPlace }
  }

  struct Section {
    var oldIndex: Int?
    var newIndex: Int?
  }

  var rows: [Row]
  /// The sections that existed before or exist after, but lost all rows of before on the way.
  private var sections: [String: Section] = [:]

  init(_ edits: [TableEdit], in table: SectionTable) {
    rows = edits.map { Row($0, in: table) }
    guard table.isSectioned else { return }
    var leaving: [String: Int] = [:]
    for row in rows where row.leavesPlace { leaving[row.oldSectionName, default: 0] += 1 }
    for (name, count) in leaving {
      guard let index = table.sectionIndex(named: name) else { continue }
      if table.rowCount(inSectionAt: index) == count { sections[name] = Section(oldIndex: index) }
    }
    for row in rows where row.takesPlace {
      guard let name = row.new?.sectionName, table.sectionNodes[name] == nil else { continue }
      sections[name] = Section()
    }
  }

  mutating func readNewPlaces(in table: SectionTable) {
    for index in rows.indices where rows[index].new != nil {
      rows[index].newPlace = table.rowNodes[rows[index].objectID].map(table.place(of:))
    }
    for name in sections.keys {
      sections[name]?.newIndex = table.sectionNodes[name].map(table.sections.position(of:))
    }
  }

  // MARK: Outcome

  func change() -> TableChange {
    let keptSections = keptSections()
    let kept = keptRows(keptSections: keptSections)
    return TableChange(
      sections: sectionChanges(kept: keptSections), rows: rowChanges(kept: kept))
  }

  private func sectionChanges(kept: Set<String>) -> [TableChange.Section] {
    let changed = sections.filter { !kept.contains($0.key) }
    let deleted = changed.compactMap { name, section in section.oldIndex.map { (name, $0) } }
    let inserted = changed.compactMap { name, section in section.newIndex.map { (name, $0) } }
    return deleted.sorted { $0.1 > $1.1 }.map { .delete($0.0, at: $0.1) }
      + inserted.sorted { $0.1 < $1.1 }.map { .insert($0.0, at: $0.1) }
  }

  private func rowChanges(kept: Set<ManagedObjectID>) -> [TableChange.Row] {
    var deletes: [(ManagedObjectID, TablePath)] = []
    var inserts: [(ManagedObjectID, TablePath)] = []
    var moves: [(row: Row, from: TablePath, to: TablePath)] = []
    var updates: [(ManagedObjectID, from: TablePath, to: TablePath)] = []
    for row in rows {
      switch (row.oldPlace?.path, row.newPlace?.path) {
      case (let old?, nil): deletes.append((row.objectID, old))
      case (nil, let new?): inserts.append((row.objectID, new))
      case (let old?, let new?) where row.keepsPlace || kept.contains(row.objectID):
        updates.append((row.objectID, old, new))
      case (let old?, let new?): moves.append((row, old, new))
      case (nil, nil): continue
      }
    }
    return deletes.sorted { $0.1 > $1.1 }.map { .delete($0.0, at: $0.1) }
      + inserts.sorted { $0.1 < $1.1 }.map { .insert($0.0, at: $0.1) }
      + moves.sorted { $0.to < $1.to }.map {
        .move($0.row.objectID, from: $0.from, to: $0.to, updated: $0.row.isUpdated)
      }
      + updates.sorted { $0.to < $1.to }.map { .update($0.0, from: $0.from, to: $0.to) }
  }

  // MARK: What stays

  /// The sections that lost all their rows and got new ones, but need not be deleted and inserted.
  private func keptSections() -> Set<String> {
    let names = Array(sections.keys)
    let kept = keptElements(
      old: names.map { sections[$0]?.oldIndex }, new: names.map { sections[$0]?.newIndex },
      isEligible: { _ in true })
    return Set(kept.map { names[$0] })
  }

  /// The rows that left their place and took another, but need not move.
  private func keptRows(keptSections: Set<String>) -> Set<ManagedObjectID> {
    let touched = rows.filter { $0.leavesPlace || $0.takesPlace }
    let kept = keptElements(
      old: touched.map { $0.oldPlace?.position }, new: touched.map { $0.newPlace?.position },
      isEligible: { index in
        let name = touched[index].oldSectionName
        guard touched[index].new?.sectionName == name else { return false }
        return sections[name] == nil || keptSections.contains(name)
      })
    return Set(kept.map { touched[$0].objectID })
  }

  /// Picks the largest set of touched elements that stand behind as many anchors as before and keep their
  /// order; `old` and `new` are all positions that the touched elements had and have.
  private func keptElements(
    old: [Int?], new: [Int?], isEligible: (Int) -> Bool
  ) -> [Int] {
    let anchorsBefore = anchorCounts(old)
    let anchorsAfter = anchorCounts(new)
    let candidates = old.indices.filter {
      old[$0] != nil && anchorsBefore[$0] == anchorsAfter[$0] && isEligible($0)
    }
    let byNewPosition = candidates.sorted { (new[$0] ?? 0) < (new[$1] ?? 0) }
    return longestIncreasing(byNewPosition.map { old[$0] ?? 0 }).map { byNewPosition[$0] }
  }

  /// Returns how many untouched elements stand before each touched one; nil for those without a position.
  private func anchorCounts(_ positions: [Int?]) -> [Int?] {
    var counts: [Int?] = Array(repeating: nil, count: positions.count)
    let present = positions.indices.filter { positions[$0] != nil }
    let ordered = present.sorted { (positions[$0] ?? 0) < (positions[$1] ?? 0) }
    for (touchedBefore, index) in ordered.enumerated() {
      counts[index] = positions[index].map { $0 - touchedBefore }
    }
    return counts
  }
}

extension TableBatch.Row {
  init(_ edit: TableEdit, in table: SectionTable) {
    objectID = edit.objectID
    new = edit.row
    isUpdated = edit.isUpdated
    guard let node = table.rowNodes[edit.objectID] else {
      (oldSectionName, oldPlace, keepsPlace) = ("", nil, false)
      return
    }
    oldSectionName = table.sectionEntries[Int(table.rowEntries[Int(node) - 1].section) - 1].name
    oldPlace = table.place(of: node)
    keepsPlace = edit.row.map { table.isInPlace($0, at: node) } ?? false
  }
}

/// Returns the positions, ascending, of a longest increasing series of distinct numbers.
///
/// Patience sorting: `tails` holds, for each length, where the series of that length with the least last
/// number ends. O(n · log n).
package func longestIncreasing(_ numbers: [Int]) -> [Int] {
  var tails: [Int] = []
  var previous: [Int?] = []
  for (position, number) in numbers.enumerated() {
    var (low, high) = (0, tails.count)
    while low < high {
      let middle = (low + high) / 2
      if numbers[tails[middle]] < number { low = middle + 1 } else { high = middle }
    }
    previous.append(low == 0 ? nil : tails[low - 1])
    if low == tails.count { tails.append(position) } else { tails[low] = position }
  }
  return sequence(first: tails.last) { $0.map { previous[$0] } }
    .prefix { $0 != nil }.compactMap(\.self).reversed()
}

import LodeModel

// From a context's changes to edits of the table.
//
// Each changed object of the entity is judged anew: does it belong, and where. Rows that read a changed
// object through a relationship are found by walking back (QueryDependencies). Only where that can't
// tell, and for results that a limit or an offset cuts, everything is fetched again and compared row by
// row; that costs O(n).

extension ResultsQuery {
  /// Returns the edits that bring a table up to date with a context after a change, those that change
  /// nothing left out.
  ///
  /// - Complexity: O(c · log n) for c objects that changed and rows that read them; O(n) where a fetch is
  ///   needed.
  func edits(
    for change: ContextChange, of table: SectionTable, in context: ManagedObjectContext
  ) throws -> [TableEdit] {
    var edits = TableEdits(table: table)
    if needsFetch(for: change, in: context.model) {
      try fetch(into: &edits, after: change, in: context)
    } else {
      try judge(change, into: &edits, in: context)
    }
    return edits.list
  }

  private func needsFetch(for change: ContextChange, in model: ManagedObjectModel) -> Bool {
    if change.invalidatesAll || dependencies.needsFetch(for: change, in: model) { return true }
    // Rows outside of a window decide what is in it, and those that read a changed object are many.
    return isWindow && (!dependencies.isEmpty || change.concerns(request.entity, in: model))
  }

  // MARK: Changed objects

  private func judge(
    _ change: ContextChange, into edits: inout TableEdits, in context: ManagedObjectContext
  ) throws {
    for object in change.deleted { edits.remove(object.objectID) }
    for objectID in change.deletedIDs { edits.remove(objectID) }
    try judge(change.updated, areUpdated: true, into: &edits, in: context)
    try judge(change.inserted, areUpdated: false, into: &edits, in: context)
    try context.forEachObject(of: change.updatedIDs.filter(concerns)) { object in
      try judge([object], areUpdated: true, into: &edits, in: context)
    }
    try context.forEachObject(of: change.insertedIDs.filter(concerns)) { object in
      try judge([object], areUpdated: false, into: &edits, in: context)
    }
    guard !dependencies.isEmpty else { return }
    let updated = change.updated + change.updatedIDs.map(context.object(for:))
    let readers = try dependencies.readers(of: updated, in: context)
    try judge(Array(readers), areUpdated: false, into: &edits, in: context)

    func concerns(_ objectID: ManagedObjectID) -> Bool {
      context.model.entitiesByName[objectID.entityName.string].map(self.concerns) ?? false
    }
  }

  private func judge(
    _ objects: [ManagedObject], areUpdated: Bool, into edits: inout TableEdits,
    in context: ManagedObjectContext
  ) throws {
    for object in objects where concerns(object.entity) && !edits.contains(object.objectID) {
      let row = try row(of: object, in: context)
      edits.put(TableEdit(objectID: object.objectID, row: row, isUpdated: areUpdated))
    }
  }

  // MARK: Fetching again

  private func fetch(
    into edits: inout TableEdits, after change: ContextChange, in context: ManagedObjectContext
  ) throws {
    let updated = Set(change.updated.map(\.objectID)).union(change.updatedIDs)
    var fetched: Set<ManagedObjectID> = []
    try forEachFetchedRow(in: context) { row in
      let isUpdated = change.invalidatesAll || updated.contains(row.objectID)
      fetched.insert(row.objectID)
      edits.put(TableEdit(objectID: row.objectID, row: row, isUpdated: isUpdated))
    }
    for objectID in edits.table.objectIDs where !fetched.contains(objectID) {
      edits.remove(objectID)
    }
  }
}

extension ContextChange {
  /// Tells whether one of the changed objects is of an entity or inherits from it.
  fileprivate func concerns(_ entity: Entity, in model: ManagedObjectModel) -> Bool {
    [inserted, updated, deleted].joined().contains { $0.entity.isKind(of: entity) }
      || Set([insertedIDs, updatedIDs, deletedIDs].joined().map(\.entityName)).contains { name in
        model.entitiesByName[name.string]?.isKind(of: entity) ?? false
      }
  }
}

/// The edits that a change asks for: one for each object at most, each changing something.
private struct TableEdits {
  let table: SectionTable
  private(set) var list: [TableEdit] = []
  private var objectIDs: Set<ManagedObjectID> = []

  init(table: SectionTable) { self.table = table }

  var isEmpty: Bool { list.isEmpty }

  func contains(_ objectID: ManagedObjectID) -> Bool { objectIDs.contains(objectID) }

  mutating func put(_ edit: TableEdit) {
    guard objectIDs.insert(edit.objectID).inserted, table.changesAnything(edit) else { return }
    list.append(edit)
  }

  mutating func remove(_ objectID: ManagedObjectID) {
    put(TableEdit(objectID: objectID, row: nil, isUpdated: false))
  }
}

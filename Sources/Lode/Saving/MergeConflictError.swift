public import LodeModel
public import LodeStore

/// What kept a save from being carried out: others changed the same rows, or values collide.
///
/// The context keeps all of its changes, and nothing was written. Refresh the objects and save again, or
/// roll back. An object that leads to one deleted elsewhere needs another partner or none; a deletion that
/// others have come to depend on is to be rolled back and made again.
public struct MergeConflictError: Error, Sendable {
  /// The objects that conflict, and what the other save did to their rows or to rows that they are related
  /// to.
  public let conflicts: [Conflict]

  /// The uniqueness constraints that the save would break.
  public let constraintConflicts: [StoreError.ConstraintViolation]

  /// The objects that conflict.
  public var conflictingIDs: [ManagedObjectID] { conflicts.map(\.objectID) }

  /// 133020 for changed rows, 133021 for constraints, as Core Data users know them.
  public var code: Int { constraintConflicts.isEmpty ? 133_020 : 133_021 }
}

extension MergeConflictError: CustomStringConvertible {
  public var description: String {
    guard constraintConflicts.isEmpty else {
      return constraintConflicts.map { conflict in
        "\(conflict.entityName) object \(conflict.objectID.number) has the same "
          + "\(conflict.propertyNames.joined(separator: ", ")) as object "
          + "\(conflict.conflictingID.number)"
      }.joined(separator: "\n")
    }
    return conflicts.map { "\($0); \($0.advice)" }.joined(separator: "\n")
  }
}

extension Conflict {
  fileprivate var advice: String {
    switch reason {
    case .changed, .inserted: "refresh the object and save again, or roll back"
    case .deleted: "refresh the object, which drops its changes, and save the others, or roll back"
    case .targetDeleted(let relationship, _):
      "set \(relationship) to another object or to none and save again, or roll back"
    case .stillReferenced: "roll back and delete it again"
    }
  }
}

extension MergeConflictError {
  /// Makes the error of a store's refusal; nil when the store failed for another reason.
  ///
  /// - Parameter changedProperties: finds out what was changed of an object.
  init?(_ error: StoreError, naming changedProperties: (ManagedObjectID) -> [String]) {
    guard error.code == .conflict || error.code == .constraint else { return nil }
    conflicts = error.conflicts.map { conflict in
      guard case .changed = conflict.reason else { return conflict }
      return Conflict(
        conflict.objectID, .changed(properties: changedProperties(conflict.objectID)))
    }
    constraintConflicts = error.constraintViolations
  }

  /// Makes the error of what a parent context would lose by a child's save.
  init(_ conflicts: [Conflict]) {
    self.conflicts = conflicts
    constraintConflicts = []
  }
}

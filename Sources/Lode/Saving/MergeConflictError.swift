public import LodeModel
public import LodeStore

/// What kept a save from being carried out: others changed the same rows, or values collide.
///
/// The context keeps all of its changes, and nothing was written. Refresh the objects and save again, or
/// roll back. An object that leads to one deleted elsewhere needs another partner or none; a deletion that
/// others have come to depend on is to be rolled back and made again.
public struct MergeConflictError: Error, Sendable {
  /// The objects whose rows, or rows that they are related to, were changed or removed since they were
  /// read.
  public let conflictingIDs: [ManagedObjectID]

  /// The uniqueness constraints that the save would break.
  public let constraintConflicts: [StoreError.ConstraintViolation]

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
    return conflictingIDs.map { objectID in
      "\(objectID.entityName.string) object \(objectID.number), or one that it is related to, was "
        + "changed or deleted elsewhere since it was read; refresh it and save again, or roll back"
    }.joined(separator: "\n")
  }
}

extension MergeConflictError {
  /// Makes the error of a store's refusal; nil when the store failed for another reason.
  init?(_ error: StoreError) {
    guard error.code == .conflict || error.code == .constraint else { return nil }
    conflictingIDs = error.code == .conflict ? error.objectIDs : []
    constraintConflicts = error.constraintViolations
  }
}

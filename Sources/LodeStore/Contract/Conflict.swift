public import LodeModel

/// An object that a save could not change because another save, or an unsaved change of a parent context,
/// came between reading and saving it.
public struct Conflict: Hashable, Sendable {
  /// What the other one did.
  public enum Reason: Hashable, Sendable {
    /// It changed the row: the properties that are known to differ, by name.
    case changed(properties: [String])
    /// It removed the row.
    case deleted
    /// It stored a row with the same ID.
    case inserted
    /// It removed the row that a to-one relationship leads to.
    case targetDeleted(relationship: String, target: ManagedObjectID)
    /// It let a row lead, by a to-one relationship, to the row that was to be removed.
    case stillReferenced(relationship: String, from: ManagedObjectID)
  }

  /// The object of the save that conflicts.
  public var objectID: ManagedObjectID
  /// What the other one did.
  public var reason: Reason

  /// Makes a conflict.
  public init(_ objectID: ManagedObjectID, _ reason: Reason) {
    self.objectID = objectID
    self.reason = reason
  }
}

extension Conflict: CustomStringConvertible {
  public var description: String {
    let object = Self.text(of: objectID)
    switch reason {
    case .changed(let properties):
      let names = properties.isEmpty ? "" : " (\(properties.joined(separator: ", ")))"
      return "\(object) was changed elsewhere since it was read\(names)"
    case .deleted: return "\(object) was deleted elsewhere since it was read"
    case .inserted: return "\(object) was stored elsewhere"
    case .targetDeleted(let relationship, let target):
      return "\(object) leads by \(relationship) to \(Self.text(of: target)), which was deleted "
        + "elsewhere"
    case .stillReferenced(let relationship, let other):
      return "\(object) can't be deleted: \(Self.text(of: other)) leads to it by "
        + "\(relationship) by now"
    }
  }

  private static func text(of objectID: ManagedObjectID) -> String {
    "\(objectID.entityName.string) object \(objectID.number)"
  }
}

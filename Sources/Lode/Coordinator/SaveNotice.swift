package import Foundation
public import LodeModel
import LodeStore

/// What a save of some context changed in the stores, for other contexts to merge.
public struct SaveNotice: Sendable {
  /// Objects that are new.
  public var inserted: [ManagedObjectID]
  /// Objects whose values changed.
  public var updated: [ManagedObjectID]
  /// Objects that are gone.
  public var deleted: [ManagedObjectID]
  /// Objects whose own values stayed but whose to-many relationships have other members now.
  public var related: [ManagedObjectID]

  /// The identity of the context that saved.
  package var contextID: UUID

  /// Makes the notice of a save.
  package init(_ save: ContextSave) {
    inserted = save.changes.inserts.map(\.objectID)
    updated = save.changes.updates.map(\.objectID)
    deleted = save.changes.deletes.map(\.objectID)
    var related = Set(save.relatedIDs)
    related.formUnion(save.changes.links.map(\.owner))
    related.formUnion(save.changes.links.lazy.flatMap { $0.added + $0.removed })
    related.formUnion(save.changes.orderedLinks.map(\.owner))
    related.formUnion(save.changes.orderedLinks.lazy.flatMap(\.members))
    related.subtract(deleted)
    related.subtract(inserted)
    self.related = related.sorted()
    contextID = save.contextID
  }
}

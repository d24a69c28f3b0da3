package import LodeModel
package import LodeStore
package import Foundation

/// Where a context's objects come from and where its saves go: the stores, or a parent context.
///
/// A backing is called from the context's executor and may wait for another one.
package protocol ContextBacking: AnyObject, Sendable {
  var model: ManagedObjectModel { get }

  var storeIdentifier: StoreIdentifier { get }

  /// Tells whether an ID is one of the store behind this.
  func keeps(_ objectID: ManagedObjectID) -> Bool

  /// Gives out the permanent ID of a new object.
  func newObjectID(for entity: Entity) throws -> ManagedObjectID

  func images(_ query: StoreQuery) throws -> [ObjectImageWithID]
  func objectIDs(_ query: StoreQuery) throws -> [ManagedObjectID]
  func count(_ query: StoreQuery) throws -> Int

  /// Returns the images of IDs, each at its ID's position; nil where the object doesn't exist.
  func images(for objectIDs: [ManagedObjectID]) throws -> [ObjectImage?]
  func members(of relationship: Property, owner: ManagedObjectID) throws -> [ManagedObjectID]

  /// Saves changes, and returns the images of the inserted and of the updated objects in their order.
  func commit(_ changes: ContextSave) throws -> [ObjectImage]
}

/// An image and whose it is.
package struct ObjectImageWithID: Sendable {
  /// The object's ID.
  package let objectID: ManagedObjectID
  /// Its values.
  package let image: ObjectImage

  /// Pairs an image with its ID.
  package init(objectID: ManagedObjectID, image: ObjectImage) {
    self.objectID = objectID
    self.image = image
  }
}

/// What one save of a context changes, in the form of a change set.
package struct ContextSave: Sendable {
  /// The identity of the context that saves, which needs no notice of its own save.
  package var contextID: UUID
  /// What the backing shall change.
  package var changes: ChangeSet
  /// Of each update, the values that the saving context knew before it changed them; empty where the
  /// backing compares versions instead.
  package var seenValues: [[Int: Value]]
  /// Objects in whose unordered to-many relationships something changed by the inverse alone.
  package var relatedIDs: [ManagedObjectID]

  /// Makes a save.
  package init(
    contextID: UUID, changes: ChangeSet, seenValues: [[Int: Value]], relatedIDs: [ManagedObjectID]
  ) {
    self.contextID = contextID
    self.changes = changes
    self.seenValues = seenValues
    self.relatedIDs = relatedIDs
  }
}

package import LodeModel

/// Faults that one fetch brought in, whose rows are read a batch at a time.
package final class FaultBatch {
  /// The IDs of the whole result, in its order.
  package let objectIDs: [ManagedObjectID]
  /// How many rows are read at once; at least 1.
  package let batchSize: Int
  /// Relationships whose objects are brought in together with each batch.
  package let prefetchedKeyPaths: [String]
  private let positions: [ManagedObjectID: Int]

  /// Makes the batches of a result.
  package init(objectIDs: [ManagedObjectID], batchSize: Int, prefetchedKeyPaths: [String] = []) {
    self.objectIDs = objectIDs
    self.batchSize = batchSize
    self.prefetchedKeyPaths = prefetchedKeyPaths
    positions = Dictionary(
      objectIDs.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the IDs of the batch that an object's row is read with, its own included.
  package func neighbours(of objectID: ManagedObjectID) -> ArraySlice<ManagedObjectID> {
    guard let position = positions[objectID] else { return [objectID] }
    let start = position - position % batchSize
    return objectIDs[start..<min(start + batchSize, objectIDs.count)]
  }
}

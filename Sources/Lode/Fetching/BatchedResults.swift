public import LodeModel

/// The result of a fetch as a collection that keeps IDs and makes objects a batch at a time.
///
/// It holds 16 bytes a row and the objects of the last batch that was touched; objects that nobody
/// else holds on to go with their batch. The IDs are those of the moment of the fetch; an object that
/// was deleted since shows `isDeleted`.
public final class BatchedResults<Object: ManagedObject>: RandomAccessCollection {
  /// The IDs of all rows in their order.
  public let objectIDs: [ManagedObjectID]

  private let context: ManagedObjectContext
  private let batch: FaultBatch
  private var current: (start: Int, objects: [ManagedObject])?

  init(context: ManagedObjectContext, batch: FaultBatch) {
    objectIDs = batch.objectIDs
    self.context = context
    self.batch = batch
  }

  /// Always 0.
  public var startIndex: Int { 0 }
  /// The count of rows.
  public var endIndex: Int { objectIDs.count }

  /// Returns the object at a position; the first of a batch reads the batch's rows.
  ///
  /// - Precondition: the position is in range.
  public subscript(position: Int) -> Object {
    let start = position - position % batch.batchSize
    if current?.start != start {
      let neighbours = batch.neighbours(of: objectIDs[position])
      current = (start, context.faults(neighbours, in: batch))
    }
    guard let object = current?.objects[position - start] as? Object else {
      preconditionFailure("\(objectIDs[position]) is no \(Object.self)")
    }
    return object
  }
}

extension ManagedObjectContext {
  /// Returns the objects that a request asks for as a collection in constant memory but for the IDs.
  ///
  /// - Parameter request: its batch size says how many rows are read at once; 0 means 100.
  /// - Throws: as `fetch(_:)` does.
  public func fetchBatched<Object>(
    _ request: FetchRequest<Object>
  ) throws -> BatchedResults<Object> {
    let keyPaths = request.relationshipKeyPathsForPrefetching
    try checkPrefetching(keyPaths, entity: try bind(request).entity)
    let batch = FaultBatch(
      objectIDs: try fetchObjectIDs(request),
      batchSize: request.fetchBatchSize > 0 ? request.fetchBatchSize : 100,
      prefetchedKeyPaths: keyPaths)
    return BatchedResults(context: self, batch: batch)
  }
}

import LodeModel

/// The objects of a context by ID: one for each.
///
/// An object that nobody else holds counts as gone, whether its memory was given back yet or not. The
/// registry alone gives it back, in sweeps that cost O(1) for each object registered: so objects may be
/// let go on any thread, and none has to say so.
struct ObjectRegistry {
  private static let sweepCountMin = 256

  /// The objects in the order in which they came, which is mostly that of their memory.
  private var objectsInOrder: ContiguousArray<ManagedObject> = []
  private var positions: [ManagedObjectID: Int] = [:]
  /// How many objects the last sweep left.
  private var survivorCount = 0
  /// Whether a sweep may have left objects that were let go since.
  private var mayHaveDropped = false

  /// Returns the object of an ID; nil when there is none, or none that anybody else holds.
  subscript(objectID: ManagedObjectID) -> ManagedObject? {
    mutating get {
      guard let position = positions[objectID],
        !isKnownUniquelyReferenced(&objectsInOrder[position])
      else { return nil }
      return objectsInOrder[position]
    }
  }

  /// The objects that somebody else holds.
  var objects: [ManagedObject] {
    mutating get {
      sweep()
      return Array(objectsInOrder)
    }
  }

  /// Takes in an object, in the place of one of the same ID that nobody else holds.
  mutating func register(_ object: ManagedObject) {
    if let position = positions[object.objectID] {
      objectsInOrder[position] = object
      return
    }
    positions[object.objectID] = objectsInOrder.count
    objectsInOrder.append(object)
    if objectsInOrder.count - survivorCount >= max(Self.sweepCountMin, survivorCount) {
      sweep()
      mayHaveDropped = true
    }
  }

  /// Gives back what the work until now left behind, if that was much.
  ///
  /// Called where the context's user has let go of what a block or a fetch needed.
  mutating func settle() {
    let newCount = objectsInOrder.count - survivorCount
    guard mayHaveDropped || newCount >= max(Self.sweepCountMin, survivorCount / 8) else { return }
    sweep()
    mayHaveDropped = false
  }

  private mutating func sweep() {
    // The objects to keep, in front; those to give back, behind.
    var keptCount = 0
    for position in objectsInOrder.indices
    where !isKnownUniquelyReferenced(&objectsInOrder[position]) {
      if keptCount < position { objectsInOrder.swapAt(keptCount, position) }
      keptCount += 1
    }
    survivorCount = keptCount
    if keptCount == objectsInOrder.count { return }
    objectsInOrder.removeLast(objectsInOrder.count - keptCount)
    positions.removeAll(keepingCapacity: keptCount * 4 > positions.capacity)
    for (position, object) in objectsInOrder.enumerated() { positions[object.objectID] = position }
  }

  mutating func removeAll() { self = ObjectRegistry() }

  mutating func reserve(_ count: Int) {
    positions.reserveCapacity(positions.count + count)
  }
}

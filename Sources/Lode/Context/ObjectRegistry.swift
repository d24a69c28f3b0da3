import LodeModel

/// The objects of a context by ID: one for each.
///
/// An object that nobody else holds counts as gone, whether its memory was given back yet or not. The
/// registry alone gives it back, in sweeps that cost O(1) for each object registered: so objects may be
/// let go on any thread, and none has to say so.
struct ObjectRegistry {
  private static let sweepCountMin = 256

  private var entries: [ManagedObjectID: ManagedObject] = [:]
  /// How many objects came since the last sweep, and how many that one left.
  private var registeredCount = 0
  private var survivorCount = 0
  /// Whether a sweep may have left objects that were let go since.
  private var mayHaveDropped = false

  /// Returns the object of an ID; nil when there is none, or none that anybody else holds.
  subscript(objectID: ManagedObjectID) -> ManagedObject? {
    mutating get {
      guard let index = entries.index(forKey: objectID) else { return nil }
      if isKnownUniquelyReferenced(&entries.values[index]) {
        entries.remove(at: index)
        return nil
      }
      return entries.values[index]
    }
  }

  /// The objects that somebody else holds.
  var objects: [ManagedObject] {
    mutating get {
      sweep()
      return Array(entries.values)
    }
  }

  mutating func register(_ object: ManagedObject) {
    entries[object.objectID] = object
    registeredCount += 1
    if registeredCount >= max(Self.sweepCountMin, survivorCount) {
      sweep()
      mayHaveDropped = true
    }
  }

  /// Gives back what the work until now left behind, if that was much.
  ///
  /// Called where the context's user has let go of what a block or a fetch needed.
  mutating func settle() {
    guard mayHaveDropped || registeredCount >= max(Self.sweepCountMin, survivorCount / 8) else {
      return
    }
    sweep()
    mayHaveDropped = false
  }

  private mutating func sweep() {
    var index = entries.startIndex
    var gone: [ManagedObjectID] = []
    while index != entries.endIndex {
      if isKnownUniquelyReferenced(&entries.values[index]) { gone.append(entries.keys[index]) }
      entries.formIndex(after: &index)
    }
    for objectID in gone { entries[objectID] = nil }
    survivorCount = entries.count
    registeredCount = 0
  }

  mutating func removeAll() { self = ObjectRegistry() }

  mutating func reserve(_ count: Int) { entries.reserveCapacity(entries.count + count) }
}

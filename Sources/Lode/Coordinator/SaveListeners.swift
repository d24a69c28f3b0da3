import Synchronization

/// A context that wants to hear of saves.
package protocol SaveListener: AnyObject, Sendable {
  /// Told of a save after it is done, on the saving context's thread; must return at once.
  func didSave(_ notice: SaveNotice)
}

/// Those who hear of saves on one coordinator or in one parent context, held weakly.
package final class SaveListeners: Sendable {
  private struct Entry: Sendable {
    weak var listener: (any SaveListener)?
  }

  private let entries = Mutex([Entry]())

  /// Makes an empty list.
  package init() {}

  /// Adds a listener, which is held weakly.
  package func add(_ listener: any SaveListener) {
    entries.withLock { entries in
      entries.removeAll { $0.listener == nil }
      entries.append(Entry(listener: listener))
    }
  }

  /// Tells all listeners of a save, in the order in which they were added.
  package func tell(_ notice: SaveNotice) {
    // Listeners are told outside of the lock, for one may add another.
    for listener in entries.withLock({ $0.compactMap(\.listener) }) { listener.didSave(notice) }
  }
}

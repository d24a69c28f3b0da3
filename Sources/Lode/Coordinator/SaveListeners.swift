import Synchronization

/// A context that wants to hear of saves.
package protocol SaveListener: AnyObject, Sendable {
  /// Told of a save after it is done, on the saving context's thread; must return at once.
  func didSave(_ notice: SaveNotice)
}

/// One open sequence of notices.
///
/// Listeners are held weakly: the sequence keeps its listener by the closure that ends it.
final class SaveStream: SaveListener {
  private let continuation: AsyncStream<SaveNotice>.Continuation

  private init(_ continuation: AsyncStream<SaveNotice>.Continuation) {
    self.continuation = continuation
  }

  /// Opens a sequence that hears of saves from now on.
  static func open(_ listeners: SaveListeners) -> AsyncStream<SaveNotice> {
    let (stream, continuation) = AsyncStream.makeStream(of: SaveNotice.self)
    let listener = SaveStream(continuation)
    listeners.add(listener)
    continuation.onTermination = { _ in withExtendedLifetime(listener) {} }
    return stream
  }

  func didSave(_ notice: SaveNotice) { continuation.yield(notice) }
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

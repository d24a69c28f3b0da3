import Synchronization

/// The open change sequences of one controller, each of which receives every change.
///
/// Sequences buffer what their readers have not taken yet, without a bound: dropping one change would
/// leave a reader with wrong paths for ever, and waiting for a reader would hold up the context.
final class ChangeBroadcast: Sendable {
  private struct Receivers {
    var continuations: [Int: AsyncStream<FetchedResultsChange>.Continuation] = [:]
    var lastNumber = 0
    var isFinished = false
  }

  private let receivers = Mutex(Receivers())

  deinit { finish() }

  /// Returns a sequence of the changes from now on; one that has ended already, after `finish`.
  func open() -> AsyncStream<FetchedResultsChange> {
    let (stream, continuation) = AsyncStream.makeStream(of: FetchedResultsChange.self)
    let number = receivers.withLock { receivers -> Int? in
      if receivers.isFinished { return nil }
      receivers.lastNumber += 1
      receivers.continuations[receivers.lastNumber] = continuation
      return receivers.lastNumber
    }
    guard let number else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.close(number) }
    return stream
  }

  func send(_ change: FetchedResultsChange) {
    for continuation in current { continuation.yield(change) }
  }

  /// Ends every open sequence after what it has received, and those that are opened until `restart`.
  func finish() {
    receivers.withLock { $0.isFinished = true }
    for continuation in current { continuation.finish() }
  }

  /// Lets sequences be opened again.
  func restart() { receivers.withLock { $0.isFinished = false } }

  private var current: [AsyncStream<FetchedResultsChange>.Continuation] {
    receivers.withLock { Array($0.continuations.values) }
  }

  private func close(_ number: Int) {
    receivers.withLock { _ = $0.continuations.removeValue(forKey: number) }
  }
}

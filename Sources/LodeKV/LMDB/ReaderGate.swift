// Who is reading, and the gate that is shut while the map is resized or the environment closed.
// Readers hold pointers into the map, so that neither may happen under them.

internal import Foundation

/// A pool of read transactions with a gate in front.
///
/// Unchecked because its state is written under the condition's lock only. `Reader` is what a
/// reader needs to have at hand; it is idle here or in use by one thread.
final class ReaderGate<Reader>: @unchecked Sendable {
  private enum Condition {
    case open
    case shut
    case closed
  }

  private let lock = NSCondition()
  private var condition = Condition.open
  private var idle: [Reader] = []
  private var activeCount = 0

  /// Lets a reader in and returns its transaction, or nil when the gate is closed for good.
  ///
  /// Waits while the gate is shut, unless this thread is inside a read already: whoever shut the
  /// gate waits for that one.
  ///
  /// - Parameter make: gets an idle transaction, if there is one, and makes it see the last
  ///   commit; the count is that of the readers inside. Called under the lock.
  func enter<Failure: Error>(
    _ make: (_ idle: Reader?, _ activeCount: Int) throws(Failure) -> Reader
  ) throws(Failure) -> Reader? {
    lock.lock()
    defer { lock.unlock() }
    while condition == .shut && readDepth.current == 0 { lock.wait() }
    guard condition != .closed else { return nil }
    let reader = try make(idle.popLast(), activeCount)
    activeCount += 1
    readDepth.current += 1
    return reader
  }

  /// Takes a transaction back, reset but not ended.
  func leave(_ reader: Reader) {
    lock.lock()
    idle.append(reader)
    activeCount -= 1
    readDepth.current -= 1
    if activeCount == 0 && condition != .open { lock.broadcast() }
    lock.unlock()
  }

  /// Runs a closure while nobody enters; readers that are inside go on.
  func withLock<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }

  /// Shuts the gate, waits for the readers inside, runs a closure and opens the gate again.
  ///
  /// - Parameter deadline: when to give up waiting.
  /// - Returns: nil when readers were still inside at the deadline; the closure has not run then.
  func whileEmpty<Result>(until deadline: Date, _ body: () -> Result) -> Result? {
    lock.lock()
    defer { lock.unlock() }
    guard condition == .open else { return nil }
    condition = .shut
    defer {
      if condition == .shut { condition = .open }
      lock.broadcast()
    }
    while activeCount > 0 {
      guard lock.wait(until: deadline) else { return nil }
    }
    return body()
  }

  /// Closes the gate for good, waits for the readers inside and returns all transactions.
  func close() -> [Reader] {
    lock.lock()
    defer { lock.unlock() }
    condition = .closed
    lock.broadcast()
    while activeCount > 0 { lock.wait() }
    defer { idle = [] }
    return idle
  }
}

/// How many reads this thread is inside of, of all engines together.
private let readDepth = ThreadNumber()

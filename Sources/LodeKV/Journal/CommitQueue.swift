// The queue of commits. Whoever finds no leader leads: takes everybody who waits, carries the
// group out, and hands the lead to the first who queued up meanwhile. While one group waits for its
// sync, the next one gathers.

internal import Dispatch
internal import Synchronization

/// One commit that waits for its turn.
///
/// Unchecked because the outcome is written by the leader before it signals, and read by the
/// waiting thread after; the semaphore orders the two.
final class WaitingCommit: @unchecked Sendable {
  typealias Prepare = @Sendable (any KeyValueSnapshot) throws -> WriteList

  /// Nil for work that is done alone, between two groups.
  let prepare: Prepare?
  let durability: CommitDurability
  /// The sequence, or why there is none.
  var outcome: Result<UInt64, any Error>?
  fileprivate var isAskedToLead = false
  fileprivate let wakeUp = DispatchSemaphore(value: 0)

  init(_ durability: CommitDurability, _ prepare: Prepare?) {
    self.durability = durability
    self.prepare = prepare
  }
}

/// Commits in the order of their arrival.
final class CommitQueue: Sendable {
  private struct State {
    var waiting: [WaitingCommit] = []
    var isLed = false
  }

  private let state = Mutex(State())

  /// How many wait for a turn; changes at any time.
  var waitingCount: Int { state.withLock { $0.waiting.count } }

  /// Has a commit carried out, in a group with others, and returns its outcome.
  ///
  /// - Parameter lead: carries out a group and gives every member an outcome.
  func submit(
    _ commit: WaitingCommit, lead: ([WaitingCommit]) -> Void
  ) throws -> UInt64 {
    guard waitForLead(commit) else { return try Self.outcome(of: commit) }
    let group = takeGroup()
    lead(group)
    handOver()
    for member in group where member !== commit { member.wakeUp.signal() }
    return try Self.outcome(of: commit)
  }

  /// Runs a closure in turn with the groups, when none of them is at work.
  func runAlone<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let turn = WaitingCommit(.unsynced, nil)
    let leads = waitForLead(turn)
    assert(leads, "nobody leads work that is done alone but its own thread")
    state.withLock { _ = $0.waiting.removeFirst() }
    defer { handOver() }
    return try body()
  }

  /// Takes the commits that are in front, up to the next work that is done alone.
  private func takeGroup() -> [WaitingCommit] {
    state.withLock { state in
      let group = Array(state.waiting.prefix { $0.prepare != nil })
      state.waiting.removeFirst(group.count)
      return group
    }
  }

  /// Waits until the caller leads, or another leader has given it an outcome: then returns false.
  private func waitForLead(_ commit: WaitingCommit) -> Bool {
    if enter(commit) { return true }
    commit.wakeUp.wait()
    return commit.isAskedToLead
  }

  /// Queues up and returns whether the caller leads.
  private func enter(_ commit: WaitingCommit) -> Bool {
    state.withLock { state in
      state.waiting.append(commit)
      defer { state.isLed = true }
      return !state.isLed
    }
  }

  private func handOver() {
    let next = state.withLock { state in
      state.isLed = !state.waiting.isEmpty
      return state.waiting.first
    }
    guard let next else { return }
    next.isAskedToLead = true
    next.wakeUp.signal()
  }

  private static func outcome(of commit: WaitingCommit) throws -> UInt64 {
    guard let outcome = commit.outcome else {
      preconditionFailure("the leader of a group gives every member an outcome")
    }
    return try outcome.get()
  }
}

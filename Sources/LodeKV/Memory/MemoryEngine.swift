// The engine that keeps its trees in memory: same contract as on disk, nothing survives it.

internal import Synchronization

/// An engine without files, for stores that live as long as the process.
///
/// Commits run one at a time on their callers' threads; readers take the roots of the last commit
/// under a lock that is held for a few instructions, and never wait for a commit.
package final class MemoryEngine: KeyValueEngine {
  /// What errors name in place of a file.
  static let path = "memory"

  /// The trees of one commit.
  struct State: Sendable {
    var trees: [UInt32: MemoryTree] = [:]
    var sequence: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let commitLock = Mutex(())

  /// Creates an engine without any pair.
  package init() {}

  /// Runs a closure on the roots of the last commit.
  package func read<Result>(_ body: (any KeyValueSnapshot) throws -> Result) throws -> Result {
    let snapshot = MemorySnapshot(try openState())
    return try withExtendedLifetime(snapshot) { try body(snapshot) }
  }

  /// Commits as the contract says, one commit at a time; nothing is durable.
  @discardableResult
  package func commit(
    durability: CommitDurability?,
    _ prepare: @escaping @Sendable (any KeyValueSnapshot) throws -> WriteList
  ) throws -> UInt64 {
    try CommitTurn.run(for: self) {
      try commitLock.withLock { _ in
        var next = try openState()
        let list = try prepare(MemorySnapshot(next))
        guard !list.isEmpty else { return next.sequence }
        try next.apply(list)
        next.sequence += 1
        try publish(next)
        return next.sequence
      }
    }
  }

  /// Does nothing: there is no file.
  package func checkpoint() throws(EngineError) { _ = try openState() }

  /// Returns the engine's figures.
  package func statistics() throws(EngineError) -> EngineStatistics {
    let state = try openState()
    var statistics = EngineStatistics()
    statistics.lastSequence = state.sequence
    statistics.dataFileByteCount = UInt64(state.trees.values.reduce(0) { $0 + $1.byteCount })
    return statistics
  }

  /// Lets the trees go; readers that are still running keep theirs.
  package func close() throws(EngineError) {
    state.withLock { $0 = State(isClosed: true) }
  }

  private func openState() throws(EngineError) -> State {
    let state = state.withLock { $0 }
    if state.isClosed { throw .closed(path: Self.path) }
    return state
  }

  private func publish(_ next: State) throws(EngineError) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state = next }
      return state.isClosed
    }
    if isClosed { throw .closed(path: Self.path) }
  }
}

extension MemoryEngine.State {
  mutating func apply(_ list: WriteList) throws(EngineError) {
    try list.forEach { entry throws(EngineError) in
      switch entry.operation {
      case .put: trees[entry.tree.number, default: MemoryTree()].put(entry.key, entry.value)
      case .delete: trees[entry.tree.number]?.delete(entry.key)
      }
    }
  }
}

/// The trees of one commit, held for a reader.
final class MemorySnapshot: KeyValueSnapshot {
  private let trees: [UInt32: MemoryTree]

  init(_ state: MemoryEngine.State) { trees = state.trees }

  func value(
    of key: UnsafeRawBufferPointer, in tree: TreeID
  ) throws(EngineError) -> UnsafeRawBufferPointer? {
    trees[tree.number]?.value(of: key)
  }

  func cursor(in tree: TreeID) throws(EngineError) -> any KeyValueCursor {
    MemoryCursor(trees[tree.number] ?? MemoryTree())
  }

  func count(of tree: TreeID) throws(EngineError) -> Int { trees[tree.number]?.count ?? 0 }
}

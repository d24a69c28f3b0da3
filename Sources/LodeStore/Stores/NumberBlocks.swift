internal import LodeKV
internal import Synchronization

/// Object numbers that a store has reserved on disk and not yet given out.
///
/// A block is committed before the first of its numbers is given out, so that no crash brings a number
/// back; what is left of a block when the store closes is never used.
final class NumberBlocks: Sendable {
  private struct State {
    var free: Range<UInt64> = 0..<0
    var blockCount = NumberBlocks.blockCountMin
  }

  private let state = Mutex(State())

  /// Sizes of blocks: they double with each one, so that bulk loads commit few of them.
  static let blockCountMin: UInt64 = 4_096
  static let blockCountMax: UInt64 = 65_536

  /// Takes numbers, reserving a new block when the last one doesn't suffice.
  ///
  /// - Parameter reserve: commits a block of at least so many numbers and returns it.
  func take(
    _ count: UInt64, reserve: (UInt64) throws(StoreError) -> Range<UInt64>
  ) throws(StoreError) -> Range<UInt64> {
    try state.withLock { state throws(StoreError) in
      if UInt64(state.free.count) < count {
        // A remainder is dropped rather than split: numbers of one call follow one another.
        state.free = try reserve(max(count, state.blockCount))
        state.blockCount = min(state.blockCount * 2, Self.blockCountMax)
      }
      let taken = state.free.lowerBound..<state.free.lowerBound + count
      state.free = taken.upperBound..<state.free.upperBound
      return taken
    }
  }
}

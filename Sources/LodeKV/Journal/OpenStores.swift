// Which stores this process has open. The system's locks don't tell whose they are, and LMDB must not
// open a file twice in one process.

internal import Synchronization

/// The stores that this process has open, by their lock files.
enum OpenStores {
  private static let identities = Mutex<Set<FileIdentity>>([])
  /// How often each store is open for reading in place.
  private static let readerCounts = Mutex<[FileIdentity: Int]>([:])

  /// Returns false when the store is open already.
  static func enter(_ identity: FileIdentity) -> Bool {
    identities.withLock { $0.insert(identity).inserted }
  }

  static func contains(_ identity: FileIdentity) -> Bool {
    identities.withLock { $0.contains(identity) }
  }

  static func enterReader(_ identity: FileIdentity) {
    readerCounts.withLock { $0[identity, default: 0] += 1 }
  }

  static func leaveReader(_ identity: FileIdentity) {
    readerCounts.withLock { counts in
      counts[identity] = counts[identity].flatMap { $0 > 1 ? $0 - 1 : nil }
    }
  }

  static func hasReaders(_ identity: FileIdentity) -> Bool {
    readerCounts.withLock { $0[identity] != nil }
  }

  static func leave(_ identity: FileIdentity) {
    identities.withLock { _ = $0.remove(identity) }
  }
}

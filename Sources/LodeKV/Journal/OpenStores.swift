// Which stores this process has open. The system's locks don't tell whose they are, and LMDB must not
// open a file twice in one process.

internal import Synchronization

/// The stores that this process has open, by their lock files.
enum OpenStores {
  private static let identities = Mutex<Set<FileIdentity>>([])

  /// Returns false when the store is open already.
  static func enter(_ identity: FileIdentity) -> Bool {
    identities.withLock { $0.insert(identity).inserted }
  }

  static func contains(_ identity: FileIdentity) -> Bool {
    identities.withLock { $0.contains(identity) }
  }

  static func leave(_ identity: FileIdentity) {
    identities.withLock { _ = $0.remove(identity) }
  }
}

/// What has happened to a commit's bytes when the call returns; docs/journal.md has the promises.
///
/// Whatever the level, a failure never leaves part of a commit, nor a commit without those before it.
package enum CommitDurability: Sendable, Hashable, CaseIterable {
  /// Synced, with everything before it: it survives a power failure. So does an empty commit's past.
  case full
  /// Given to the operating system: it survives the end of the process, and a power failure once a
  /// sync has followed, which comes by itself after `LMDBEngine.Options.syncDelay`.
  case eventual
  /// The same without a sync of its own: a power failure takes it unless another commit's sync, a
  /// checkpoint or closing came after it.
  case unsynced
}

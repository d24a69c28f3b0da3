/// What has happened to a save's changes when the call returns.
///
/// Whatever the level, a failure never leaves part of a save, nor a save without those before it, and
/// the store is never damaged by it.
public enum Durability: Sendable, Hashable, CaseIterable {
  /// The save is on the disk, with everything before it: it survives a power failure.
  case full
  /// The save is with the operating system, which is told to write it within a fifth of a second: it
  /// survives the end of the process, a power failure may take the last moments.
  case eventual
  /// The same, but nobody tells the system to write: a power failure takes everything since the last
  /// stronger save or checkpoint. For what can be made again, such as an import.
  case unsynced
}

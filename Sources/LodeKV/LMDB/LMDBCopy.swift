internal import CLMDB

extension LMDBEnvironment {
  /// Writes the last commit into a new file, without free pages and in the order of keys; not synced.
  ///
  /// Takes the reader's place that keeps the map from growing while the copy runs, and a thread and two
  /// megabytes of memory of LMDB's.
  func copy(to path: String) throws {
    try read { _ in try check(mdb_env_copy2(handle, path, UInt32(MDB_CP_COMPACT))) }
  }

  /// Takes the figures of the last commit.
  func figures() throws -> DataFileFigures { try figures(treesOf: knownTrees()) }
}

// The engines that run the one suite.

import LodeKV
import LodeKVTesting

/// An engine that the suite runs on.
enum EngineKind: String, CaseIterable, Sendable {
  case memory
  case lmdb

  /// Runs a test on a new engine and closes it.
  func withEngine<Result>(_ body: (any KeyValueEngine) throws -> Result) throws -> Result {
    switch self {
    case .memory:
      let engine = MemoryEngine()
      defer { try? engine.close() }
      return try body(engine)
    case .lmdb:
      return try withFolder { folder in
        let engine = try LMDBEngine(open: folder, options: .small)
        defer { try? engine.close() }
        return try body(engine)
      }
    }
  }
}

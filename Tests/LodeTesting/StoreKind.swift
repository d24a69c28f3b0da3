package import Foundation
package import Lode
import Testing

/// The kinds of store that every test body runs on.
package enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case inMemory
  case lmdb

  package var testDescription: String { rawValue }

  /// Runs a body with a container of an empty store, which is gone afterwards.
  package func withContainer<Result>(
    _ model: ManagedObjectModel, _ body: (PersistentContainer) throws -> Result
  ) throws -> Result {
    switch self {
    case .inMemory: return try body(PersistentContainer(model: model))
    case .lmdb:
      return try withTemporaryFolder { folder in
        let container = try PersistentContainer(model: model, at: folder, options: .small)
        defer { try? container.close() }
        return try body(container)
      }
    }
  }

  package func withContainer<Result>(
    _ model: ManagedObjectModel, _ body: (PersistentContainer) async throws -> Result
  ) async throws -> Result {
    switch self {
    case .inMemory: return try await body(PersistentContainer(model: model))
    case .lmdb:
      let folder = temporaryFolder()
      defer { try? FileManager.default.removeItem(at: folder) }
      let container = try PersistentContainer(model: model, at: folder, options: .small)
      defer { try? container.close() }
      return try await body(container)
    }
  }
}

/// Runs a body with the path of a folder that isn't there yet and is removed afterwards.
package func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) rethrows -> Result {
  let folder = temporaryFolder()
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

package func temporaryFolder() -> URL {
  FileManager.default.temporaryDirectory.appending(path: "lode-\(UUID().uuidString)")
}

extension StoreOptions {
  /// Options for many small stores.
  package static var small: StoreOptions { StoreOptions() }
}

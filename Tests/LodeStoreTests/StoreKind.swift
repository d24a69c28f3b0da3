import Foundation
import LodeKV
import LodeModel
@testable import LodeStore
import Testing

/// The kinds of store that every test of stores runs on.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case memory

  var testDescription: String { rawValue }

  /// Opens an empty store of a model for the length of a closure.
  func withStore<Result>(
    _ model: ManagedObjectModel, _ body: (EngineStore) throws -> Result
  ) throws -> Result {
    switch self {
    case .memory: try body(try EngineStore.inMemory(model: model))
    }
  }
}

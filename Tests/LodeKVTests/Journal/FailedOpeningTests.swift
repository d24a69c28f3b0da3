// What a failed opening must leave behind: nothing.

import Foundation
import LodeKV
import LodeKVTesting
import Synchronization
import Testing

@Suite struct FailedOpeningTests {
  // A process that is just being started holds all files that are open, and so do their locks hold, until it runs
  // its own program. A failed opening left its locks to the closing of its file, and the next one found
  // the store locked by another process. Random programs found it.
  @Test func `a failed opening lets go of the store though its files stay open elsewhere`() throws {
    try withFolder { folder in
      try LMDBEngine(open: folder, options: .small).close()
      let kept = KeptFiles()
      let faults = FaultyFileSystem(.init(index: 0, operation: "read"), over: kept)
      #expect(throws: EngineError.self) {
        try LMDBEngine(open: folder.path, options: .small, fileSystem: faults)
      }
      #expect(faults.failures.count == 1)
      try LMDBEngine(open: folder, options: .small).close()
      withExtendedLifetime(kept) {}
    }
  }
}

/// Real files that stay open.
private final class KeptFiles: FileSystem {
  private let base = POSIXFileSystem()
  private let files = Mutex<[any File]>([])

  func open(_ path: String, _ mode: FileMode) throws(FileError) -> any File {
    let file = try base.open(path, mode)
    files.withLock { $0.append(file) }
    return file
  }

  func rename(_ path: String, to newPath: String) throws(FileError) {
    try base.rename(path, to: newPath)
  }

  func remove(_ path: String) throws(FileError) { try base.remove(path) }

  func identity(of path: String) throws(FileError) -> FileIdentity { try base.identity(of: path) }

  func makeFolder(_ folder: String) throws(FileError) { try base.makeFolder(folder) }

  func list(_ folder: String) throws(FileError) -> [String] { try base.list(folder) }

  func syncFolder(_ folder: String) throws(FileError) { try base.syncFolder(folder) }
}

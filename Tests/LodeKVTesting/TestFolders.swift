package import Foundation

/// Runs a test with an empty folder of its own, which is removed afterwards.
package func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = TestFolders.parent.appendingPathComponent(
    "\(TestFolders.prefix)\(getpid())-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// Where the folders of tests are.
private enum TestFolders {
  static let prefix = "lode-kv-"

  /// In memory where there is such a place: syncs cost nothing there, and none of the tests can
  /// tell. What tests left whose process was meant to die is cleared away on first use.
  static let parent: URL = {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let isWritable = FileManager.default.isWritableFile(atPath: memory.path)
    let parent = isWritable ? memory : FileManager.default.temporaryDirectory
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] {
      guard name.hasPrefix(prefix), let process = name.split(separator: "-").dropFirst(2).first,
        let number = Int32(process), kill(number, 0) != 0, errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(at: parent.appendingPathComponent(name))
    }
    return parent
  }()
}

import Foundation

/// The working tree these tests look at, found from this file's place and not from the current directory.
enum Repository {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The paths of all files below `folder`, relative to the root, sorted. Build products and version
  /// control are left out; a folder that does not exist has no files.
  static func files(in folder: String = ".") -> [String] {
    let start = root.appending(path: folder).standardizedFileURL
    guard let walk = FileManager.default.enumerator(atPath: start.path) else { return [] }
    var paths: [String] = []
    while let path = walk.nextObject() as? String {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      if skippedFolders.contains(name) {
        walk.skipDescendants()
      } else if isRegularFile(start.appending(path: path)) {
        paths.append(folder == "." ? path : folder + "/" + path)
      }
    }
    return paths.sorted()
  }

  /// The Swift files below `folder`, one of `folders`; each is read once.
  static func swiftFiles(in folder: String) throws -> [SwiftFile] {
    try sources.get().filter { $0.path.hasPrefix(folder + "/") }
  }

  /// The folders that hold Swift files.
  static let folders = ["Sources", "Tests", "Benchmarks"]

  private static let sources = Result {
    try folders.flatMap { files(in: $0) }.filter { $0.hasSuffix(".swift") }.map { path in
      SwiftFile(path: path, text: try text(of: path))
    }
  }

  static func text(of path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static let skippedFolders: Set<String> = [".build", ".git", ".swiftpm", ".league"]

  private static func isRegularFile(_ url: URL) -> Bool {
    let values = try? url.resourceValues(forKeys: [.isRegularFileKey])
    return values?.isRegularFile ?? false
  }
}

/// A place in a file and what is wrong there, printed so that an editor can jump to it.
struct Finding: CustomStringConvertible, Equatable {
  var path: String
  var line: Int
  var message: String

  var description: String { "\(path):\(line): \(message)" }
}

extension [Finding] {
  /// One finding a line, for the comment of an expectation.
  var report: String { map(\.description).joined(separator: "\n") }
}

import Foundation

/// Where the demonstration keeps its store unless told.
enum StorePlace {
  /// The folder `lode/league` of the user's state: under `XDG_STATE_HOME` if that is set to an absolute
  /// path, else under `~/.local/state`, else (without a home) under the system's temporary folder.
  static func league(environment: [String: String]) -> URL {
    base(environment).appending(path: "lode/league", directoryHint: .isDirectory)
  }

  /// Makes the folders above a store's, which the store itself makes.
  ///
  /// - Throws: `StorePlaceError` when there is a file in the way, or a folder can't be made.
  static func prepare(_ url: URL) throws(StorePlaceError) {
    for folder in sequence(first: url.standardizedFileURL, next: above) {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else {
        continue
      }
      guard isFolder.boolValue else { throw .fileInTheWay(folder.path) }
      break
    }
    do {
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    } catch {
      throw .unmakeable(url.deletingLastPathComponent().path)
    }
  }

  private static func above(_ url: URL) -> URL? {
    url.path == "/" ? nil : url.deletingLastPathComponent()
  }

  private static func base(_ environment: [String: String]) -> URL {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return URL(filePath: state, directoryHint: .isDirectory)
    }
    if let home = environment["HOME"], home.hasPrefix("/") {
      return URL(filePath: home, directoryHint: .isDirectory).appending(path: ".local/state")
    }
    return FileManager.default.temporaryDirectory
  }
}

/// Why a place is none for a store, in words for the person who named it.
enum StorePlaceError: Error, Equatable, CustomStringConvertible {
  case fileInTheWay(String)
  case unmakeable(String)

  var description: String {
    switch self {
    case .fileInTheWay(let path):
      "“\(path)” is a file, and a store is kept in a folder of its own; name another place with --store"
    case .unmakeable(let path):
      "the folder “\(path)” is not there and can't be made; make it, or name another place with --store"
    }
  }
}

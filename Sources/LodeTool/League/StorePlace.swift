import Foundation

/// Where the demonstration keeps its store unless told.
enum StorePlace {
  /// The folder `lode/league` of the user's state: under `XDG_STATE_HOME` if that is set to an absolute
  /// path, else under `~/.local/state`, else (without a home) under the system's temporary folder.
  static func league(environment: [String: String]) -> URL {
    base(environment).appending(path: "lode/league", directoryHint: .isDirectory)
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

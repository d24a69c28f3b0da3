import Foundation
import Testing

@testable import LodeTool

struct StorePlaceTests {
  @Test(arguments: [
    (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/lode/league"),
    (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/lode/league"),
    (["HOME": "/h"], "/h/.local/state/lode/league"),
  ])
  func `the store is kept with the user's state`(environment: [String: String], path: String) {
    let place = StorePlace.league(environment: environment).path(percentEncoded: false)
    #expect(place == path || place == path + "/")
  }

  @Test func `without a home the store is temporary`() {
    let place = StorePlace.league(environment: [:]).path
    #expect(place.hasPrefix(FileManager.default.temporaryDirectory.path))
  }

  @Test func `a file where the store's folder should be is named`() throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "lode-place-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "file")
    try StorePlace.prepare(file)
    try Data("text".utf8).write(to: file)
    for place in [file, file.appending(path: "a/b")] {
      let error = #expect(throws: StorePlaceError.self) { try StorePlace.prepare(place) }
      #expect(error == .fileInTheWay(file.path))
    }
    #expect(throws: StorePlaceError.unmakeable("/proc/lode")) {
      try StorePlace.prepare(URL(filePath: "/proc/lode/league"))
    }
    #expect(try Data(contentsOf: file) == Data("text".utf8))
  }
}

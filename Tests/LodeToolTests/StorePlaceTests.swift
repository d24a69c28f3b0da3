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
}

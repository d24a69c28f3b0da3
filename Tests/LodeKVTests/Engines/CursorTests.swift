// How cursors move, at both ends and between.

import LodeKV
import LodeKVTesting
import Testing

@Suite struct CursorTests {
  private func withCursor(
    _ kind: EngineKind, over keys: [String], _ body: (any KeyValueCursor) throws -> Void
  ) throws {
    try kind.withEngine { engine in
      var list = WriteList()
      for key in keys { list.put(key, "value of " + key) }
      try engine.commit(list)
      try engine.read { try body($0.cursor(in: tree)) }
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a seek goes to the key or the next one`(kind: EngineKind) throws {
    try withCursor(kind, over: ["b", "d"]) { cursor in
      try #expect(cursor.seek([UInt8]("a")) && cursor.keyText == "b")
      try #expect(cursor.seek([UInt8]("b")) && cursor.keyText == "b")
      try #expect(cursor.seek([UInt8]("c")) && cursor.keyText == "d")
      try #expect(!cursor.seek([UInt8]("e")))
      try #expect(cursor.previous() && cursor.keyText == "d")
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a seek before goes to the last smaller key`(kind: EngineKind) throws {
    try withCursor(kind, over: ["b", "d"]) { cursor in
      try #expect(cursor.seekBefore([UInt8]("e")) && cursor.keyText == "d")
      try #expect(cursor.seekBefore([UInt8]("d")) && cursor.keyText == "b")
      try #expect(cursor.seekBefore([UInt8]("c")) && cursor.keyText == "b")
      try #expect(!cursor.seekBefore([UInt8]("b")))
      try #expect(cursor.next() && cursor.keyText == "b")
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a cursor starts before the first pair`(kind: EngineKind) throws {
    try withCursor(kind, over: ["a", "b"]) { cursor in
      try #expect(!cursor.previous())
      try #expect(cursor.next() && cursor.keyText == "a")
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a cursor turns round behind either end`(kind: EngineKind) throws {
    try withCursor(kind, over: ["a", "b"]) { cursor in
      try #expect(cursor.last() && cursor.keyText == "b")
      try #expect(!cursor.next())
      try #expect(!cursor.next())
      try #expect(cursor.previous() && cursor.keyText == "b")
      try #expect(cursor.first() && cursor.keyText == "a")
      try #expect(!cursor.previous())
      try #expect(!cursor.previous())
      try #expect(cursor.next() && cursor.keyText == "a")
      #expect(String(decoding: cursor.value, as: UTF8.self) == "value of a")
    }
  }
}

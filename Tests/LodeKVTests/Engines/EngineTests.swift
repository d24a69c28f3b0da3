// What every engine does, run on each of them.

import LodeKV
import LodeKVTesting
import Testing

@Suite struct EngineTests {
  @Test(arguments: EngineKind.allCases)
  func `a new engine is empty`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      try engine.read { snapshot in
        try #expect(snapshot.bytes([1]) == nil)
        try #expect(snapshot.count(of: tree) == 0)
        let cursor = try snapshot.cursor(in: tree)
        try #expect(!cursor.first())
        try #expect(!cursor.last())
        try #expect(!cursor.next())
        try #expect(!cursor.previous())
        try #expect(!cursor.seek([1]))
        try #expect(!cursor.seekBefore([1]))
      }
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a put is read back and a second one replaces it`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      try engine.put("a", "1")
      try #expect(engine.text("a") == "1")
      try engine.put("a", "22")
      try #expect(engine.text("a") == "22")
      try engine.put("a", "33")
      try #expect(engine.text("a") == "33")
      try #expect(engine.read { try $0.count(of: tree) } == 1)
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a delete removes a pair and ignores an absent one`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      try engine.put("a", "1")
      var list = WriteList()
      list.delete([UInt8]("a"))
      list.delete([UInt8]("absent"))
      list.delete([UInt8]("a"), in: TreeID(9))
      try engine.commit(list)
      try #expect(engine.pairs().isEmpty)
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `operations of a list are applied in order`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      var list = WriteList()
      list.put("a", "1")
      list.delete([UInt8]("a"))
      list.put("a", "2")
      list.put("b", "1")
      list.delete([UInt8]("b"))
      try engine.commit(list)
      try #expect(engine.pairs() == [Pair(key: [UInt8]("a"), value: [UInt8]("2"))])
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `keys and values of every size are kept`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      let values = [0, 1, 447, 448, 449, 2000, 4096, 100_000, 3_000_000]
      var list = WriteList()
      for (number, count) in values.enumerated() {
        let key = [UInt8](repeating: UInt8(number + 1), count: number == 0 ? 511 : number)
        list.put(key, [UInt8](repeating: UInt8(number), count: count))
      }
      try engine.commit(list)
      try #expect(engine.pairs().map(\.value.count) == values)
      try #expect(engine.pairs().first?.key.count == 511)
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `keys are ordered by unsigned bytes`(kind: EngineKind) throws {
    let keys: [[UInt8]] = [[0], [0, 0], [0, 1], [1], [127], [128], [128, 0], [255], [255, 255]]
    try kind.withEngine { engine in
      var list = WriteList()
      for key in keys.shuffled() { list.put(key, key) }
      try engine.commit(list)
      try #expect(engine.pairs().map(\.key) == keys)
      try #expect(engine.read { try $0.reversedPairs() }.map(\.key) == keys.reversed())
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `trees are apart`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      var list = WriteList()
      for number in 1...50 { list.put([1], [UInt8(number)], in: TreeID(UInt32(number))) }
      try engine.commit(list)
      for number in 1...50 {
        let value = try engine.read { try $0.bytes([1], in: TreeID(UInt32(number))) }
        #expect(value == [UInt8(number)])
      }
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `sequence numbers count the commits that wrote`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      try #expect(engine.commit(WriteList()) == 0)
      try #expect(engine.put("a", "1") == 1)
      try #expect(engine.put("a", "1") == 2)
      try #expect(engine.commit(WriteList()) == 2)
      try #expect(engine.statistics().lastSequence == 2)
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `an error of the closure is rethrown and writes nothing`(kind: EngineKind) throws {
    struct Refusal: Error {}
    try kind.withEngine { engine in
      try engine.put("a", "1")
      #expect(throws: Refusal.self) { try engine.commit { _ in throw Refusal() } }
      #expect(throws: Refusal.self) { try engine.read { _ in throw Refusal() } }
      try #expect(engine.pairs().count == 1)
      try #expect(engine.statistics().lastSequence == 1)
      try #expect(engine.put("b", "1") == 2)
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a commit sees every earlier one`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      for _ in 1...20 {
        try engine.commit { snapshot in
          let count = try snapshot.bytes([1])?.first ?? 0
          var list = WriteList()
          list.put([1], [count + 1])
          return list
        }
      }
      try #expect(engine.read { try $0.bytes([1]) } == [20])
    }
  }

  @Test func `a commit inside a commit's closure is a programming error`() async {
    await #expect(processExitsWith: .failure) {
      let engine = MemoryEngine()
      try engine.commit { _ in
        try engine.put("a", "1")
        return WriteList()
      }
    }
    await #expect(processExitsWith: .failure) {
      try withFolder { folder in
        let engine = try LMDBEngine(open: folder, options: .small)
        try engine.commit { _ in
          try engine.checkpoint()
          return WriteList()
        }
      }
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a commit's closure may read the engine`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      try engine.put("a", "1")
      try engine.commit { _ in
        var list = WriteList()
        list.put("b", try engine.text("a") ?? "nothing")
        return list
      }
      try #expect(engine.text("b") == "1")
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `a closed engine refuses everything`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      try engine.put("a", "1")
      try engine.close()
      try engine.close()
      #expect(throws: EngineError.self) { try engine.text("a") }
      #expect(throws: EngineError.self) { try engine.put("a", "1") }
      #expect(throws: EngineError.self) { try engine.checkpoint() }
      #expect(throws: EngineError.self) { try engine.statistics() }
    }
  }
}

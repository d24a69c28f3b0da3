// Random operations on an engine and on a dictionary, which must agree about everything.

import LodeRandom
import LodeKV
import LodeKVTesting
import Testing

@Suite struct ModelTests {
  @Test(arguments: EngineKind.allCases)
  func `random commits agree with a dictionary`(kind: EngineKind) throws {
    var random = SeededGenerator()
    try kind.withEngine { engine in
      var model: [[UInt8]: [UInt8]] = [:]
      for round in 0..<40 {
        try engine.commit(randomList(shrinking: round % 20 > 12, &model, &random))
        try compare(engine, model, &random)
      }
      try engine.commit(deletingAll(&model))
      try compare(engine, model, &random)
    }
  }

  private func randomList(
    shrinking: Bool, _ model: inout [[UInt8]: [UInt8]], _ random: inout SeededGenerator
  ) -> WriteList {
    var list = WriteList()
    for _ in 0..<Int.random(in: 1...400, using: &random) {
      let key = randomKey(&random)
      if Int.random(in: 0..<10, using: &random) < (shrinking ? 2 : 7) {
        let value = random.bytes(Bool.random(using: &random) ? 0...80 : 0...3000)
        list.put(key, value)
        model[key] = value
      } else {
        let victim = Bool.random(using: &random) ? key : model.randomElement(using: &random)?.key
        list.delete(victim ?? key)
        model[victim ?? key] = nil
      }
    }
    return list
  }

  /// Keys of all lengths, many of them with shared prefixes and some that repeat.
  private func randomKey(_ random: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: [UInt8](number: Int.random(in: 0..<500, using: &random))
    case 1: random.bytes(1...2)
    case 2: [UInt8](repeating: 65, count: 400) + random.bytes(1...111)
    default: random.bytes(1...511)
    }
  }

  private func deletingAll(_ model: inout [[UInt8]: [UInt8]]) -> WriteList {
    var list = WriteList()
    for key in model.keys { list.delete(key) }
    model = [:]
    return list
  }

  private func compare(
    _ engine: any KeyValueEngine, _ model: [[UInt8]: [UInt8]], _ random: inout SeededGenerator
  ) throws {
    let expected = model.map { Pair(key: $0.key, value: $0.value) }
      .sorted { precedes($0.key, $1.key) }
    let seed = Comment("LODE_SEED=\(random.seed)")
    try engine.read { snapshot in
      try #expect(snapshot.count(of: tree) == expected.count, seed)
      try #require(snapshot.pairs() == expected, seed)
      try #require(snapshot.reversedPairs() == expected.reversed(), seed)
      let cursor = try snapshot.cursor(in: tree)
      for _ in 0..<40 {
        let key = expected.randomElement(using: &random)?.key ?? [0]
        let probe = Bool.random(using: &random) ? key : randomKey(&random)
        try compareSeeks(cursor, expected, probe, seed)
        try #expect(snapshot.bytes(probe) == model[probe], seed)
      }
    }
  }

  private func compareSeeks(
    _ cursor: any KeyValueCursor, _ expected: [Pair], _ probe: [UInt8], _ seed: Comment
  ) throws {
    let index = expected.partitioningIndex { !precedes($0.key, probe) }
    let after = index < expected.count ? expected[index] : nil
    let before = index > 0 ? expected[index - 1] : nil
    try #expect((cursor.seek(probe) ? cursor.pair : nil) == after, seed)
    try #expect((cursor.previous() ? cursor.pair : nil) == before, seed)
    try #expect((cursor.next() ? cursor.pair : nil) == after, seed)
    try #expect((cursor.seekBefore(probe) ? cursor.pair : nil) == before, seed)
    try #expect((cursor.next() ? cursor.pair : nil) == after, seed)
  }
}

extension Array {
  /// Returns the first index for which a predicate holds, which holds for all later ones too.
  func partitioningIndex(where isAfter: (Element) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isAfter(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

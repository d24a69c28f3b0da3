// Snapshots stay as they were taken, whatever is committed meanwhile.

import Foundation
import LodeKV
import LodeKVTesting
import Testing

@Suite struct SnapshotTests {
  @Test(arguments: EngineKind.allCases)
  func `a snapshot keeps its pairs and pointers while commits go on`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      var list = WriteList()
      for number in 0..<500 { list.put([UInt8](number: number), [UInt8](number: number)) }
      list.put([255], [UInt8](repeating: 7, count: 10_000))
      try engine.commit(list)
      let before = try engine.pairs()
      try engine.read { snapshot in
        let large = try #require(
          try [UInt8]([255]).withUnsafeBytes { try snapshot.value(of: $0, in: tree) })
        for number in stride(from: 0, to: 500, by: 3) {
          var list = WriteList()
          list.delete([UInt8](number: number))
          list.put([UInt8](number: number + 1), [1])
          list.delete([255])
          try engine.commit(list)
        }
        try #expect(snapshot.pairs() == before)
        #expect(Array(large) == [UInt8](repeating: 7, count: 10_000))
        try #expect(engine.pairs() != before)
      }
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `two hundred snapshots are open at once`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      func nest(_ depth: Int) throws {
        guard depth < 200 else { return }
        try engine.read { snapshot in
          try engine.put("depth", "\(depth)")
          try nest(depth + 1)
          let seen = try snapshot.bytes([UInt8]("depth"))
          #expect(seen == (depth == 0 ? nil : [UInt8]("\(depth - 1)")))
        }
      }
      try nest(0)
    }
  }

  @Test(arguments: EngineKind.allCases)
  func `readers on other threads see whole commits only`(kind: EngineKind) throws {
    try kind.withEngine { engine in
      DispatchQueue.concurrentPerform(iterations: 4) { worker in
        for round in 0..<100 {
          if worker == 0 {
            try? commitSame(round, to: engine)
          } else {
            let values = Set((try? engine.pairs().map(\.value)) ?? [[1], [2]])
            #expect(values.count <= 1)
          }
        }
      }
    }
  }

  private func commitSame(_ round: Int, to engine: any KeyValueEngine) throws {
    var list = WriteList()
    for number in 0..<40 { list.put([UInt8](number: number), [UInt8](number: round)) }
    try engine.commit(list)
  }
}

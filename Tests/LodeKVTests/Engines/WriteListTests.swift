// Encoding and decoding of write lists; the decoder reads journals, which may be damaged.

import LodeRandom
import LodeKV
import LodeKVTesting
import Testing

@Suite struct WriteListTests {
  private func sample() -> WriteList {
    var list = WriteList()
    list.put([1, 2], [3, 4, 5], in: TreeID(7))
    list.delete([9], in: TreeID(0xFFFF_FFFE))
    list.put([UInt8](repeating: 8, count: 511), [], in: TreeID(1))
    return list
  }

  private func decode(_ bytes: [UInt8]) throws(EngineError) -> [String] {
    var lines: [String] = []
    var failure: EngineError?
    bytes.withUnsafeBytes { raw in
      var reader = WriteListReader(raw, path: "x", basePosition: 100)
      do throws(EngineError) {
        while let entry = try reader.next() {
          lines.append("\(entry.operation) \(entry.tree.number) \(entry.key.count)")
        }
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return lines
  }

  @Test func `the layout is the one that the data file page gives`() {
    var list = WriteList()
    list.put([1, 2], [3], in: TreeID(0x0102_0304))
    list.delete([9], in: TreeID(5))
    #expect(
      list.bytes == [1, 4, 3, 2, 1, 2, 0, 1, 0, 0, 0, 1, 2, 3] + [2, 5, 0, 0, 0, 1, 0, 9])
    #expect(list.count == 2)
  }

  @Test func `a list reads back as it was written`() throws {
    try #expect(decode(sample().bytes) == ["put 7 2", "delete 4294967294 1", "put 1 511"])
    try #expect(decode([]) == [])
  }

  @Test func `a list cut anywhere but between operations is refused`() throws {
    let bytes = sample().bytes
    let whole: Set = [0, 16, 24]
    for count in 0..<bytes.count where !whole.contains(count) {
      #expect(throws: EngineError.self) { try decode(Array(bytes[..<count])) }
    }
  }

  @Test func `random bytes never trap`() {
    var random = SeededGenerator()
    for _ in 0..<2000 {
      var bytes = random.bytes(1...60)
      bytes[0] = UInt8.random(in: 0...3, using: &random)
      _ = try? decode(bytes)
    }
  }

  @Test func `an error names the place in the file`() {
    let expected = EngineError.corrupt(
      path: "x", position: 100, reason: "operation 3 is not one of a write list")
    #expect(throws: expected) { try decode([3, 0]) }
  }
}

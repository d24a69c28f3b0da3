// Compression of records: what comes back, what is refused, what hostile lengths do.

import LodeRandom
import LodeKV
import LodeKVTesting
import Testing

@Suite struct CompressionTests {
  private static let text = [UInt8](
    String(repeating: "plays as a midfielder for the club since 2019. ", count: 5).utf8)

  private static func samples() -> [[UInt8]] {
    (0..<1000).map { number in
      let names = "{\"name\":\"player \(number)\",\"club\":\"club \(number % 32)\","
      let facts = "\"goals\":\(number),\"position\":\"midfielder\",\"captain\":false}"
      return [UInt8](names.utf8) + [UInt8](facts.utf8)
    }
  }

  private func compress(
    _ bytes: [UInt8], level: Int = 1, _ dictionary: CompressionDictionary? = nil
  ) throws -> [UInt8]? {
    let compressor = try Compressor(level: level, dictionary: dictionary)
    return try bytes.withUnsafeBytes { try compressor.compress($0).map { Array($0) } }
  }

  private func decompress(
    _ bytes: [UInt8], byteCount: Int, _ dictionary: CompressionDictionary? = nil
  ) throws -> [UInt8] {
    let decompressor = try Decompressor(byteCountMax: 1 << 20)
    return try bytes.withUnsafeBytes {
      try decompressor.decompress($0, byteCount: byteCount, dictionary: dictionary)
    }
  }

  @Test func `records come back from every level`() throws {
    for level in Compressor.levels {
      let frame = try #require(try compress(Self.text, level: level))
      #expect(frame.count < Self.text.count)
      try #expect(decompress(frame, byteCount: Self.text.count) == Self.text)
    }
  }

  @Test func `a context is used for record after record`() throws {
    let compressor = try Compressor(level: 1)
    let decompressor = try Decompressor()
    for count in [230, 64, 5000, 100, 200_000] {
      let record = (0..<count).map { UInt8($0 / 16 % 251) }
      try record.withUnsafeBytes { source in
        let frame = try #require(try compressor.compress(source))
        try #expect(decompressor.decompress(frame, byteCount: count) == record)
      }
    }
  }

  @Test func `what does not shrink is left alone`() throws {
    var random = SeededGenerator()
    try #expect(compress([]) == nil)
    try #expect(compress([1, 2, 3]) == nil)
    try #expect(compress(random.bytes(300...300)) == nil)
  }

  @Test func `a trained dictionary halves short records`() throws {
    let samples = Self.samples()
    let dictionary = try CompressionDictionary(
      CompressionDictionary.train(samples: samples, byteCountMax: 4096))
    for record in samples.prefix(50) {
      let frame = try #require(try compress(record, dictionary))
      #expect(frame.count * 2 < record.count)
      try #expect(decompress(frame, byteCount: record.count, dictionary) == record)
      #expect(throws: CompressionError.self) { try decompress(frame, byteCount: record.count) }
    }
  }

  @Test func `too few samples teach nothing`() {
    #expect(throws: CompressionError.self) {
      try CompressionDictionary.train(samples: [[1, 2, 3]], byteCountMax: 4096)
    }
    #expect(throws: CompressionError.self) {
      try CompressionDictionary.train(samples: [], byteCountMax: 4096)
    }
    #expect(throws: CompressionError.self) {
      try CompressionDictionary.train(samples: Self.samples(), byteCountMax: 10)
    }
  }

  @Test func `a damaged dictionary is refused`() throws {
    var bytes = try CompressionDictionary.train(samples: Self.samples(), byteCountMax: 4096)
    for index in 8..<bytes.count { bytes[index] = 0xFF }
    #expect(throws: CompressionError.self) { _ = try CompressionDictionary(bytes) }
  }

  @Test func `wrong and hostile lengths are errors`() throws {
    let count = Self.text.count
    let frame = try #require(try compress(Self.text))
    for wrong in [-1, 0, 1, count - 1, count + 1, 1 << 20, 1 << 21, Int.max] {
      #expect(throws: CompressionError.self) { try decompress(frame, byteCount: wrong) }
    }
    #expect(throws: CompressionError.tooLarge(byteCount: 1 << 19, byteCountMax: 131_072)) {
      try decompress([1, 2, 3], byteCount: 1 << 19)
    }
  }

  @Test func `cut and flipped frames never trap`() throws {
    let frame = try #require(try compress(Self.text))
    for count in 0..<frame.count {
      #expect(throws: CompressionError.self) {
        try decompress(Array(frame[..<count]), byteCount: Self.text.count)
      }
    }
    for index in 0..<frame.count * 8 {
      var flipped = frame
      flipped[index / 8] ^= 1 << (index % 8)
      _ = try? decompress(flipped, byteCount: Self.text.count)
    }
  }
}

// CRC-32C against the vectors of RFC 3720 and a bit-by-bit model.

import LodeRandom
import LodeKV
import LodeKVTesting
import Testing

@Suite struct ChecksumTests {
  private func checksum(_ bytes: [UInt8], seed: UInt32 = 0) -> UInt32 {
    bytes.withUnsafeBytes { CRC32C.checksum(of: $0, seed: seed) }
  }

  private func model(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x82F6_3B78 : crc >> 1 }
    }
    return ~crc
  }

  @Test func `the vectors of RFC 3720 hold`() {
    #expect(checksum([UInt8](repeating: 0, count: 32)) == 0x8A91_36AA)
    #expect(checksum([UInt8](repeating: 0xFF, count: 32)) == 0x62A8_AB43)
    #expect(checksum(Array(0..<32)) == 0x46DD_794E)
    #expect(checksum(Array((0..<32).reversed())) == 0x113F_DB5C)
    #expect(checksum(Array("123456789".utf8)) == 0xE306_9283)
    #expect(checksum([]) == 0)
  }

  @Test func `every length and split agrees with the model`() {
    var random = SeededGenerator()
    for count in 0..<70 {
      let bytes = random.bytes(count...count)
      let split = Int.random(in: 0...count, using: &random)
      var running = CRC32C()
      bytes[..<split].withUnsafeBytes { running.update($0) }
      bytes[split...].withUnsafeBytes { running.update($0) }
      #expect(running.value == model(bytes), "LODE_SEED=\(random.seed)")
      var byTables = CRC32C()
      bytes.withUnsafeBytes { byTables.updateByTables($0) }
      #expect(byTables.value == model(bytes), "LODE_SEED=\(random.seed)")
      #expect(checksum(bytes) == model(bytes), "LODE_SEED=\(random.seed)")
    }
  }

  @Test func `a seed changes the checksum`() {
    #expect(checksum([1, 2, 3], seed: 1) != checksum([1, 2, 3], seed: 2))
  }
}

// CRC-32C (Castagnoli), reflected, as in RFC 3720 appendix B.4: by the processor's own instruction where
// it has one, else eight bytes at a time ("slicing by 8": eight tables, one for each distance from the end
// of a word).

internal import CChecksum

/// A running CRC-32C.
package struct CRC32C: Sendable {
  private var state: UInt32

  /// Starts a checksum.
  ///
  /// - Parameter seed: mixed in before the first byte; 0 gives the standard checksum.
  package init(seed: UInt32 = 0) { state = ~seed }

  /// The checksum of the bytes taken in so far.
  package var value: UInt32 { ~state }

  /// The checksum of bytes that are at hand whole.
  package static func checksum(of bytes: UnsafeRawBufferPointer, seed: UInt32 = 0) -> UInt32 {
    var checksum = CRC32C(seed: seed)
    checksum.update(bytes)
    return checksum.value
  }

  private static let isInHardware = lode_crc32c_is_available()

  /// Adds bytes; some 6 bytes a nanosecond with the processor's instruction, 1.5 without.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    if Self.isInHardware {
      state = lode_crc32c_advance(state, base, bytes.count)
    } else {
      updateByTables(bytes)
    }
  }

  /// Adds bytes as on a processor without the instruction.
  package mutating func updateByTables(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    let tables = Self.tables
    var crc = state
    var offset = 0
    while offset &+ 8 <= bytes.count {
      let word = base.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
      crc = Self.advance(crc, by: word, tables)
      offset &+= 8
    }
    while offset < bytes.count {
      let byte = base.load(fromByteOffset: offset, as: UInt8.self)
      crc = tables[Int(UInt8(truncatingIfNeeded: crc) ^ byte)] ^ (crc >> 8)
      offset &+= 1
    }
    state = crc
  }

  @inline(__always)
  private static func advance(
    _ crc: UInt32, by word: UInt64, _ tables: UnsafePointer<UInt32>
  ) -> UInt32 {
    let mixed = word ^ UInt64(crc)
    var result: UInt32 = 0
    for index in 0..<8 {
      let byte = Int(truncatingIfNeeded: (mixed >> UInt64(8 &* index)) & 0xFF)
      result ^= tables[(7 &- index) &* 256 &+ byte]
    }
    return result
  }

  /// Eight tables of 256 entries.
  ///
  /// Unsafe only in name: written once by the initializer, never freed, never changed.
  private nonisolated(unsafe) static let tables: UnsafePointer<UInt32> = {
    let tables = UnsafeMutablePointer<UInt32>.allocate(capacity: 8 * 256)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0x82F6_3B78 : crc >> 1 }
      tables[byte] = crc
    }
    for index in 256..<8 * 256 {
      let before = tables[index - 256]
      tables[index] = tables[Int(before & 0xFF)] ^ (before >> 8)
    }
    return UnsafePointer(tables)
  }()
}

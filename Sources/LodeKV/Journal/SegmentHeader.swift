// Blocks 0 and 1 of a journal segment; layouts in docs/journal.md.

internal import Foundation

/// What a segment starts from: the checkpoint whose changes it doesn't contain any more.
struct SegmentHeader: Sendable, Equatable {
  static let version: UInt32 = 1
  /// Size of the header and of the seal.
  static let blockByteCount = 4096
  static let sealPosition = UInt64(blockByteCount)
  /// Position of the first frame.
  static let framesPosition = UInt64(2 * blockByteCount)
  fileprivate static let checksumOffset = blockByteCount - 4

  var number: UInt32
  var storeID: UUID
  /// Random; makes frames of another segment invalid here.
  var salt: UInt64
  /// The last save that the checkpoint contains.
  var baseSequence: UInt64
  /// Checksum of the last frame of the segment before; the chain starts with it.
  var previousChecksum: UInt32
  /// Length of the data file when the checkpoint was made; it never gets shorter.
  var dataByteCountMin: UInt64
  /// The meta page of the checkpoint.
  var meta: LMDBMeta

  func encoded() -> [UInt8] {
    var bytes = Array("LODEJRNL".utf8)
    bytes.appendInteger(Self.version)
    bytes.appendInteger(number)
    bytes += withUnsafeBytes(of: storeID.uuid) { Array($0) }
    bytes.appendInteger(salt)
    bytes.appendInteger(baseSequence)
    bytes.appendInteger(previousChecksum)
    bytes.appendInteger(UInt32(0))
    bytes.appendInteger(meta.transactionID)
    bytes.appendInteger(dataByteCountMin)
    bytes += meta.bytes
    return sealedBlock(bytes)
  }

  /// The block that says that this segment has a successor.
  func encodedSeal() -> [UInt8] {
    var bytes = Array("LODESEAL".utf8)
    bytes.appendInteger(number)
    bytes.appendInteger(UInt32(0))
    bytes.appendInteger(salt)
    return sealedBlock(bytes)
  }
}

/// What block 0 of a segment turned out to be.
enum SegmentBlock: Sendable, Equatable {
  case header(SegmentHeader)
  /// Written by a later version, with a checksum that holds.
  case newerFormat(UInt32)
  /// Zeros, garbage, a torn write, or the header of another number.
  case invalid

  init(decoding bytes: [UInt8], number: UInt32) {
    self = .invalid
    guard bytes.starts(with: "LODEJRNL".utf8), isSealedBlock(bytes) else { return }
    bytes.withUnsafeBytes { raw in
      let version = raw.integer(at: 8, as: UInt32.self)
      guard version == SegmentHeader.version else {
        self = .newerFormat(version)
        return
      }
      let meta = LMDBMeta(Array(raw.part(72, LMDBMeta.byteCount)))
      let header = SegmentHeader(
        number: raw.integer(at: 12, as: UInt32.self),
        storeID: UUID(uuid: raw.loadUnaligned(fromByteOffset: 16, as: uuid_t.self)),
        salt: raw.integer(at: 32, as: UInt64.self),
        baseSequence: raw.integer(at: 40, as: UInt64.self),
        previousChecksum: raw.integer(at: 48, as: UInt32.self),
        dataByteCountMin: raw.integer(at: 64, as: UInt64.self), meta: meta)
      guard header.number == number, meta.isWellFormed else { return }
      self = .header(header)
    }
  }
}

extension UUID {
  /// The sixteen bytes.
  var bytes: [UInt8] { withUnsafeBytes(of: uuid) { Array($0) } }
}

/// Pads a block with zeros and ends it with its checksum.
private func sealedBlock(_ content: [UInt8]) -> [UInt8] {
  var bytes = content
  bytes += [UInt8](repeating: 0, count: SegmentHeader.checksumOffset - bytes.count)
  bytes.appendInteger(bytes.withUnsafeBytes { CRC32C.checksum(of: $0) })
  return bytes
}

private func isSealedBlock(_ bytes: [UInt8]) -> Bool {
  guard bytes.count == SegmentHeader.blockByteCount else { return false }
  return bytes.withUnsafeBytes { raw in
    raw.integer(at: SegmentHeader.checksumOffset, as: UInt32.self)
      == CRC32C.checksum(of: raw.part(0, SegmentHeader.checksumOffset))
  }
}

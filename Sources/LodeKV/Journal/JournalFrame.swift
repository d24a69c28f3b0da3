// One frame of the journal: the write list of one save between checksums; layout in
// docs/journal.md.

/// The fixed part of a frame.
struct JournalFrame: Sendable, Equatable {
  enum Kind: UInt8, Sendable {
    case commit = 1
    /// Takes back the sequences in its payload.
    case abort = 2
  }

  static let headerByteCount = 56
  /// Frames start at multiples of this.
  static let alignment = 8
  /// Groups of frames start at multiples of this.
  static let groupAlignment = 4096
  static let magic: UInt32 = 0x4D52_464C
  private static let checksumOffset = 52
  private static let lastOfGroupFlag: UInt8 = 1

  var kind: Kind
  var isLastOfGroup: Bool
  var payloadByteCount: Int
  var sequence: UInt64
  var salt: UInt64
  /// The highest sequence that was known to be durable when the frame was written.
  var durableSequence: UInt64
  var previousChecksum: UInt32
  /// Over all before it and the payload.
  var checksum: UInt32 = 0

  /// Bytes from this frame to the next, unless a group ends between them.
  var byteCount: Int { (Self.headerByteCount + payloadByteCount).roundedUp(to: Self.alignment) }

  /// Appends the frame's header, to which its payload and zeros up to the alignment have to follow,
  /// and returns its checksum.
  func appendHeader(for payload: [UInt8], to bytes: inout [UInt8]) -> UInt32 {
    let start = bytes.count
    appendHeader(to: &bytes)
    var crc = CRC32C(seed: Self.seed(salt))
    bytes.withUnsafeBytes { crc.update($0.part(start, Self.checksumOffset)) }
    payload.withUnsafeBytes { crc.update($0) }
    bytes.appendInteger(crc.value)
    return crc.value
  }

  private func appendHeader(to bytes: inout [UInt8]) {
    bytes.appendInteger(Self.magic)
    bytes.append(kind.rawValue)
    bytes.append(isLastOfGroup ? Self.lastOfGroupFlag : 0)
    bytes.appendInteger(UInt16(0))
    bytes.appendInteger(UInt64(payloadByteCount))
    bytes.appendInteger(UInt64(payloadByteCount))
    bytes.appendInteger(sequence)
    bytes.appendInteger(salt)
    bytes.appendInteger(durableSequence)
    bytes.appendInteger(previousChecksum)
  }

  /// Reads a frame of a segment at an offset in the segment's bytes.
  ///
  /// - Returns: nil when there is no frame with this salt, or its checksum doesn't hold.
  init?(_ bytes: UnsafeRawBufferPointer, at offset: Int, salt: UInt64) {
    guard Self.hasSalt(salt, bytes, at: offset),
      bytes.integer(at: offset, as: UInt32.self) == Self.magic,
      let kind = Kind(rawValue: bytes[offset + 4])
    else { return nil }
    let rest = bytes.count - offset - Self.headerByteCount
    let payloadByteCount = bytes.integer(at: offset + 8, as: UInt64.self)
    guard payloadByteCount <= UInt64(rest),
      payloadByteCount == bytes.integer(at: offset + 16, as: UInt64.self)
    else { return nil }
    var crc = CRC32C(seed: Self.seed(salt))
    crc.update(bytes.part(offset, Self.checksumOffset))
    crc.update(bytes.part(offset + Self.headerByteCount, Int(payloadByteCount)))
    checksum = bytes.integer(at: offset + Self.checksumOffset, as: UInt32.self)
    guard crc.value == checksum else { return nil }
    self.kind = kind
    self.salt = salt
    self.payloadByteCount = Int(payloadByteCount)
    isLastOfGroup = bytes[offset + 5] & Self.lastOfGroupFlag != 0
    sequence = bytes.integer(at: offset + 24, as: UInt64.self)
    durableSequence = bytes.integer(at: offset + 40, as: UInt64.self)
    previousChecksum = bytes.integer(at: offset + 48, as: UInt32.self)
  }

  /// Whether what is at an offset has room for a frame's header and this salt in it.
  static func hasSalt(_ salt: UInt64, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    bytes.count - offset >= headerByteCount
      && bytes.integer(at: offset + 32, as: UInt64.self) == salt
  }

  init(
    _ kind: Kind, isLastOfGroup: Bool, payloadByteCount: Int, sequence: UInt64, salt: UInt64,
    durableSequence: UInt64, previousChecksum: UInt32
  ) {
    self.kind = kind
    self.isLastOfGroup = isLastOfGroup
    self.payloadByteCount = payloadByteCount
    self.sequence = sequence
    self.salt = salt
    self.durableSequence = durableSequence
    self.previousChecksum = previousChecksum
  }

  private static func seed(_ salt: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: salt ^ (salt >> 32))
  }
}

extension Int {
  func roundedUp(to multiple: Int) -> Int { (self + multiple - 1) / multiple * multiple }
}

extension [UInt8] {
  mutating func appendZeros(toMultipleOf multiple: Int) {
    append(contentsOf: repeatElement(0, count: count.roundedUp(to: multiple) - count))
  }
}

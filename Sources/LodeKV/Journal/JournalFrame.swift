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
  static let saltOffset = 32
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
    var crc = bytes.withUnsafeBytes { headerChecksum(of: $0.part(start, Self.checksumOffset)) }
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

  /// Decodes a header; whether its checksum holds is to be checked with the payload.
  ///
  /// - Returns: nil when the bytes are not a frame's header with this salt.
  init?(decoding header: UnsafeRawBufferPointer, salt: UInt64) {
    guard header.count == Self.headerByteCount,
      header.integer(at: 0, as: UInt32.self) == Self.magic,
      header.integer(at: Self.saltOffset, as: UInt64.self) == salt,
      let kind = Kind(rawValue: header[4]),
      let payloadByteCount = Int(exactly: header.integer(at: 8, as: UInt64.self)),
      payloadByteCount == header.integer(at: 16, as: UInt64.self)
    else { return nil }
    self.kind = kind
    self.salt = salt
    self.payloadByteCount = payloadByteCount
    isLastOfGroup = header[5] & Self.lastOfGroupFlag != 0
    sequence = header.integer(at: 24, as: UInt64.self)
    durableSequence = header.integer(at: 40, as: UInt64.self)
    previousChecksum = header.integer(at: 48, as: UInt32.self)
    checksum = header.integer(at: Self.checksumOffset, as: UInt32.self)
  }

  /// Starts the frame's checksum with its header; the payload has to follow.
  func headerChecksum(of header: UnsafeRawBufferPointer) -> CRC32C {
    var crc = CRC32C(seed: Self.seed(salt))
    crc.update(header.part(0, Self.checksumOffset))
    return crc
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

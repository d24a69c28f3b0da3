// Reads a segment through a window, so that a damaged or hostile file costs no more memory than a
// sound one, however long it is or says its frames are.

/// A segment's bytes, a part at a time.
struct SegmentReader {
  private static let windowByteCount = 1 << 20

  let file: any File
  let byteCount: Int
  private var window: [UInt8] = []
  private var windowStart = 0

  init(_ file: any File) throws(FileError) {
    self.file = file
    byteCount = Int(clamping: try file.byteCount())
  }

  /// Decodes the frame at a position.
  ///
  /// - Returns: nil when there is no frame with this salt, or its checksum doesn't hold.
  mutating func frame(at position: Int, salt: UInt64) throws(FileError) -> JournalFrame? {
    guard let header = try part(at: position, byteCount: JournalFrame.headerByteCount),
      let frame = header.withUnsafeBytes({ JournalFrame(decoding: $0, salt: salt) })
    else { return nil }
    let payloadStart = position + JournalFrame.headerByteCount
    guard frame.payloadByteCount <= byteCount - payloadStart else { return nil }
    var crc = header.withUnsafeBytes { frame.headerChecksum(of: $0) }
    var offset = payloadStart
    let end = payloadStart + frame.payloadByteCount
    while offset < end {
      let count = min(end - offset, Self.windowByteCount)
      guard let bytes = try part(at: offset, byteCount: count) else { return nil }
      bytes.withUnsafeBytes { crc.update($0) }
      offset += count
    }
    return crc.value == frame.checksum ? frame : nil
  }

  /// Finds the first position from a given one on where something with a frame's mark and this
  /// salt stands, sound or not.
  mutating func nextMark(from position: Int, salt: UInt64) throws(FileError) -> Int? {
    var position = position
    while byteCount - position >= JournalFrame.headerByteCount {
      let count = min(byteCount - position, Self.windowByteCount)
      guard let bytes = try part(at: position, byteCount: count) else { return nil }
      if let offset = bytes.withUnsafeBytes({ Self.firstMark(in: $0, salt: salt) }) {
        return position + offset
      }
      position += count - JournalFrame.headerByteCount + JournalFrame.alignment
      position = position / JournalFrame.alignment * JournalFrame.alignment
    }
    return nil
  }

  private static func firstMark(in bytes: UnsafeRawBufferPointer, salt: UInt64) -> Int? {
    var offset = 0
    while offset &+ JournalFrame.headerByteCount <= bytes.count {
      if bytes.integer(at: offset, as: UInt32.self) == JournalFrame.magic,
        bytes.integer(at: offset &+ JournalFrame.saltOffset, as: UInt64.self) == salt
      {
        return offset
      }
      offset &+= JournalFrame.alignment
    }
    return nil
  }

  /// Returns some bytes, at most a window, or nil when the file ends before.
  private mutating func part(
    at position: Int, byteCount count: Int
  ) throws(FileError) -> ArraySlice<UInt8>? {
    guard byteCount - position >= count else { return nil }
    if position < windowStart || position + count > windowStart + window.count {
      let windowCount = min(byteCount - position, Self.windowByteCount)
      window = try file.read(at: UInt64(position), byteCount: windowCount)
      windowStart = position
    }
    let start = position - windowStart
    return start + count <= window.count ? window[start..<start + count] : nil
  }
}

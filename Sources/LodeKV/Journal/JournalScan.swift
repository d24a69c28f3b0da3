// Reads the frames of a segment: which saves it holds, where it ends, and whether the end is one
// that a crash can leave.

/// The sound frames of a segment.
struct JournalScan {
  /// A save to replay.
  struct Save {
    let sequence: UInt64
    /// Range of the write list in the segment's bytes.
    let payload: Range<Int>
  }

  /// The saves that count, in order.
  private(set) var saves: [Save] = []
  /// Last sequence in the segment, or its base.
  private(set) var lastSequence: UInt64
  /// Checksum of the last frame, or where the chain starts.
  private(set) var lastChecksum: UInt32
  /// Where the next group goes.
  private(set) var endPosition = Int(SegmentHeader.framesPosition)
  /// Whether the last group is whole and no trace of another one follows, so that more can be
  /// appended.
  private(set) var endsCleanly = true

  /// Scans a segment.
  ///
  /// - Parameter bytes: the whole segment.
  /// - Throws: `EngineError.corrupt` when a later frame says that saves beyond the end were durable.
  init(
    _ bytes: UnsafeRawBufferPointer, _ header: SegmentHeader, path: String
  ) throws(EngineError) {
    lastSequence = header.baseSequence
    lastChecksum = header.previousChecksum
    let badPosition = scanFrames(bytes, salt: header.salt)
    try checkRest(bytes, from: badPosition, salt: header.salt, path: path)
  }

  /// Takes in frames as long as they follow each other, and returns where the first other one is.
  private mutating func scanFrames(_ bytes: UnsafeRawBufferPointer, salt: UInt64) -> Int {
    var abortedSequences: Set<UInt64> = []
    var offset = endPosition
    while let frame = JournalFrame(bytes, at: offset, salt: salt), isNext(frame) {
      let start = offset + JournalFrame.headerByteCount
      let payload = start..<start + frame.payloadByteCount
      switch frame.kind {
      case .commit: saves.append(Save(sequence: frame.sequence, payload: payload))
      case .abort: abortedSequences.formUnion(sequences(bytes, payload))
      }
      lastSequence = frame.sequence
      lastChecksum = frame.checksum
      offset += frame.byteCount
      endsCleanly = frame.isLastOfGroup
      if frame.isLastOfGroup { offset = offset.roundedUp(to: JournalFrame.groupAlignment) }
      endPosition = offset.roundedUp(to: JournalFrame.groupAlignment)
    }
    saves.removeAll { abortedSequences.contains($0.sequence) }
    return min(offset, bytes.count)
  }

  private func isNext(_ frame: JournalFrame) -> Bool {
    guard frame.previousChecksum == lastChecksum else { return false }
    return frame.sequence == (frame.kind == .commit ? lastSequence + 1 : lastSequence)
  }

  private func sequences(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> [UInt64] {
    stride(from: range.lowerBound, to: range.upperBound - 7, by: 8).map {
      bytes.integer(at: $0, as: UInt64.self)
    }
  }

  /// Tells a torn end, after which nothing was ever acknowledged, from damage.
  private mutating func checkRest(
    _ bytes: UnsafeRawBufferPointer, from start: Int, salt: UInt64, path: String
  ) throws(EngineError) {
    for offset in stride(from: start, to: bytes.count - 7, by: JournalFrame.alignment) {
      let word = bytes.integer(at: offset, as: UInt32.self)
      guard word == JournalFrame.magic, JournalFrame.hasSalt(salt, bytes, at: offset) else {
        continue
      }
      endsCleanly = false
      guard let frame = JournalFrame(bytes, at: offset, salt: salt),
        frame.durableSequence > lastSequence
      else { continue }
      throw .corrupt(
        path: path, position: UInt64(start),
        reason: "the journal is damaged after save \(lastSequence), though save "
          + "\(frame.durableSequence) was durable")
    }
  }
}

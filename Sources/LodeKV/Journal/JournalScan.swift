// Reads the frames of a segment: which saves it holds, where it ends, and whether the end is one
// that a crash can leave.

/// The sound frames of a segment.
struct JournalScan {
  /// A save to replay.
  struct Save {
    let sequence: UInt64
    /// Where the write list is in the segment.
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
  /// That a later frame says that saves beyond the end were durable, which no crash can leave.
  private(set) var damage: EngineError?

  /// Scans a segment.
  ///
  /// - Throws: what the file system refuses.
  init(_ file: any File, _ header: SegmentHeader) throws(EngineError) {
    lastSequence = header.baseSequence
    lastChecksum = header.previousChecksum
    var position = Int(SegmentHeader.framesPosition)
    let laterFrame = try EngineError.rethrowing { () throws(FileError) in
      var reader = try SegmentReader(file)
      position = try scanFrames(&reader, salt: header.salt)
      return try scanRest(&reader, from: position, salt: header.salt)
    }
    guard let laterFrame else { return }
    damage = .corrupt(
      path: file.path, position: UInt64(position),
      reason: "the journal is damaged after save \(lastSequence), though save "
        + "\(laterFrame.durableSequence) was durable")
  }

  /// Takes in frames as long as they follow each other, and returns where the first other one is.
  private mutating func scanFrames(
    _ reader: inout SegmentReader, salt: UInt64
  ) throws(FileError) -> Int {
    var abortedSequences: Set<UInt64> = []
    var position = endPosition
    while let frame = try reader.frame(at: position, salt: salt), isNext(frame) {
      let start = position + JournalFrame.headerByteCount
      let payload = start..<start + frame.payloadByteCount
      switch frame.kind {
      case .commit: saves.append(Save(sequence: frame.sequence, payload: payload))
      case .abort: abortedSequences.formUnion(try sequences(in: payload, of: reader.file))
      }
      lastSequence = frame.sequence
      lastChecksum = frame.checksum
      position += frame.byteCount
      endsCleanly = frame.isLastOfGroup
      if frame.isLastOfGroup { position = position.roundedUp(to: JournalFrame.groupAlignment) }
      endPosition = position.roundedUp(to: JournalFrame.groupAlignment)
    }
    saves.removeAll { abortedSequences.contains($0.sequence) }
    return position
  }

  private func isNext(_ frame: JournalFrame) -> Bool {
    guard frame.previousChecksum == lastChecksum else { return false }
    return frame.sequence == (frame.kind == .commit ? lastSequence + 1 : lastSequence)
  }

  private func sequences(
    in range: Range<Int>, of file: any File
  ) throws(FileError) -> [UInt64] {
    let bytes = try file.read(at: UInt64(range.lowerBound), byteCount: range.count)
    return bytes.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count - 7, by: 8).map { raw.integer(at: $0, as: UInt64.self) }
    }
  }

  /// Tells a torn end, after which nothing was ever acknowledged, from damage.
  ///
  /// - Returns: a frame that knows of durable saves beyond the end.
  private mutating func scanRest(
    _ reader: inout SegmentReader, from start: Int, salt: UInt64
  ) throws(FileError) -> JournalFrame? {
    var position = start
    while let mark = try reader.nextMark(from: position, salt: salt) {
      endsCleanly = false
      let frame = try reader.frame(at: mark, salt: salt)
      if let frame, frame.durableSequence > lastSequence { return frame }
      position = mark + JournalFrame.alignment
    }
    return nil
  }
}

// The segment that commits are appended to, and the making of segments.

/// An open segment with its position.
struct JournalSegment: Sendable {
  let header: SegmentHeader
  let file: any File
  /// Where the next group goes.
  private(set) var endPosition: UInt64
  /// Checksum of the last frame, which the next one repeats.
  private(set) var lastChecksum: UInt32
  private(set) var fileByteCount: UInt64
  /// How much is filled with zeros beyond a group that did not fit.
  private let growthByteCount: UInt64
  /// The bytes of a group, kept for the next one.
  private var scratch: [UInt8]?

  /// Takes over a segment after a scan, or one that has just got its header.
  init(
    _ file: any File, _ header: SegmentHeader, endPosition: UInt64, lastChecksum: UInt32,
    growthByteCount: UInt64
  ) throws(FileError) {
    self.file = file
    self.header = header
    self.endPosition = endPosition
    self.lastChecksum = lastChecksum
    self.growthByteCount = growthByteCount
    fileByteCount = try file.byteCount()
  }

  /// Whether nothing has been appended since the checkpoint.
  var isEmpty: Bool { endPosition == SegmentHeader.framesPosition }

  /// Appends one frame for each write list, and makes them durable with one sync if asked to.
  ///
  /// After an error the position is as before; the error says whether the disk is only full.
  mutating func append(
    _ lists: [WriteList], firstSequence: UInt64, durableSequence: UInt64, isSynced: Bool
  ) throws(FileError) {
    var group = JournalGroup(file, at: endPosition, chainedTo: lastChecksum, scratch.take())
    for (index, list) in lists.enumerated() {
      let frame = JournalFrame(
        .commit, isLastOfGroup: index == lists.count - 1, payloadByteCount: list.bytes.count,
        sequence: firstSequence + UInt64(index), salt: header.salt,
        durableSequence: durableSequence, previousChecksum: group.lastChecksum)
      try group.append(frame, payload: list.bytes)
    }
    try finish(group, isSynced: isSynced)
  }

  /// Appends a frame that takes back sequences, of which the last is the journal's last one.
  mutating func appendAbort(
    of sequences: ClosedRange<UInt64>, durableSequence: UInt64
  ) throws(FileError) {
    var payload: [UInt8] = []
    for sequence in sequences { payload.appendInteger(sequence) }
    var group = JournalGroup(file, at: endPosition, chainedTo: lastChecksum, scratch.take())
    let frame = JournalFrame(
      .abort, isLastOfGroup: true, payloadByteCount: payload.count,
      sequence: sequences.upperBound, salt: header.salt, durableSequence: durableSequence,
      previousChecksum: lastChecksum)
    try group.append(frame, payload: payload)
    try finish(group, isSynced: true)
  }

  /// Wipes what a write that ran out of space may have left, so that nobody takes it for a save.
  func eraseTail() throws(FileError) {
    try file.write(
      [UInt8](repeating: 0, count: JournalFrame.groupAlignment), at: endPosition)
    try file.sync()
  }

  /// Writes down that a successor exists.
  func seal() throws(FileError) {
    try file.write(header.encodedSeal(), at: SegmentHeader.sealPosition)
    try file.sync()
  }

  /// Writes what is left of a group, syncs if asked to, and moves the position behind it.
  private mutating func finish(
    _ group: consuming JournalGroup, isSynced: Bool
  ) throws(FileError) {
    let newEnd = try group.finish()
    if newEnd > fileByteCount {
      try file.fillWithZeros(from: newEnd, to: newEnd + growthByteCount)
    }
    if isSynced { try file.sync() }
    if newEnd > fileByteCount { fileByteCount = newEnd + growthByteCount }
    endPosition = newEnd
    lastChecksum = group.lastChecksum
    scratch = group.takeScratch()
  }
}

/// Frames on their way to a segment: short ones gathered for one write, long ones written from
/// where they are.
private struct JournalGroup {
  /// Payloads of this size are not copied.
  private static let longByteCount = 256 << 10

  private let file: any File
  private var position: UInt64
  private(set) var lastChecksum: UInt32
  private var gathered: [UInt8]

  init(
    _ file: any File, at position: UInt64, chainedTo checksum: UInt32, _ scratch: [UInt8]?
  ) {
    self.file = file
    self.position = position
    lastChecksum = checksum
    gathered = scratch ?? []
    gathered.removeAll(keepingCapacity: true)
  }

  mutating func append(_ frame: JournalFrame, payload: [UInt8]) throws(FileError) {
    lastChecksum = frame.appendHeader(for: payload, to: &gathered)
    if payload.count < Self.longByteCount {
      gathered += payload
    } else {
      try write()
      try file.write(payload, at: position)
      position += UInt64(payload.count)
    }
    appendZeros(toMultipleOf: JournalFrame.alignment)
  }

  /// Fills up the group's last block, writes, and returns where the next group goes.
  mutating func finish() throws(FileError) -> UInt64 {
    appendZeros(toMultipleOf: JournalFrame.groupAlignment)
    try write()
    return position
  }

  /// Gives back the memory, unless it is much.
  func takeScratch() -> [UInt8]? { gathered.capacity > 1 << 22 ? nil : gathered }

  private mutating func write() throws(FileError) {
    try file.write(gathered, at: position)
    position += UInt64(gathered.count)
    gathered.removeAll(keepingCapacity: true)
  }

  private mutating func appendZeros(toMultipleOf multiple: Int) {
    let end = Int(position) + gathered.count
    gathered.append(contentsOf: repeatElement(0, count: end.roundedUp(to: multiple) - end))
  }
}

/// A segment without a header, whose name is durable: the next checkpoint's.
struct PreparedSegment: Sendable {
  let number: UInt32
  let file: any File

  /// Makes a new file full of zeros.
  static func make(
    _ number: UInt32, byteCount: UInt64, _ files: StoreFiles
  ) throws(FileError) -> PreparedSegment {
    let path = files.segment(number)
    try files.removeIfPresent([path])
    let file = try files.fileSystem.open(path, .create)
    try file.fillWithZeros(from: 0, to: max(byteCount, SegmentHeader.framesPosition))
    try file.sync()
    try files.fileSystem.syncFolder(files.folder)
    return PreparedSegment(number: number, file: file)
  }

  /// Takes over one that another process has prepared, as far as it has come.
  static func takeOver(_ number: UInt32, _ files: StoreFiles) throws(FileError) -> PreparedSegment {
    let file = try files.fileSystem.open(files.segment(number), .update)
    try wipe(file)
    try files.fileSystem.syncFolder(files.folder)
    return PreparedSegment(number: number, file: file)
  }

  private static func wipe(_ file: any File) throws(FileError) {
    try file.fillWithZeros(from: 0, to: SegmentHeader.framesPosition)
    try file.sync()
  }

  /// Makes one out of a sealed segment: the new name first, so that the old header, whose number
  /// is another, can't count any more; then header and seal are wiped.
  static func recycle(
    _ old: JournalSegment, as number: UInt32, _ files: StoreFiles
  ) throws(FileError) -> PreparedSegment {
    let path = files.segment(number)
    try files.fileSystem.rename(old.file.path, to: path)
    try files.fileSystem.syncFolder(files.folder)
    let file = try files.fileSystem.open(path, .update)
    try wipe(file)
    return PreparedSegment(number: number, file: file)
  }

  /// Writes the header, from which on this segment counts.
  func start(
    _ header: SegmentHeader, growthByteCount: UInt64
  ) throws(FileError) -> JournalSegment {
    try file.write(header.encoded(), at: 0)
    try file.sync()
    return try JournalSegment(
      file, header, endPosition: SegmentHeader.framesPosition,
      lastChecksum: header.previousChecksum, growthByteCount: growthByteCount)
  }
}

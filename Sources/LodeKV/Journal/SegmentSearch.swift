// Finds the segment that counts among the files of a store's folder.

/// The newest segment with a valid header.
struct SegmentSearch {
  let header: SegmentHeader
  let file: any File
  /// Whether a successor exists, or should.
  let isSealed: Bool

  /// Looks at segments, newest first, until one has a valid header.
  ///
  /// - Returns: nil when none has.
  static func newest(
    of numbers: [UInt32], _ files: StoreFiles, _ mode: FileMode
  ) throws(EngineError) -> SegmentSearch? {
    for number in numbers {
      let path = files.segment(number)
      let (file, blocks) = try EngineError.rethrowing { () throws(FileError) in
        let file = try files.fileSystem.open(path, mode)
        return (file, try file.read(at: 0, byteCount: Int(SegmentHeader.framesPosition)))
      }
      let block = Array(blocks.prefix(SegmentHeader.blockByteCount))
      switch SegmentBlock(decoding: block, number: number) {
      case .invalid: continue
      case .newerFormat(let version):
        throw .newerFormat(path: path, found: version, supported: SegmentHeader.version)
      case .header(let header):
        let isSealed = Array(blocks.dropFirst(block.count)) == header.encodedSeal()
        return SegmentSearch(header: header, file: file, isSealed: isSealed)
      }
    }
    return nil
  }

  /// What is wrong when a sealed segment is the newest.
  var missingSuccessor: EngineError {
    .corrupt(
      path: file.path, position: SegmentHeader.sealPosition,
      reason: "the journal segment after this one is missing or damaged")
  }

  /// What is wrong when there is no segment that counts.
  static func noSegment(_ files: StoreFiles) -> EngineError {
    let names = (try? files.fileSystem.list(files.folder)) ?? []
    guard let newest = StoreFiles.segmentNumbers(in: names).first else {
      return .corrupt(path: files.folder, position: nil, reason: "all journal segments are missing")
    }
    return .corrupt(
      path: files.segment(newest), position: 0, reason: "no journal segment has a valid header")
  }
}

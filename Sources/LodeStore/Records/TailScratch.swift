/// Checked and decompressed tails of records that are read one after the other, in memory used again for each.
final class TailScratch: TailSource {
  private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  /// Where the bytes of the record lie whose tail was asked for last.
  private var recordAddress: UnsafeRawPointer?
  /// Whether that tail is used where it lies, instead of in `memory`.
  private var isPlain = false

  init() {}

  deinit { memory.deallocate() }

  /// Forgets the last tail; to be called when another record may lie at the same address.
  func moveOn() { recordAddress = nil }

  func tail(of record: RecordView) throws(RecordError) -> UnsafeRawBufferPointer {
    let byteCount = record.tailByteCount
    guard recordAddress != record.bytes.baseAddress else {
      return isPlain ? record.storedTail : UnsafeRawBufferPointer(memory).part(0, byteCount)
    }
    recordAddress = nil
    try record.checkTail()
    isPlain = !record.hasCompressedTail
    if isPlain {
      recordAddress = record.bytes.baseAddress
      return record.storedTail
    }
    if memory.count < byteCount {
      guard byteCount <= VariableCoding.byteCountMax else {
        throw .malformed(reason: "a tail of \(byteCount) bytes")
      }
      memory.deallocate()
      memory = .allocate(byteCount: max(byteCount * 2, 4_096), alignment: 8)
    }
    try record.decompressTail(into: UnsafeMutableRawBufferPointer(rebasing: memory[..<byteCount]))
    recordAddress = record.bytes.baseAddress
    return UnsafeRawBufferPointer(memory).part(0, byteCount)
  }
}

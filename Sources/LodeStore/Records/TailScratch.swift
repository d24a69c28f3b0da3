/// Decompressed tails of records that are read one after the other, in memory used again for each.
final class TailScratch: TailSource {
  private var memory: UnsafeMutableRawBufferPointer?
  /// Where the bytes of the record lie whose tail is in `memory`.
  private var recordAddress: UnsafeRawPointer?

  init() {}

  deinit { memory?.deallocate() }

  /// Forgets the last tail; to be called when another record may lie at the same address.
  func moveOn() { recordAddress = nil }

  func tail(of record: RecordView) throws(RecordError) -> UnsafeRawBufferPointer {
    if let memory, recordAddress == record.bytes.baseAddress {
      return UnsafeRawBufferPointer(memory)
    }
    recordAddress = nil
    memory?.deallocate()
    memory = nil
    let fresh = try record.decompressedTail()
    memory = fresh
    recordAddress = record.bytes.baseAddress
    return UnsafeRawBufferPointer(fresh)
  }
}

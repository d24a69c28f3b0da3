/// How the tails of one entity's records are kept: as they are, or compressed.
final class TailCodec: Sendable {
  init() {}

  /// Returns a tail's stored form and the number of the dictionary it needs; nil to keep it as it is.
  func compress(
    _ tail: UnsafeRawBufferPointer
  ) throws(RecordError) -> (bytes: [UInt8], dictionaryNumber: UInt16)? {
    nil
  }

  /// Decompresses a tail into memory of exactly its length.
  ///
  /// - Throws: `RecordError` when the bytes are damaged or their dictionary is missing.
  func decompress(
    _ source: UnsafeRawBufferPointer, dictionaryNumber: UInt16,
    into target: UnsafeMutableRawBufferPointer
  ) throws(RecordError) {
    throw .missingDictionary(number: dictionaryNumber)
  }
}

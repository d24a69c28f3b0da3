// Compression and decompression of single records with zstd. Frames carry no length, no checksum
// and no dictionary number: the record around them knows its length, the journal has checksums, and
// the record's header says which dictionary is meant.

internal import CZstd

/// Compresses records one after the other; for one thread at a time.
package final class Compressor {
  private let context: OpaquePointer
  private let dictionary: CompressionDictionary?
  private var scratch = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  /// Levels that zstd has, from the fastest to the smallest result; 1 serves records best.
  package static let levels = -7...19

  /// Creates a compressor, which keeps its context between calls.
  ///
  /// - Parameters:
  ///   - level: one of `levels`; others are taken as the nearest.
  ///   - dictionary: what frames refer to; nil for plain compression.
  /// - Throws: `CompressionError.refused` when memory is short or the dictionary is damaged.
  package init(level: Int, dictionary: CompressionDictionary? = nil) throws(CompressionError) {
    guard let context = ZSTD_createCCtx() else { throw .refused(reason: "no memory") }
    self.context = context
    self.dictionary = dictionary
    let level = Int32(min(max(level, Self.levels.lowerBound), Self.levels.upperBound))
    try Self.check(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, level))
    try Self.check(ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0))
    try Self.check(ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 0))
    try Self.check(ZSTD_CCtx_setParameter(context, ZSTD_c_dictIDFlag, 0))
    if let dictionary {
      try Self.check(ZSTD_CCtx_refCDict(context, dictionary.compression(level: level)))
    }
  }

  deinit {
    ZSTD_freeCCtx(context)
    scratch.deallocate()
  }

  /// Compresses a record.
  ///
  /// - Returns: the frame, valid until the next call on this compressor; nil when it would not be
  ///   shorter than the source.
  /// - Throws: `CompressionError.refused` when zstd fails, which needs a lack of memory.
  package func compress(
    _ source: UnsafeRawBufferPointer
  ) throws(CompressionError) -> UnsafeRawBufferPointer? {
    let bound = ZSTD_compressBound(source.count)
    if scratch.count < bound {
      scratch.deallocate()
      scratch = .allocate(byteCount: bound, alignment: 16)
    }
    let code = ZSTD_compress2(
      context, scratch.baseAddress, scratch.count, source.baseAddress, source.count)
    try Self.check(code)
    guard code < source.count else { return nil }
    return UnsafeRawBufferPointer(rebasing: scratch[..<code])
  }

  private static func check(_ code: Int) throws(CompressionError) {
    if ZSTD_isError(code) != 0 { throw CompressionError(code: code) }
  }
}

/// Decompresses records one after the other; for one thread at a time.
package final class Decompressor {
  private let context: OpaquePointer
  private let byteCountMax: Int

  /// Creates a decompressor, which keeps its context between calls.
  ///
  /// - Parameter byteCountMax: the longest result, in bytes, that damaged data may ask for.
  /// - Throws: `CompressionError.refused` when memory is short.
  package init(byteCountMax: Int = 1 << 30) throws(CompressionError) {
    guard let context = ZSTD_createDCtx() else { throw .refused(reason: "no memory") }
    self.context = context
    self.byteCountMax = byteCountMax
  }

  deinit { ZSTD_freeDCtx(context) }

  /// Decompresses a frame into a new array.
  ///
  /// - Parameters:
  ///   - source: one frame, as `Compressor.compress` returned it.
  ///   - byteCount: the record's length, which the caller has stored beside the frame.
  ///   - dictionary: the one that it was compressed with.
  /// - Throws: `CompressionError` when the frame is damaged, has another length than `byteCount`,
  ///   or when that is more than the limit or than the source can hold; nothing of that size is
  ///   allocated then.
  package func decompress(
    _ source: UnsafeRawBufferPointer, byteCount: Int, dictionary: CompressionDictionary? = nil
  ) throws(CompressionError) -> [UInt8] {
    // A zstd block gives at most 128 KiB and takes at least 4 bytes.
    let byteCountMax = min(byteCountMax, (source.count / 4 + 1) * 131_072)
    guard byteCount >= 0, byteCount <= byteCountMax else {
      throw .tooLarge(byteCount: byteCount, byteCountMax: byteCountMax)
    }
    var failure: CompressionError?
    let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { target, initializedCount in
      do throws(CompressionError) {
        try decompress(source, into: UnsafeMutableRawBufferPointer(target), byteCount, dictionary)
        initializedCount = byteCount
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Decompresses a frame into memory of exactly the record's length.
  ///
  /// - Throws: `CompressionError` when the frame is damaged or has another length.
  package func decompress(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
    dictionary: CompressionDictionary? = nil
  ) throws(CompressionError) {
    try decompress(source, into: target, target.count, dictionary)
  }

  private func decompress(
    _ source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
    _ byteCount: Int, _ dictionary: CompressionDictionary?
  ) throws(CompressionError) {
    let code =
      if let dictionary {
        ZSTD_decompress_usingDDict(
          context, target.baseAddress, byteCount, source.baseAddress, source.count,
          dictionary.decompression)
      } else {
        ZSTD_decompressDCtx(
          context, target.baseAddress, byteCount, source.baseAddress, source.count)
      }
    if ZSTD_isError(code) != 0 { throw CompressionError(code: code) }
    guard code == byteCount else { throw .wrongLength(byteCount: code, expected: byteCount) }
  }
}

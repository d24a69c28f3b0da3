// A zstd dictionary: content that compressor and decompressor know beforehand, which is what makes
// short records compressible at all.

internal import CZstd
internal import Synchronization

/// Why bytes could not be compressed, decompressed or learned from.
package enum CompressionError: Error, Sendable, Hashable {
  /// zstd refused; the reason is its own text.
  case refused(reason: String)
  /// The decompressed bytes would be more than the caller allows, or more than the source can hold.
  case tooLarge(byteCount: Int, byteCountMax: Int)
  /// The decompressed bytes are fewer than the caller said.
  case wrongLength(byteCount: Int, expected: Int)

  init(code: Int) { self = .refused(reason: String(cString: ZSTD_getErrorName(code))) }
}

/// A dictionary, digested once and shared by all threads.
///
/// Unchecked because it holds zstd's digested dictionaries, which are immutable once made and
/// documented as shareable between threads; the table of compression levels is behind a lock.
package final class CompressionDictionary: @unchecked Sendable {
  /// The dictionary as it is stored.
  package let bytes: [UInt8]
  let decompression: OpaquePointer
  private let compressionByLevel = Mutex<[Int32: SendablePointer]>([:])

  private struct SendablePointer: @unchecked Sendable {
    /// A digested dictionary, immutable once made.
    let pointer: OpaquePointer
  }

  /// Digests a dictionary for decompression; about 0.1 ms for 32 KiB.
  ///
  /// - Parameter bytes: what `train` returned; any other bytes serve as plain content.
  /// - Throws: `CompressionError.refused` when the bytes only look like a trained dictionary.
  package init(_ bytes: [UInt8]) throws(CompressionError) {
    guard let decompression = ZSTD_createDDict(bytes, bytes.count) else {
      throw .refused(reason: "the dictionary is damaged")
    }
    self.bytes = bytes
    self.decompression = decompression
  }

  deinit {
    ZSTD_freeDDict(decompression)
    compressionByLevel.withLock { for entry in $0.values { ZSTD_freeCDict(entry.pointer) } }
  }

  /// Learns a dictionary from samples; some 60 ms for 4,000 records of 300 bytes.
  ///
  /// - Parameters:
  ///   - samples: whole records, some hundred at least, together about 100 times the dictionary.
  ///   - byteCountMax: 256 or more; 16 to 32 KiB serve records best.
  /// - Throws: `CompressionError.refused` when the samples are too few or too short.
  package static func train(
    samples: [[UInt8]], byteCountMax: Int
  ) throws(CompressionError) -> [UInt8] {
    var dictionary = [UInt8](repeating: 0, count: max(byteCountMax, 0))
    let code = ZDICT_trainFromBuffer(
      &dictionary, dictionary.count, Array(samples.joined()), samples.map(\.count),
      UInt32(clamping: samples.count))
    guard ZDICT_isError(code) == 0 else {
      throw .refused(reason: String(cString: ZDICT_getErrorName(code)))
    }
    dictionary.removeSubrange(code...)
    return dictionary
  }

  /// Returns the dictionary digested for a level, made on first use; about 1 ms for 32 KiB.
  func compression(level: Int32) throws(CompressionError) -> OpaquePointer {
    let found = compressionByLevel.withLock { table -> SendablePointer? in
      if let entry = table[level] { return entry }
      table[level] = ZSTD_createCDict(bytes, bytes.count, level).map(SendablePointer.init)
      return table[level]
    }
    guard let found else { throw .refused(reason: "the dictionary is damaged") }
    return found.pointer
  }
}

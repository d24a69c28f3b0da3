internal import LodeKV

/// Samples of tails that a dictionary is learned from.
struct TailSamples {
  private(set) var samples: [[UInt8]] = []
  private var byteCount = 0

  /// How many tails an entity must have before a dictionary is worth having.
  static let countMin = 2_000
  /// More samples make no better dictionary.
  static let countMax = 4_000
  /// Of longer tails the beginning is taken.
  private static let sampleByteCountMax = 2_048
  private static let byteCountMax = 2 << 20
  /// zstd wants samples of about a hundred times the dictionary.
  private static let dictionaryByteCountMax = 16 << 10

  var isFull: Bool { samples.count >= Self.countMax || byteCount >= Self.byteCountMax }

  mutating func add(_ tail: UnsafeRawBufferPointer) {
    guard !tail.isEmpty, !isFull else { return }
    let sample = Array(tail.prefix(Self.sampleByteCountMax))
    samples.append(sample)
    byteCount += sample.count
  }

  /// Learns a dictionary; some 50 ms.
  ///
  /// - Returns: nil when the samples are too few, too short or too different for one.
  func dictionary() -> [UInt8]? {
    guard samples.count >= Self.countMin else { return nil }
    let byteCountMax = min(Self.dictionaryByteCountMax, max(1_024, byteCount / 50))
    return try? CompressionDictionary.train(samples: samples, byteCountMax: byteCountMax)
  }
}

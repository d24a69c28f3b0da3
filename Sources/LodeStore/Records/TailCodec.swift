internal import LodeKV
internal import Synchronization

/// How the tails of one entity's records are kept: as they are, or compressed, with a dictionary as soon
/// as there is one.
///
/// Dictionaries are only ever added: tails that were compressed with an old one stay readable.
final class TailCodec: Sendable {
  private struct State {
    var known: [UInt16: TailDictionary] = [:]
    var current: TailDictionary?
    var nextNumber: UInt16 = 1
  }

  /// Whether new tails are compressed.
  let isEnabled: Bool
  private let state: Mutex<State>

  /// zstd's level: the fastest one, which gives up some 7 % of the bytes.
  static let level = 1
  /// The shortest tail that is worth compressing without a dictionary, in bytes.
  static let plainByteCountMin = 512

  private static let plainCompressors = ContextPool {
    () throws(CompressionError) in try Compressor(level: level)
  }
  private static let decompressors = ContextPool {
    () throws(CompressionError) in try Decompressor(byteCountMax: VariableCoding.byteCountMax)
  }

  /// - Parameter dictionaries: those that the store has; the sound one with the greatest number is used for
  ///   new tails. Records that need a damaged one can't be read, and its number is not given again.
  init(
    isEnabled: Bool, dictionaries: [(number: UInt16, bytes: [UInt8]?)] = []
  ) {
    self.isEnabled = isEnabled
    var state = State()
    for (number, bytes) in dictionaries.sorted(by: { $0.number < $1.number }) {
      state.nextNumber = number &+ 1
      guard let bytes, let dictionary = try? TailDictionary(number: number, bytes) else { continue }
      state.known[number] = dictionary
      state.current = dictionary
    }
    self.state = Mutex(state)
  }

  // MARK: Dictionaries

  /// The dictionary for new tails.
  var current: TailDictionary? { state.withLock { $0.current } }

  /// Whether a dictionary is wanted and there is none.
  var learns: Bool { isEnabled && current == nil }

  /// Makes a dictionary known, so that tails compressed with it can be read; it is used for new tails only
  /// after `use`, when it has been stored.
  ///
  /// - Returns: nil when the bytes are no dictionary, or no number is left.
  func add(_ bytes: [UInt8]) -> TailDictionary? {
    state.withLock { state in
      guard state.nextNumber > 0,
        let dictionary = try? TailDictionary(number: state.nextNumber, bytes)
      else { return nil }
      state.known[dictionary.number] = dictionary
      state.nextNumber &+= 1
      return dictionary
    }
  }

  /// Uses a stored dictionary for new tails.
  func use(_ dictionary: TailDictionary) {
    state.withLock { state in
      if (state.current?.number ?? 0) < dictionary.number { state.current = dictionary }
    }
  }

  // MARK: Coding

  /// Calls a closure with a tail's stored form and the number of the dictionary that it needs.
  ///
  /// - Parameter dictionary: one to use instead of the current one.
  /// - Returns: false, without a call, when the tail had better be kept as it is.
  func compress(
    _ tail: UnsafeRawBufferPointer, with dictionary: TailDictionary?,
    _ body: (UnsafeRawBufferPointer, _ dictionaryNumber: UInt16) -> Void
  ) throws(RecordError) -> Bool {
    guard isEnabled else { return false }
    let dictionary = dictionary ?? current
    guard dictionary != nil || tail.count >= Self.plainByteCountMin else { return false }
    let pool = dictionary?.compressors ?? Self.plainCompressors
    return try Self.withContext(of: pool) { compressor throws(CompressionError) in
      guard let frame = try compressor.compress(tail), Self.isWorthIt(frame.count, tail.count)
      else { return false }
      body(frame, dictionary?.number ?? 0)
      return true
    }
  }

  /// Whether what compression saves is worth decompressing: an eighth and 16 bytes.
  private static func isWorthIt(_ byteCount: Int, _ rawByteCount: Int) -> Bool {
    rawByteCount - byteCount >= max(16, rawByteCount / 8)
  }

  /// Decompresses a tail into memory of exactly its length.
  ///
  /// - Throws: `RecordError` when the bytes are damaged or their dictionary is missing.
  func decompress(
    _ source: UnsafeRawBufferPointer, dictionaryNumber: UInt16,
    into target: UnsafeMutableRawBufferPointer
  ) throws(RecordError) {
    var dictionary: TailDictionary?
    if dictionaryNumber > 0 {
      dictionary = state.withLock { $0.known[dictionaryNumber] }
      guard dictionary != nil else { throw .missingDictionary(number: dictionaryNumber) }
    }
    try Self.withContext(of: Self.decompressors) { decompressor throws(CompressionError) in
      try decompressor.decompress(source, into: target, dictionary: dictionary?.content)
    }
  }

  private static func withContext<Context, Result>(
    of pool: ContextPool<Context>, _ body: (Context) throws(CompressionError) -> Result
  ) throws(RecordError) -> Result {
    do throws(CompressionError) {
      return try pool.withContext(body)
    } catch {
      switch error {
      case .refused(let reason): throw .malformed(reason: "compression: \(reason)")
      case .tooLarge, .wrongLength: throw .malformed(reason: "a tail of another length")
      }
    }
  }
}

/// A dictionary of one entity, with the compressors that use it.
final class TailDictionary: Sendable {
  /// From 1; what records name it by.
  let number: UInt16
  let content: CompressionDictionary
  let compressors: ContextPool<Compressor>

  /// - Throws: `RecordError.malformed` when the bytes are damaged.
  init(number: UInt16, _ bytes: [UInt8]) throws(RecordError) {
    guard let content = try? CompressionDictionary(bytes) else {
      throw .malformed(reason: "compression dictionary \(number)")
    }
    self.number = number
    self.content = content
    compressors = ContextPool { () throws(CompressionError) in
      try Compressor(level: TailCodec.level, dictionary: content)
    }
  }
}

/// Compression contexts, which are costly to make and for one thread at a time: taken for a use, then
/// put back.
///
/// Unchecked because a context is in the list or with one user, never both.
final class ContextPool<Context>: @unchecked Sendable {
  private let make: @Sendable () throws(CompressionError) -> Context
  private let lock = Mutex(())
  private var free: [Context] = []

  init(_ make: @escaping @Sendable () throws(CompressionError) -> Context) { self.make = make }

  func withContext<Result>(
    _ body: (Context) throws(CompressionError) -> Result
  ) throws(CompressionError) -> Result {
    let kept = lock.withLock { _ in free.popLast() }
    let context = if let kept { kept } else { try make() }
    defer { lock.withLock { _ in free.append(context) } }
    return try body(context)
  }
}

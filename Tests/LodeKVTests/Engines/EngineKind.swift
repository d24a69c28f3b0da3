// The engines that run the one suite, and small ways to talk to them.

import Foundation
import LodeKV

/// An engine that the suite runs on.
enum EngineKind: String, CaseIterable, Sendable {
  case memory
  case lmdb

  /// Runs a test on a new engine and closes it.
  func withEngine<Result>(_ body: (any KeyValueEngine) throws -> Result) throws -> Result {
    switch self {
    case .memory:
      let engine = MemoryEngine()
      defer { try? engine.close() }
      return try body(engine)
    case .lmdb:
      return try withFolder { folder in
        let engine = try LMDBEngine(open: folder, options: .small)
        defer { try? engine.close() }
        return try body(engine)
      }
    }
  }
}

extension LMDBEngine.Options {
  /// Small segments, so that tests cross their borders and opening is quick.
  static var small: LMDBEngine.Options {
    var options = LMDBEngine.Options()
    options.mapByteCount = 1 << 30
    options.journalSegmentByteCount = 64 << 10
    return options
  }
}

/// Runs a test with an empty folder of its own, which is removed afterwards.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = TestFolders.parent.appendingPathComponent(
    "\(TestFolders.prefix)\(getpid())-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

/// Where the folders of tests are.
private enum TestFolders {
  static let prefix = "lode-kv-"

  /// In memory where there is such a place: syncs cost nothing there, and none of the tests can
  /// tell. What tests left whose process was meant to die is cleared away on first use.
  static let parent: URL = {
    let memory = URL(fileURLWithPath: "/dev/shm")
    let isWritable = FileManager.default.isWritableFile(atPath: memory.path)
    let parent = isWritable ? memory : FileManager.default.temporaryDirectory
    for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? [] {
      guard name.hasPrefix(prefix), let process = name.split(separator: "-").dropFirst(2).first,
        let number = Int32(process), kill(number, 0) != 0, errno == ESRCH
      else { continue }
      try? FileManager.default.removeItem(at: parent.appendingPathComponent(name))
    }
    return parent
  }()
}

/// A tree that tests put their pairs into.
let tree = TreeID(1)

extension Array where Element == UInt8 {
  init(_ text: String) { self = Array(text.utf8) }

  /// A big-endian number, so that numbers and keys have the same order.
  init(number: Int) {
    self = Swift.withUnsafeBytes(of: Int64(number).bigEndian) { Array($0) }
  }
}

extension WriteList {
  mutating func put(_ key: [UInt8], _ value: [UInt8], in tree: TreeID = tree) {
    key.withUnsafeBytes { key in value.withUnsafeBytes { put(key, $0, in: tree) } }
  }

  mutating func delete(_ key: [UInt8], in tree: TreeID = tree) {
    key.withUnsafeBytes { delete($0, in: tree) }
  }

  mutating func put(_ key: String, _ value: String) { put([UInt8](key), [UInt8](value)) }
}

extension KeyValueEngine {
  @discardableResult
  func put(_ key: String, _ value: String) throws -> UInt64 {
    try commit { _ in
      var list = WriteList()
      list.put(key, value)
      return list
    }
  }

  @discardableResult
  func commit(_ list: WriteList) throws -> UInt64 { try commit { _ in list } }

  func pairs(in tree: TreeID = tree) throws -> [Pair] {
    try read { try $0.pairs(in: tree) }
  }

  func text(_ key: String) throws -> String? {
    try read { try $0.bytes([UInt8](key)).map { String(decoding: $0, as: UTF8.self) } }
  }
}

/// A pair copied out of an engine.
struct Pair: Hashable, Sendable {
  let key: [UInt8]
  let value: [UInt8]
}

extension KeyValueSnapshot {
  func bytes(_ key: [UInt8], in tree: TreeID = tree) throws -> [UInt8]? {
    try key.withUnsafeBytes { try value(of: $0, in: tree).map { Array($0) } }
  }

  func pairs(in tree: TreeID = tree) throws -> [Pair] {
    let cursor = try cursor(in: tree)
    var pairs: [Pair] = []
    while try cursor.next() { pairs.append(cursor.pair) }
    return pairs
  }

  func reversedPairs(in tree: TreeID = tree) throws -> [Pair] {
    let cursor = try cursor(in: tree)
    var pairs: [Pair] = []
    guard try cursor.last() else { return [] }
    repeat { pairs.append(cursor.pair) } while try cursor.previous()
    return pairs
  }
}

extension KeyValueCursor {
  var pair: Pair { Pair(key: Array(key), value: Array(value)) }
  var keyText: String { String(decoding: key, as: UTF8.self) }

  func seek(_ key: [UInt8]) throws -> Bool { try key.withUnsafeBytes { try seek($0) } }
  func seekBefore(_ key: [UInt8]) throws -> Bool { try key.withUnsafeBytes { try seekBefore($0) } }
}

/// Whether a key comes before another, in the engines' order.
func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  let order = memcmp(left, right, min(left.count, right.count))
  return order == 0 ? left.count < right.count : order < 0
}

/// A random generator whose seed a failing test prints.
struct SeededGenerator: RandomNumberGenerator {
  let seed: UInt64
  private var state: UInt64

  /// Takes the seed from the environment variable LODE_SEED, else from the system.
  init() {
    let given = ProcessInfo.processInfo.environment["LODE_SEED"].flatMap { UInt64($0) }
    self.init(seed: given ?? UInt64.random(in: 1...UInt64(UInt32.max)))
  }

  init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
    let count = Int.random(in: counts, using: &self)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) } }
    return Array(bytes[..<count])
  }
}

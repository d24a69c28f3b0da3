public import Foundation
internal import LodeKV
public import LodeModel

/// What a store is opened for.
public enum StoreAccess: Sendable, Hashable, CaseIterable {
  /// Reading and writing.
  case readWrite
  /// Reading, without changing anything in the folder, which may be one that can't be written. A store that
  /// a crash has left is recovered in a copy under the system's temporary folder.
  case readOnly
  /// The same for a store whose journal is damaged or missing: shows what is there up to the damage.
  case salvage
}

/// Sizes and switches of a store, which may differ from one opening to the next.
public struct StoreOptions: Sendable, Hashable {
  /// The largest size of the data file, in bytes; a save that needs more is refused. At least 65,536.
  public var dataFileByteCountMax: UInt64 = 1 << 40

  /// Address space that is taken for the data file when the store is opened, in bytes.
  ///
  /// It costs neither memory nor disk. When the file outgrows it, a save waits up to ten seconds for
  /// fetches under way to end and doubles it, so that it had better be large. Where address space is
  /// limited (`ulimit -v`, 32-bit systems), opening fails with code `addressSpace`; set less then, 65,536 at
  /// least.
  public var mapByteCount: UInt64 = 64 << 30

  /// Size of a journal file, in bytes; a checkpoint is made when one is three quarters full. From 65,536 to
  /// 1 GiB, all of which is written when the file is made.
  public var journalFileByteCount: UInt64 = 4 << 20

  /// What the store is opened for; one in memory is always written.
  public var access = StoreAccess.readWrite

  /// The durability of saves that don't say; a store in memory has none to give.
  public var durability = Durability.full

  /// Whether long values of new and changed rows are compressed. Rows that were written otherwise stay
  /// readable.
  public var compressesLongValues = true

  /// Makes the options that serve most stores on disk.
  public init() {}

  /// Options that keep rows as they are: more bytes, less time, which is what memory is for.
  public static var uncompressed: StoreOptions {
    var options = StoreOptions()
    options.compressesLongValues = false
    return options
  }

  /// Refuses sizes that no store can have.
  func check(path: String) throws(StoreError) {
    let sizes = [
      ("dataFileByteCountMax", dataFileByteCountMax, UInt64.max),
      ("mapByteCount", mapByteCount, UInt64.max),
      ("journalFileByteCount", journalFileByteCount, 1 << 30),
    ]
    for (name, size, sizeMax) in sizes where size < 65_536 || size > sizeMax {
      let range = sizeMax == .max ? "65,536 or more" : "65,536 to \(sizeMax)"
      throw StoreError(.invalidOption, "\(name) is \(size) bytes; give \(range)", path: path)
    }
  }
}

extension EngineStore {
  /// Makes an empty store that lives in memory and goes with its last reference.
  ///
  /// - Throws: `StoreError` with code `invalidValue` for an index that no key can hold.
  public static func inMemory(
    model: ManagedObjectModel, options: StoreOptions = .uncompressed
  ) throws(StoreError) -> EngineStore {
    try EngineStore(
      engine: MemoryEngine(), type: .inMemory, url: nil, model: model, options: options)
  }

  /// Opens the store in a folder, making both when they don't exist; recovers it after a crash.
  ///
  /// One process, and in it one store, has a folder open for writing at a time; any number may have it
  /// open for reading only instead. Close the store to let go of it.
  ///
  /// - Parameters:
  ///   - url: a folder of the store's own.
  ///   - model: has the entities that the store was written with; its indexes and constraints may
  ///     differ, they are built and dropped here.
  /// - Throws: `StoreError` with code `locked` when somebody has the folder open, `incompatibleModel`,
  ///   `readOnly` for a store that is to be read only and lacks indexes of the model, `notAStore` for a folder that holds other things, `invalidOption`, `addressSpace`, `newerFormat`, `corrupt`, `constraint` when rows collide under a constraint that the
  ///   model has gained, `file` for what the system refuses. Rows are untouched then.
  public static func lmdb(
    at url: URL, model: ManagedObjectModel, options: StoreOptions = StoreOptions()
  ) throws(StoreError) -> EngineStore {
    guard url.isFileURL else {
      throw StoreError(
        .file, "a store is kept in a folder, which needs a file URL", path: url.absoluteString)
    }
    try options.check(path: url.path)
    // An index that no key can hold shall leave no files behind.
    let treeCount = try SchemaBuilder.open(model, nil, newUUID: UUID()).treeCount
    let engine = try openEngine(at: url, options: options, treeCount: treeCount)
    return try EngineStore(engine: engine, type: .lmdb, url: url, model: model, options: options)
  }

  /// Opens the engine in a folder in the way that the options ask for.
  static func openEngine(
    at url: URL, options: StoreOptions, treeCount: Int
  ) throws(StoreError) -> any KeyValueEngine {
    do throws(EngineError) {
      return try openEngine(url, options, treeCount: treeCount)
    } catch {
      throw StoreError(wrapping: error, path: url.path)
    }
  }

  private static func openEngine(
    _ url: URL, _ options: StoreOptions, treeCount: Int
  ) throws(EngineError) -> any KeyValueEngine {
    let engineOptions = engineOptions(options, treeCount: treeCount)
    guard options.access != .readWrite else {
      return try LMDBEngine(open: url, options: engineOptions)
    }
    return try ReadOnlyEngine(
      open: url, options: engineOptions, isSalvage: options.access == .salvage)
  }

  private static func engineOptions(
    _ options: StoreOptions, treeCount: Int
  ) -> LMDBEngine.Options {
    var engineOptions = LMDBEngine.Options()
    engineOptions.mapByteCountMax = options.dataFileByteCountMax
    engineOptions.mapByteCount = min(options.mapByteCount, options.dataFileByteCountMax)
    engineOptions.durability = CommitDurability(options.durability)
    engineOptions.journalSegmentByteCount = options.journalFileByteCount
    // Twice, for the trees of indexes that are dropped while others are built.
    engineOptions.treeCountMax = max(engineOptions.treeCountMax, UInt32(clamping: treeCount * 2))
    return engineOptions
  }
}

extension CommitDurability {
  /// The engine's word for a store's durability.
  init(_ durability: Durability) {
    self =
      switch durability {
      case .full: .full
      case .eventual: .eventual
      case .unsynced: .unsynced
      }
  }
}

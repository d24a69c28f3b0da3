import Foundation
import Lode

/// `lode check`, `stat` and `backup`: what is done with a store whose model nobody has at hand.
struct StoreCommand {
  let paint: Paint
  let printsJSON: Bool
  /// Takes each line for the person who watches.
  let write: (String) -> Void

  /// Checks a store and prints every fault.
  ///
  /// - Returns: whether nothing is wrong.
  func check(_ path: String) throws -> Bool {
    let folder = URL(filePath: path, directoryHint: .isDirectory)
    let report = try EngineStore.check(at: folder, faultCountMax: 100_000)
    if printsJSON {
      write(try Self.json(CheckOutput(path: path, report)))
    } else {
      for fault in report.faults { write(line(of: fault)) }
      if report.faultCount > 0 { write("") }
      for line in Self.summary(of: report) { write(line) }
      write(
        report.isSound
          ? paint(.green, "the store is sound") : paint(.red, "\(report.faultCount) faults"))
    }
    return report.isSound
  }

  /// Prints what a store holds and where its bytes go.
  func stat(_ path: String) throws {
    let figures = try withStore(path) { try $0.figures() }
    if printsJSON {
      write(try Self.json(figures))
    } else {
      StatText(path: path, figures: figures, paint: paint).lines.forEach(write)
    }
  }

  /// Copies a store.
  func backup(_ path: String, to destination: String) throws {
    let place = URL(filePath: destination, directoryHint: .isDirectory)
    let sequence = try withStore(path) { try $0.backup(to: place) }
    let byteCount = try Self.byteCount(in: place)
    if printsJSON {
      write(
        try Self.json(BackupOutput(path: destination, lastSequence: sequence, bytes: byteCount)))
    } else {
      write("\(destination): all up to save \(sequence), \(byteCount.formatted()) bytes")
    }
  }

  private func withStore<Result>(
    _ path: String, _ body: (EngineStore) throws -> Result
  ) throws -> Result {
    var options = StoreOptions()
    options.access = .readOnly
    let store = try EngineStore.lmdb(
      existingAt: URL(filePath: path, directoryHint: .isDirectory), options: options)
    let result: Result
    do {
      result = try body(store)
    } catch {
      // What went wrong with the work is what the caller must hear of.
      try? store.close()
      throw error
    }
    try store.close()
    return result
  }

  private func line(of fault: StoreFault) -> String {
    let parts = [
      fault.place, fault.objectID.map { "\($0)" }, fault.position.map { "at byte \($0)" },
    ].compactMap(\.self)
    return paint(.red, fault.kind.rawValue) + " " + paint(.bold, parts.joined(separator: " "))
      + ": " + fault.message
  }

  private static func summary(of report: StoreCheckReport) -> [String] {
    let pages = report.pageCount > 0 ? "\(report.pageCount.formatted()) pages, " : ""
    return [
      pages + "\(report.rowCount.formatted()) rows, "
        + "\(report.indexEntryCount.formatted()) index entries, "
        + "\(report.linkCount.formatted()) links"
    ]
  }

  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func byteCount(in folder: URL) throws -> Int {
    try FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: [.fileSizeKey]
    ).reduce(0) { try $0 + ($1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0) }
  }
}

/// What `lode check --json` prints.
struct CheckOutput: Codable, Equatable {
  struct Fault: Codable, Equatable {
    var kind: String
    var message: String
    var object: String?
    var place: String?
    var position: UInt64?
  }

  var path: String
  var isSound: Bool
  var faultCount: Int
  var faults: [Fault]
  var pages: Int
  var rows: Int
  var indexEntries: Int
  var links: Int

  init(path: String, _ report: StoreCheckReport) {
    self.path = path
    isSound = report.isSound
    faultCount = report.faultCount
    faults = report.faults.map {
      Fault(
        kind: $0.kind.rawValue, message: $0.message, object: $0.objectID.map { "\($0)" },
        place: $0.place, position: $0.position)
    }
    pages = report.pageCount
    rows = report.rowCount
    indexEntries = report.indexEntryCount
    links = report.linkCount
  }
}

/// What `lode backup --json` prints.
struct BackupOutput: Codable, Equatable {
  var path: String
  var lastSequence: UInt64
  var bytes: Int
}

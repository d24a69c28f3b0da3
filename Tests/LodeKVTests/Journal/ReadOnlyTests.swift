// Opening for reading: nothing in the folder changes, whatever state the store is in.

import Foundation
import LodeKV
import LodeKVTesting
import Testing

@Suite struct ReadOnlyTests {
  /// Makes a store with a checkpoint at save 5 and ten saves, closed in order or as by a crash.
  private func withStore(isAbandoned: Bool, _ body: (URL) throws -> Void) throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      for number in 1...5 { try engine.put("key \(number)", "value") }
      try engine.checkpoint()
      for number in 6...10 { try engine.put("key \(number)", "value") }
      if isAbandoned { try engine.abandon() } else { try engine.close() }
      try body(folder)
    }
  }

  private func open(_ folder: URL, isSalvage: Bool = false) throws(EngineError) -> ReadOnlyEngine {
    try ReadOnlyEngine(
      open: folder, options: .small, scratchFolder: folder.deletingLastPathComponent(),
      isSalvage: isSalvage)
  }

  private func everything(_ folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appending(path: $0))) })
  }

  @Test(arguments: [false, true])
  func `reading changes no file, after a close or a crash`(isAbandoned: Bool) throws {
    try withStore(isAbandoned: isAbandoned) { folder in
      let before = try everything(folder)
      let engine = try open(folder)
      try #expect(engine.pairs().count == 10)
      try #expect(engine.text("key 10") == "value")
      try #expect(engine.statistics().lastSequence == 10)
      #expect(engine.damage.isEmpty)
      #expect(throws: EngineError.readOnly(path: folder.path)) { try engine.put("a", "1") }
      #expect(throws: EngineError.readOnly(path: folder.path)) { try engine.checkpoint() }
      try engine.close()
      try engine.close()
      #expect(throws: EngineError.closed(path: folder.path)) { try engine.pairs() }
      try #expect(everything(folder) == before)
      let writer = try LMDBEngine(open: folder, options: .small)
      try #expect(writer.pairs().count == 10)
      try writer.close()
    }
  }

  @Test(arguments: [false, true])
  func `a folder that can't be written is read`(isAbandoned: Bool) async {
    // In a process of its own, which gives up the rights that would let it write anyway.
    await #expect(processExitsWith: .success) { [isAbandoned] in
      try readAsNobody(isAbandoned: isAbandoned)
    }
  }

  @Test func `readers keep a writer out, and a writer readers`() throws {
    try withStore(isAbandoned: false) { folder in
      let readers = try [open(folder), open(folder), open(folder)]
      #expect(throws: EngineError.locked(path: folder.path, holder: .thisProcess)) {
        _ = try LMDBEngine(open: folder, options: .small)
      }
      for reader in readers {
        try #expect(reader.pairs().count == 10)
        try reader.close()
      }
      let writer = try LMDBEngine(open: folder, options: .small)
      #expect(throws: EngineError.locked(path: folder.path, holder: .thisProcess)) {
        _ = try open(folder)
      }
      try writer.close()
    }
  }

  @Test func `what is no store is refused, and nothing is made`() throws {
    try withFolder { folder in
      #expect(throws: EngineError.self) { _ = try open(folder) }
      #expect(throws: EngineError.self) { _ = try open(folder.appending(path: "none")) }
      try #expect(everything(folder).isEmpty)
    }
  }

  // MARK: Salvage

  /// Breaks a store, expects an ordinary reader to refuse it, and returns what a salvage finds.
  private func salvage(
    isAbandoned: Bool = true, _ breakIt: (URL) throws -> Void,
    _ check: (ReadOnlyEngine) throws -> Void
  ) throws {
    try withStore(isAbandoned: isAbandoned) { folder in
      try breakIt(folder)
      let before = try everything(folder)
      #expect(throws: EngineError.self) { _ = try open(folder) }
      let engine = try open(folder, isSalvage: true)
      #expect(engine.damage.count == 1)
      try check(engine)
      try engine.close()
      try #expect(everything(folder) == before)
    }
  }

  private func newestSegment(_ folder: URL) throws -> URL {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let segments = names.filter { $0.hasPrefix("j-") }.sorted().map { folder.appending(path: $0) }
    let isHeader = { (file: URL) in try Data(contentsOf: file).starts(with: "LODEJRNL".utf8) }
    return try #require(try segments.last(where: isHeader))
  }

  private func change(_ file: URL, _ body: (inout Data) -> Void) throws {
    var bytes = try Data(contentsOf: file)
    body(&bytes)
    try bytes.write(to: file)
  }

  @Test func `a damaged journal is read up to the damage`() throws {
    try salvage { folder in
      // In the third of five groups.
      try change(newestSegment(folder)) { $0[8192 + 2 * 4096 + 60] ^= 1 }
    } _: { engine in
      try #expect(engine.pairs().count == 7)
    }
  }

  @Test func `without its newest segment the store is read as of the one before`() throws {
    try withFolder { folder in
      let fileSystem = FaultyFileSystem()
      let engine = try LMDBEngine(open: folder.path, options: .small, fileSystem: fileSystem)
      try engine.put("a", "1")
      fileSystem.arm(.init(index: 0, operation: "rename"))
      #expect(throws: EngineError.self) { try engine.checkpoint() }
      try engine.put("b", "2")
      try engine.abandon()
      try FileManager.default.removeItem(at: newestSegment(folder))
      #expect(throws: EngineError.self) { _ = try open(folder) }
      let salvaged = try open(folder, isSalvage: true)
      try #expect(salvaged.text("a") == "1" && salvaged.text("b") == nil)
      #expect(salvaged.damage.count == 1)
      try salvaged.close()
    }
  }

  @Test func `without any journal the data file's own last commit is read`() throws {
    try salvage { folder in
      for name in try everything(folder).keys where name.hasPrefix("j-") {
        try FileManager.default.removeItem(at: folder.appending(path: name))
      }
    } _: { engine in
      try #expect(engine.pairs().count == 10)
    }
  }
}

/// Makes a store in a folder without rights to write, and reads it as a user who has none to ignore
/// that.
private func readAsNobody(isAbandoned: Bool) throws {
  try withFolder { folder in
    let engine = try LMDBEngine(open: folder, options: .small)
    for number in 1...10 { try engine.put("key \(number)", "value") }
    if isAbandoned { try engine.abandon() } else { try engine.close() }
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      chmod(folder.appending(path: name).path, 0o444)
    }
    chmod(folder.path, 0o555)
    if geteuid() == 0 { guard seteuid(65534) == 0 else { exit(2) } }
    #expect(access(folder.path, W_OK) != 0 || geteuid() != 0)
    #expect(throws: EngineError.self) { _ = try LMDBEngine(open: folder, options: .small) }
    let reader = try ReadOnlyEngine(open: folder, options: .small)
    try #expect(reader.pairs().count == 10)
    try reader.close()
    if getuid() == 0 { seteuid(0) }
    chmod(folder.path, 0o755)
  }
}

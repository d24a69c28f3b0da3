// Every way in which a folder can be wrong gives an error that says which, and changes no file.

import Foundation
import LodeKV
import LodeKVTesting
import Testing

@Suite struct WrongFolderTests {
  /// Makes a sound, closed store with some saves and a checkpoint, and breaks it.
  private func withBrokenStore(
    isAbandoned: Bool = false, _ breakIt: (URL) throws -> Void, _ check: (URL) throws -> Void
  ) throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      for number in 1...10 { try engine.put("key \(number)", "value") }
      if isAbandoned { try engine.abandon() } else { try engine.close() }
      try breakIt(folder)
      try check(folder)
    }
  }

  private func segments(_ folder: URL) throws -> [URL] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasPrefix("j-") }.sorted().map { folder.appendingPathComponent($0) }
  }

  private func segment(_ folder: URL) throws -> URL { try #require(try segments(folder).last) }

  private func data(_ folder: URL) -> URL { folder.appendingPathComponent("data.mdb") }

  private func change(_ file: URL, _ body: (inout Data) -> Void) throws {
    var bytes = try Data(contentsOf: file)
    body(&bytes)
    try bytes.write(to: file)
  }

  private func isCorrupt(_ name: String, _ words: String) -> (EngineError) -> Bool {
    { error in
      guard case .corrupt(let path, _, let reason) = error else { return false }
      return (name.isEmpty || path.contains(name)) && reason.contains(words)
    }
  }

  @Test func `a missing data file beside a journal`() throws {
    try withBrokenStore { folder in
      try FileManager.default.removeItem(at: data(folder))
    } _: { folder in
      try expectRefusal(folder, isCorrupt("data.mdb", "missing"))
    }
  }

  @Test func `a missing journal beside a data file`() throws {
    try withBrokenStore { folder in
      for segment in try segments(folder) { try FileManager.default.removeItem(at: segment) }
    } _: { folder in
      try expectRefusal(folder, isCorrupt("", "journal segments are missing"))
    }
  }

  @Test func `a data file cut short`() throws {
    for count in [0, 100, 4096, 8192, 12288] {
      try withBrokenStore { folder in
        try change(data(folder)) { $0 = $0.prefix(count) }
      } _: { folder in
        try expectRefusal(folder, isCorrupt("data.mdb", "bytes"))
      }
    }
  }

  @Test func `a text file in place of the data file`() throws {
    try withBrokenStore { folder in
      try Data(String(repeating: "This is no data file. ", count: 20_000).utf8)
        .write(to: data(folder))
    } _: { folder in
      try expectRefusal(folder, isCorrupt("data.mdb", "not the one"))
    }
  }

  @Test func `zeros in place of the data file`() throws {
    try withBrokenStore { folder in
      try change(data(folder)) { $0 = Data(count: $0.count) }
    } _: { folder in
      try expectRefusal(folder, isCorrupt("data.mdb", "not the one"))
    }
  }

  @Test func `the data file of another store`() throws {
    try withBrokenStore { folder in
      try withFolder { other in
        let engine = try LMDBEngine(open: other, options: .small)
        for number in 1...50 { try engine.put("key \(number)", "other") }
        try engine.close()
        try Data(contentsOf: data(other)).write(to: data(folder))
      }
    } _: { folder in
      try expectRefusal(folder, isCorrupt("data.mdb", "not the one"))
    }
  }

  @Test func `a journal segment of another store`() throws {
    try withBrokenStore { folder in
      try withFolder { other in
        let engine = try LMDBEngine(open: other, options: .small)
        for number in 1...50 { try engine.put("key \(number)", "other") }
        for _ in 1...5 {
          try engine.put("more", "other")
          try engine.checkpoint()
        }
        try engine.close()
        let foreign = try segment(other)
        try FileManager.default.copyItem(
          at: foreign, to: folder.appendingPathComponent(foreign.lastPathComponent))
      }
    } _: { folder in
      try expectRefusal(folder) { error in
        guard case .corrupt(let path, _, _) = error else { return false }
        return path.contains("data.mdb")
      }
    }
  }

  @Test func `a segment of a later format`() throws {
    try withBrokenStore { folder in
      try change(segment(folder)) { bytes in
        bytes[8] = 2
        let checksum = Array(bytes.prefix(4092)).withUnsafeBytes { CRC32C.checksum(of: $0) }
        withUnsafeBytes(of: checksum.littleEndian) { bytes.replaceSubrange(4092..<4096, with: $0) }
      }
    } _: { folder in
      try expectRefusal(folder) { error in
        guard case .newerFormat(_, let found, let supported) = error else { return false }
        return found == 2 && supported == 1
      }
    }
  }

  @Test func `a data file of a later LMDB`() throws {
    try withBrokenStore { folder in
      try change(data(folder)) { $0[20] = 9 }
    } _: { folder in
      try expectRefusal(folder) { error in
        guard case .newerFormat(let path, let found, _) = error else { return false }
        return path.contains("data.mdb") && found == 9
      }
    }
  }

  @Test func `a damaged header, with no segment left`() throws {
    try withBrokenStore { folder in
      try change(segment(folder)) { $0[100] ^= 1 }
    } _: { folder in
      try expectRefusal(folder, isCorrupt("j-", "no journal segment"))
    }
  }

  @Test func `a segment under another number`() throws {
    try withBrokenStore { folder in
      let old = try segment(folder)
      try FileManager.default.moveItem(at: old, to: folder.appendingPathComponent("j-00000077"))
    } _: { folder in
      try expectRefusal(folder, isCorrupt("j-", "no journal segment"))
    }
  }

  @Test func `a sealed segment whose successor is gone`() throws {
    try withFolder { folder in
      let fileSystem = FaultyFileSystem()
      let engine = try LMDBEngine(
        open: folder.path, options: .small, fileSystem: fileSystem)
      try engine.put("a", "1")
      // The old segment is sealed; what would recycle it fails.
      fileSystem.arm(.init(index: 0, operation: "rename"))
      #expect(throws: EngineError.self) { try engine.checkpoint() }
      try engine.put("b", "2")
      try engine.abandon()
      try FileManager.default.removeItem(at: try segment(folder))
      try expectRefusal(folder, isCorrupt("j-00000001", "segment after this one"))
    }
  }

  @Test func `an older checkpoint than the data file's`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      try engine.put("a", "1")
      let old = try Data(contentsOf: segment(folder))
      try engine.checkpoint()
      for number in 1...40 { try engine.put("key \(number)", "value") }
      try engine.close()
      for segment in try segments(folder) { try FileManager.default.removeItem(at: segment) }
      try old.write(to: folder.appendingPathComponent("j-00000001"))
      // Its pages have been used again meanwhile, or its saves are behind: either is noticed.
      try expectRefusal(folder) { error in
        guard case .corrupt = error else { return false }
        return true
      }
    }
  }

  @Test func `a folder that can't be`() throws {
    let file = URL(fileURLWithPath: "/dev/null/store")
    #expect(throws: EngineError.self) { _ = try LMDBEngine(open: file) }
  }

  @Test func `an interrupted creation is begun again`() throws {
    try withFolder { folder in
      try Data("half a file".utf8).write(to: folder.appendingPathComponent("new.mdb"))
      try Data("half a segment".utf8).write(to: folder.appendingPathComponent("j-00000001"))
      let engine = try LMDBEngine(open: folder, options: .small)
      try engine.put("a", "1")
      try engine.close()
      try #expect(!contents(of: folder).keys.contains("new.mdb"))
    }
  }

  @Test func `other files in the folder don't matter`() throws {
    try withBrokenStore { folder in
      try Data("text".utf8).write(to: folder.appendingPathComponent("notes.txt"))
      try Data("text".utf8).write(to: folder.appendingPathComponent("j-1"))
      try Data("text".utf8).write(to: folder.appendingPathComponent("j-99999999"))
    } _: { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      try #expect(engine.pairs().count == 10)
      try engine.close()
    }
  }
}

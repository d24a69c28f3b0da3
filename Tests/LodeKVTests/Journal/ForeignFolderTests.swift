// A folder of somebody else is refused and left alone; a store whose files are taken away while it
// is open says so instead of going on into nothing.

import Foundation
import LodeKV
import LodeKVTesting
import Testing

@Suite struct ForeignFolderTests {
  private func isNotAStore(_ words: String) -> (EngineError) -> Bool {
    { error in
      guard case .notAStore(_, let reason) = error else { return false }
      return reason.contains(words)
    }
  }

  private func names(_ folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test(arguments: [
    ["notes.txt"], [".hidden"], ["data.mdb", "lock.mdb"], ["data.mdb"], ["new.mdb", "notes.txt"],
    ["j-00000001", "notes.txt"], ["j-readme"],
  ])
  func `a folder with other things in it doesn't become a store`(files: [String]) throws {
    try withFolder { folder in
      for name in files { try Data("text".utf8).write(to: folder.appendingPathComponent(name)) }
      let words = files.contains("data.mdb") ? "without a journal" : "not empty"
      try expectRefusal(folder, isNotAStore(words))
      try #expect(names(folder) == files.sorted())
    }
  }

  @Test(arguments: [["lost+found"], ["store.lock"], ["new.mdb", "store.lock"]])
  func `an empty folder and an interrupted creation become a store`(files: [String]) throws {
    try withFolder { folder in
      for name in files { try Data().write(to: folder.appendingPathComponent(name)) }
      let engine = try LMDBEngine(open: folder, options: .small)
      try engine.put("a", "1")
      try engine.close()
    }
  }

  @Test func `a missing folder is made, but not the folders above it`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder.appending(path: "store"), options: .small)
      try engine.close()
      #expect(throws: EngineError.self) {
        _ = try LMDBEngine(open: folder.appending(path: "a/b"), options: .small)
      }
      try #expect(names(folder) == ["store"])
    }
  }

  @Test func `an empty path and a file are no store`() throws {
    #expect(throws: EngineError.notAStore(path: "", reason: "the path is empty; name a folder")) {
      _ = try LMDBEngine(open: "", options: .small, fileSystem: POSIXFileSystem())
    }
    try withFolder { folder in
      let file = folder.appendingPathComponent("file")
      try Data("text".utf8).write(to: file)
      do throws(EngineError) {
        _ = try LMDBEngine(open: file, options: .small)
        Issue.record("the file was opened")
      } catch {
        #expect(isNotAStore("folder")(error), "\(error)")
      }
      try #expect(Data(contentsOf: file) == Data("text".utf8))
    }
  }

  // MARK: Taken away while open

  @Test func `a save into a removed folder throws`() throws {
    try withFolder { parent in
      let folder = parent.appending(path: "store")
      let engine = try LMDBEngine(open: folder, options: .small)
      try engine.put("a", "1")
      try FileManager.default.removeItem(at: folder)
      #expect(throws: displaced(folder, "j-00000001")) { try engine.put("b", "2") }
      #expect(throws: displaced(folder, "j-00000001")) { try engine.checkpoint() }
      try #expect(engine.text("a") == "1")
      #expect(throws: EngineError.self) { try engine.close() }
      try #expect(names(parent).isEmpty)
    }
  }

  @Test func `a save throws while the folder is elsewhere and works when it is back`() throws {
    try withFolder { parent in
      let (folder, other) = (parent.appending(path: "store"), parent.appending(path: "other"))
      let engine = try LMDBEngine(open: folder, options: .small)
      try engine.put("a", "1")
      try FileManager.default.moveItem(at: folder, to: other)
      #expect(throws: displaced(folder, "j-00000001")) { try engine.put("b", "2") }
      // Another store in its place is left alone.
      let second = try LMDBEngine(open: folder, options: .small)
      #expect(throws: displaced(folder, "j-00000001")) { try engine.checkpoint() }
      try second.close()
      try FileManager.default.removeItem(at: folder)
      try FileManager.default.moveItem(at: other, to: folder)
      try engine.put("c", "3")
      try engine.checkpoint()
      try engine.close()
      let reopened = try LMDBEngine(open: folder, options: .small)
      try #expect(reopened.pairs().count == 2)
      try reopened.close()
    }
  }

  @Test func `a save throws when the data file was replaced`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      let data = folder.appending(path: "data.mdb")
      try Data(contentsOf: data).write(to: data, options: .atomic)
      #expect(throws: displaced(folder, "data.mdb")) { try engine.put("b", "2") }
      try engine.abandon()
    }
  }

  private func displaced(_ folder: URL, _ name: String) -> EngineError {
    .displaced(path: folder.path + "/" + name)
  }

  // MARK: What errors say

  @Test func `a closed store is named by its folder, whatever is asked of it`() throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      try engine.close()
      let closed = EngineError.closed(path: folder.path)
      #expect(throws: closed) { try engine.pairs() }
      #expect(throws: closed) { try engine.put("a", "1") }
      #expect(throws: closed) { try engine.checkpoint() }
      #expect(throws: closed) { try engine.statistics() }
    }
  }

  @Test func `without address space for the map, opening says how much it asked for`() async {
    await #expect(processExitsWith: .success) {
      var limit = rlimit(rlim_cur: 16 << 30, rlim_max: 16 << 30)
      guard setrlimit(__rlimit_resource_t(9), &limit) == 0 else { exit(2) }
      try withFolder { folder in
        #expect(throws: EngineError.addressSpace(path: folder.path, byteCount: 64 << 30)) {
          _ = try LMDBEngine(open: folder)
        }
        let engine = try LMDBEngine(open: folder, options: .small)
        try engine.put("a", "1")
        try engine.close()
      }
    }
  }
}

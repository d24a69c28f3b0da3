// Power failures at every point of creation, commits, checkpoints and recovery. LODE_IMAGES sets
// how many are looked at, LODE_SEED repeats a run.

import LodeRandom
import Foundation
import LodeKV
import LodeKVTesting
import Testing

/// One run of saves and checkpoints on a disk that loses power again and again.
struct PowerLossRun {
  private var random: SeededGenerator
  private let imageCountMax: Int
  private let flaw: PowerLossFileSystem.Flaw?
  private let durabilities: [CommitDurability]
  /// Whether images also lose the header of their newest segment, which must not go unnoticed.
  private let losesSegments: Bool
  /// Whether another process has the store open too, so that each opening takes over from the last.
  private let isShared: Bool
  private(set) var imageCount = 0
  private(set) var problems: [String] = []

  init(
    seed: SeededGenerator, imageCountMax: Int, flaw: PowerLossFileSystem.Flaw? = nil,
    durabilities: [CommitDurability] = [.full], losesSegments: Bool = false,
    isShared: Bool = false
  ) {
    self.isShared = isShared
    self.losesSegments = losesSegments
    self.durabilities = durabilities
    random = seed
    self.imageCountMax = imageCountMax
    self.flaw = flaw
  }

  /// Runs stores from creation on until enough images have been looked at.
  mutating func run() throws {
    while imageCount < imageCountMax, problems.isEmpty {
      try withFolder { try runStore(in: $0.path) }
    }
  }

  private mutating func runStore(in folder: String) throws {
    let holder = isShared ? try Probe("hold", folder) : nil
    holder?.waitForLines(1)
    var options = LMDBEngine.Options.still
    options.allowsOtherProcesses = isShared
    options.lockWait = .seconds(60)
    let disk = try PowerLossFileSystem(folder: folder, flaw: flaw)
    let log = SaveLog()
    var isRecovering = false
    var me = self
    disk.beforeChange = {
      let isChosen = Int.random(in: 0..<(isRecovering ? 3 : 5), using: &me.random) == 0
      guard isChosen, me.imageCount < me.imageCountMax, me.problems.isEmpty else { return }
      try me.lookAtImage(of: disk, log)
    }
    defer {
      disk.beforeChange = nil
      self = me
    }
    var engine = try LMDBEngine(open: folder, options: options, fileSystem: disk)
    for number in 1...30 {
      let durability = durabilities.randomElement(using: &random)
      try NumberedSaves.save(number, to: engine, durability: durability, log)
      try log.update(from: engine)
      isRecovering = false
      switch Int.random(in: 0..<8, using: &me.random) {
      case 0, 1:
        // What fails then leaves a sealed segment beside the new one.
        disk.failsRename = losesSegments
        do throws(EngineError) {
          try engine.checkpoint()
        } catch {
          guard case .file(_, "rename", _) = error else { throw error }
        }
        disk.failsRename = false
      case 2:
        try engine.abandon()
        isRecovering = true
        engine = try LMDBEngine(open: folder, options: options, fileSystem: disk)
        // With others attached, what there is to do is done by the next save.
        isRecovering = isShared
      default: break
      }
      try log.update(from: engine)
      if flaw == .pin { try forgetReaders(folder) }
    }
    disk.failsRename = false
    try engine.close()
    try holder?.finish()
  }

  /// Checks an image, and images of its recovery.
  private mutating func lookAtImage(of disk: PowerLossFileSystem, _ log: SaveLog) throws {
    imageCount += 1
    try withFolder { image in
      try disk.leave(in: image.path, &random)
      guard !losesSegments else { return try loseSegment(image.path, log) }
      if Bool.random(using: &random) { try recover(image.path, log) }
      if let problem = NumberedSaves.problem(in: image.path, log, flaw: flaw) {
        problems.append(problem)
      }
    }
  }

  /// Destroys the newest header: opening must refuse, unless the one before it has everything.
  private mutating func loseSegment(_ image: String, _ log: SaveLog) throws {
    let segments = try FileManager.default.contentsOfDirectory(atPath: image)
      .filter { $0.hasPrefix("j-") }.sorted(by: >).map { URL(filePath: image + "/" + $0) }
    let isHeader = { (file: URL) in try Data(contentsOf: file).starts(with: "LODEJRNL".utf8) }
    guard let newest = try segments.first(where: isHeader) else { return }
    var bytes = try Data(contentsOf: newest)
    bytes.replaceSubrange(0..<16, with: Data(count: 16))
    try bytes.write(to: newest)
    do throws(EngineError) {
      let engine = try LMDBEngine(open: image, options: .still, fileSystem: POSIXFileSystem())
      try engine.abandon()
    } catch {
      guard case .corrupt = error else { throw error }
      return
    }
    if let problem = NumberedSaves.problem(in: image, log) { problems.append(problem) }
  }

  /// Takes every reader out of LMDB's table, as if none had ever been there: 64 bytes each from 128
  /// on, beginning with the transaction.
  private func forgetReaders(_ folder: String) throws {
    let table = try POSIXFileSystem().open(folder + "/data.mdb-lock", .update)
    let none = [UInt8](repeating: 0xFF, count: 8)
    for position in stride(from: 128, to: try table.byteCount(), by: 64) {
      try none.withUnsafeBytes { try table.write($0, at: position) }
    }
  }

  /// Recovers an image on a disk that loses power too.
  private mutating func recover(_ image: String, _ log: SaveLog) throws {
    let disk = try PowerLossFileSystem(folder: image, flaw: flaw)
    var me = self
    disk.beforeChange = {
      guard Int.random(in: 0..<4, using: &me.random) == 0 else { return }
      try withFolder { second in
        me.imageCount += 1
        try disk.leave(in: second.path, &me.random)
        if let problem = NumberedSaves.problem(in: second.path, log, flaw: me.flaw) {
          me.problems.append("during recovery: " + problem)
        }
      }
    }
    defer {
      disk.beforeChange = nil
      self = me
    }
    let engine = try? LMDBEngine(open: image, options: .still, fileSystem: disk)
    try engine?.abandon()
  }
}

extension LMDBEngine.Options {
  /// Small, and without checkpoints in the background.
  fileprivate static var still: LMDBEngine.Options {
    var options = small
    options.journalSegmentByteCount = 160 << 10
    return options
  }
}

@Suite struct PowerLossTests {
  private static let imageCount =
    ProcessInfo.processInfo.environment["LODE_IMAGES"].flatMap { Int($0) } ?? 120

  @Test func `a power failure never loses an acknowledged save`() throws {
    let seed = SeededGenerator()
    var run = PowerLossRun(seed: seed, imageCountMax: Self.imageCount)
    try run.run()
    #expect(run.problems.isEmpty, "LODE_SEED=\(seed.seed)")
    #expect(run.imageCount >= Self.imageCount)
  }

  @Test func `a power failure takes the last saves only, when they need not be durable`() throws {
    let seed = SeededGenerator()
    var run = PowerLossRun(
      seed: seed, imageCountMax: Self.imageCount, durabilities: CommitDurability.allCases)
    try run.run()
    #expect(run.problems.isEmpty, "LODE_SEED=\(seed.seed)")
  }

  @Test func `a power failure while one process takes over from another loses nothing`() throws {
    let seed = SeededGenerator()
    var run = PowerLossRun(
      seed: seed, imageCountMax: Self.imageCount, durabilities: CommitDurability.allCases,
      isShared: true)
    try run.run()
    #expect(run.problems.isEmpty, "LODE_SEED=\(seed.seed)")
  }

  @Test func `a segment that is lost is not taken for one that never was`() throws {
    let seed = SeededGenerator()
    var run = PowerLossRun(
      seed: seed, imageCountMax: Self.imageCount, losesSegments: true)
    try run.run()
    #expect(run.problems.isEmpty, "LODE_SEED=\(seed.seed)")
  }

  // Negative controls: with one step of the protocol left out, the same simulation must find
  // something. They run in processes of their own, since LMDB may crash on such files.

  @Test func `a journal that isn't synced is noticed`() async {
    await #expect(processExitsWith: .failure) { exitAfterRun(with: .journalSync) }
  }

  @Test func `a data file that isn't synced is noticed`() async {
    await #expect(processExitsWith: .failure) { exitAfterRun(with: .dataSync) }
  }

  @Test func `a meta page that isn't restored is noticed`() async {
    await #expect(processExitsWith: .failure) { exitAfterRun(with: .metaRestoration) }
  }

  @Test func `a folder that isn't synced is noticed`() async {
    await #expect(processExitsWith: .failure) { exitAfterRun(with: .folderSync) }
  }

  @Test func `a checksum that isn't compared is noticed`() async {
    await #expect(processExitsWith: .failure) { exitAfterRun(with: .checksum) }
  }

  @Test func `a checkpoint that isn't pinned is noticed`() async {
    await #expect(processExitsWith: .failure) { exitAfterRun(with: .pin) }
  }

  @Test func `a segment that isn't sealed is noticed`() async {
    await #expect(processExitsWith: .failure) { exitAfterRun(with: .seal, losesSegments: true) }
  }
}

/// Ends the process, as a failure when the simulation found one or the engine itself did.
private func exitAfterRun(with flaw: PowerLossFileSystem.Flaw, losesSegments: Bool = false) {
  var run = PowerLossRun(
    seed: SeededGenerator(seed: 20_240_601), imageCountMax: 400, flaw: flaw,
    losesSegments: losesSegments)
  do {
    try run.run()
    exit(run.problems.isEmpty ? 0 : 1)
  } catch {
    exit(error is EngineError || error is NumberedSaves.Mismatch ? 1 : 0)
  }
}

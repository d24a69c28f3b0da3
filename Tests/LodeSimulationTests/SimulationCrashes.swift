// How a program's store is lost and opened again: crashes of the process and of the machine, between two
// operations and inside one, and openings that fail.

import LodeRandom
import Foundation
import LodeKV
import LodeKVTesting

extension SimulationProgram {
  enum Crash {
    case process
    case powerFailure
  }

  static func emptyFolder(in folders: URL) throws -> URL {
    let folder = folders.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }

  /// Keeps what a crash now would leave; the program goes on there after the operation under way.
  func takeImage(_ crash: Crash) throws {
    let left = try Self.emptyFolder(in: folders)
    var model = model
    note("\(crash) at \(model.lastNumber)")
    // What is drawn for an image depends on bytes that differ from run to run, such as UUIDs.
    var imageRandom = SeededGenerator(seed: crashRandom.next())
    switch crash {
    case .process: try disk.copy(to: left.path)
    case .powerFailure:
      try disk.leave(in: left.path, &imageRandom)
      model.losePower()
    }
    image = Image(folder: left, model: model)
    counts.count(crash == .process ? .processCrashes : .powerFailures)
  }

  /// Called before each change of a file.
  private func maybeCrashInside() {
    guard image == nil, imageError == nil else { return }
    guard Int.random(in: 0..<80, using: &crashRandom) == 0 else { return }
    let crash = Int.random(in: 0..<4, using: &crashRandom) == 0 ? Crash.process : .powerFailure
    do {
      try takeImage(crash)
      counts.count(crash == .process ? .crashesInside : .powerFailuresInside)
    } catch {
      imageError = error
    }
  }

  /// Goes on with what a crash has left, or with a store that has to be opened again.
  func recoverIfNeeded() throws {
    if let imageError { throw imageError }
    if let image {
      try goOn(with: image)
    } else if mustReopen {
      try reopen()
    }
  }

  /// Lets go of the store as the end of the process would.
  func crashProcess() throws {
    counts.count(.processCrashes)
    try reopen()
  }

  func close() throws {
    counts.count(.closings)
    do throws(EngineError) {
      try engine?.close()
      // Beside another process nothing has to be done by one that hasn't written.
      if !options.allowsOtherProcesses { model.settle(throughSequence: .max) }
    } catch {
      try checkIsExpected(error)
      // Which of the two it was is no longer told.
      mustReopen = true
    }
    guard image == nil else { return }
    try reopen()
  }

  private func goOn(with image: Image) throws {
    self.image = nil
    disk.beforeChange = nil
    try? engine?.abandon()
    engine = nil
    try endNeighbour()
    try FileManager.default.removeItem(at: folder)
    folder = image.folder
    model = image.model
    disk = try PowerLossFileSystem(folder: folder.path, flaw: flaw)
    faults = FaultyFileSystem(over: disk)
    try open()
  }

  private func reopen() throws {
    disk.beforeChange = nil
    try? engine?.abandon()
    engine = nil
    // A store whose sync failed must be closed by everybody.
    if mustReopen || Bool.random(using: &random) { try endNeighbour() }
    try open()
  }

  private func endNeighbour() throws {
    try neighbour?.finish()
    neighbour = nil
  }
}

// MARK: Opening

extension SimulationProgram {
  /// Opens the store, at the second try if a fault prevents the first, and sees that it is what it must be.
  func open() throws {
    note(neighbour == nil ? "open" : "open beside another process")
    mustReopen = false
    disk.beforeChange = { [unowned self] in maybeCrashInside() }
    try openEngine()
    if let imageError { throw imageError }
    if let image { return try goOn(with: image) }
    guard let engine else { return }
    if let wrong = model.open(atNumber: try engine.read { try $0.lastSaveNumber() }) {
      throw Finding(description: wrong)
    }
    try compare()
    try settleOpened()
  }

  /// The second try is made without anybody else, as a failed recovery may ask for that.
  private func openEngine() throws {
    do throws(EngineError) {
      return engine = try LMDBEngine(open: folder.path, options: options, fileSystem: faults)
    } catch {
      counts.count(.failedOpenings)
      note("opening failed: \(error)")
      try checkIsExpected(error)
    }
    try endNeighbour()
    faults.arm(nil)
    engine = try LMDBEngine(open: folder.path, options: options, fileSystem: faults)
  }

  /// A recovery has made what it found durable; beside another process there was none.
  private func settleOpened() throws {
    guard neighbour == nil else { return counts.count(.attachings) }
    model.settle(throughSequence: .max)
    guard options.allowsOtherProcesses else { return }
    let probe = try Probe("hold", folder.path)
    probe.waitForLines(1)
    neighbour = probe
  }
}

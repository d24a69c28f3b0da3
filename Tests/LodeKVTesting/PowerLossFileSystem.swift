// A disk that remembers what was synced, so that it can show what a power failure might leave:
// of everything written since, any 512-byte sector may be old, new or garbage; of the names made,
// changed and removed since the folder was synced, the first few count.

package import LodeRandom
import Foundation
package import LodeKV
import Synchronization

/// Real files in a folder, with their durable state on the side.
///
/// Unchecked because tests use it from one thread at a time.
package final class PowerLossFileSystem: FileSystem, @unchecked Sendable {
  /// An operation that a negative control leaves out, though it says it was done.
  package enum Flaw: Sendable {
    case journalSync
    case dataSync
    case metaRestoration
    case folderSync
    case seal
    /// Checksums are made to hold whenever a journal is read.
    case checksum
    /// Not of files: the run takes the pin out of LMDB's table of readers.
    case pin
  }

  private enum NameChange {
    case link(String, DiskFile)
    case rename(String, String)
    case remove(String)
  }

  private let base = POSIXFileSystem()
  private let folder: String
  package let flaw: Flaw?
  /// The next renaming fails.
  package var failsRename = false
  private var names: [String: DiskFile] = [:]
  private var durableNames: [String: DiskFile] = [:]
  private var pendingChanges: [NameChange] = []
  /// Called before each operation that changes something.
  package var beforeChange: (() throws -> Void)?

  /// Takes a folder, with all that is in it, as durable.
  package init(folder: String, flaw: Flaw? = nil) throws {
    self.folder = folder
    self.flaw = flaw
    for name in try base.list(folder) where !name.hasSuffix("-lock") {
      let path = folder + "/" + name
      let file = DiskFile(try base.open(path, .update))
      file.durable = try file.content()
      names[path] = file
    }
    durableNames = names
  }

  package func open(_ path: String, _ mode: FileMode) throws(FileError) -> any File {
    if names[path] == nil {
      guard mode == .create else {
        throw FileError(path: path, operation: "open", errno: ENOENT)
      }
      probe()
      let file = DiskFile(try base.open(path, .create))
      names[path] = file
      pendingChanges.append(.link(path, file))
    }
    guard let file = names[path] else {
      throw FileError(path: path, operation: "open", errno: ENOENT)
    }
    // A descriptor of its own, since locks belong to descriptors.
    return PowerLossFile(try base.open(path, mode), file, self)
  }

  package func rename(_ path: String, to newPath: String) throws(FileError) {
    probe()
    guard !failsRename else {
      failsRename = false
      throw FileError(path: path, operation: "rename", errno: EIO)
    }
    try base.rename(path, to: newPath)
    names[newPath] = names.removeValue(forKey: path)
    pendingChanges.append(.rename(path, newPath))
  }

  package func remove(_ path: String) throws(FileError) {
    try base.remove(path)
    probe()
    names[path] = nil
    pendingChanges.append(.remove(path))
  }

  package func identity(of path: String) throws(FileError) -> FileIdentity {
    try base.identity(of: path)
  }

  package func makeFolder(_ folder: String) throws(FileError) { try base.makeFolder(folder) }

  package func list(_ folder: String) throws(FileError) -> [String] { try base.list(folder) }

  package func syncFolder(_ folder: String) throws(FileError) {
    probe()
    guard flaw != .folderSync else { return }
    durableNames = names
    pendingChanges = []
  }

  fileprivate func probe() { try? beforeChange?() }

  fileprivate func losesWrite(to path: String, at position: UInt64) -> Bool {
    switch flaw {
    case .metaRestoration: path.hasSuffix("data.mdb")
    case .seal: path.contains("/j-") && position == 4096
    default: false
    }
  }

  fileprivate func losesSync(of path: String) -> Bool {
    switch flaw {
    case .dataSync: path.hasSuffix("data.mdb")
    case .journalSync: path.contains("/j-")
    default: false
    }
  }

  /// Writes what the end of the process would leave into another, empty folder.
  package func copy(to target: String) throws {
    for (path, file) in names {
      let name = URL(fileURLWithPath: path).lastPathComponent
      let bytes = Data(try file.content())
      try bytes.write(to: URL(fileURLWithPath: target).appendingPathComponent(name))
    }
  }

  /// Writes what a power failure now might leave into another, empty folder.
  package func leave(in target: String, _ random: inout SeededGenerator) throws {
    var left = durableNames
    for change in pendingChanges.prefix(Int.random(in: 0...pendingChanges.count, using: &random)) {
      switch change {
      case .link(let name, let file): left[name] = file
      case .rename(let old, let new): left[new] = left.removeValue(forKey: old)
      case .remove(let name): left[name] = nil
      }
    }
    for (path, file) in left.sorted(by: { $0.key < $1.key }) {
      let name = URL(fileURLWithPath: path).lastPathComponent
      let bytes = file.durable.torn(with: try file.content(), &random)
      try Data(bytes).write(to: URL(fileURLWithPath: target).appendingPathComponent(name))
    }
  }
}

/// A file whatever its name.
private final class DiskFile: @unchecked Sendable {
  /// Unchecked for the same reason as its disk.
  var durable: [UInt8] = []
  private let file: any File

  init(_ file: any File) { self.file = file }

  func content() throws(FileError) -> [UInt8] {
    let count = Int(try file.byteCount())
    var bytes = [UInt8](repeating: 0, count: count)
    var failure: FileError?
    bytes.withUnsafeMutableBytes { buffer in
      do throws(FileError) { _ = try file.read(at: 0, into: buffer) } catch { failure = error }
    }
    if let failure { throw failure }
    return bytes
  }
}

private final class PowerLossFile: File {
  private let base: any File
  private let disk: DiskFile
  private let fileSystem: PowerLossFileSystem

  init(_ base: any File, _ disk: DiskFile, _ fileSystem: PowerLossFileSystem) {
    self.base = base
    self.disk = disk
    self.fileSystem = fileSystem
  }

  var path: String { base.path }
  var identity: FileIdentity { base.identity }

  func byteCount() throws(FileError) -> UInt64 { try base.byteCount() }

  func read(
    at position: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    let count = try base.read(at: position, into: buffer)
    guard fileSystem.flaw == .checksum, path.contains("/j-") else { return count }
    let content = withMatchingChecksums(try disk.content()).dropFirst(Int(position))
    buffer.copyBytes(from: content.prefix(count))
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws(FileError) {
    fileSystem.probe()
    guard !fileSystem.losesWrite(to: path, at: position) else { return }
    try base.write(bytes, at: position)
  }

  func sync() throws(FileError) {
    fileSystem.probe()
    guard !fileSystem.losesSync(of: path) else { return }
    disk.durable = try disk.content()
  }

  func lock(byte position: UInt64, _ kind: FileLock) throws(FileError) -> Bool {
    try base.lock(byte: position, kind)
  }

  func isLockedByOthers(byte position: UInt64) throws(FileError) -> Bool {
    try base.isLockedByOthers(byte: position)
  }

  func touch() throws(FileError) { try base.touch() }
}

/// Makes the checksum of everything that looks like a frame the right one.
private func withMatchingChecksums(_ journal: [UInt8]) -> [UInt8] {
  var bytes = journal
  var position = 8192
  while position + 56 <= bytes.count {
    let checksum = bytes.withUnsafeBytes { raw -> UInt32? in
      let byteCount = raw.loadUnaligned(fromByteOffset: position + 8, as: UInt64.self)
      guard raw[position..<position + 4].elementsEqual("LFRM".utf8),
        byteCount <= UInt64(bytes.count - position - 56)
      else { return nil }
      let salt = raw.loadUnaligned(fromByteOffset: position + 32, as: UInt64.self)
      var crc = CRC32C(seed: UInt32(truncatingIfNeeded: salt ^ (salt >> 32)))
      crc.update(UnsafeRawBufferPointer(rebasing: raw[position..<position + 52]))
      crc.update(UnsafeRawBufferPointer(rebasing: raw[(position + 56)...].prefix(Int(byteCount))))
      return crc.value
    }
    if let checksum {
      withUnsafeBytes(of: checksum.littleEndian) {
        bytes.replaceSubrange(position + 52..<position + 56, with: $0)
      }
    }
    position += 8
  }
  return bytes
}

private func areEqual(_ left: [UInt8], _ right: [UInt8], in range: Range<Int>) -> Bool {
  left.withUnsafeBytes { left in
    right.withUnsafeBytes { right in
      guard let left = left.baseAddress, let right = right.baseAddress else { return true }
      return memcmp(left + range.lowerBound, right + range.lowerBound, range.count) == 0
    }
  }
}

extension [UInt8] {
  /// Mixes synced bytes with later ones as a power failure may.
  fileprivate func torn(with new: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: return self
    case 1: return new
    default: break
    }
    let lengths = Swift.min(count, new.count)...Swift.max(count, new.count)
    let length = Int.random(in: lengths, using: &random)
    var mixed = self + [UInt8](repeating: 0, count: Swift.max(0, length - count))
    mixed.removeSubrange(length...)
    for start in stride(from: 0, to: Swift.min(length, new.count), by: 512) {
      let range = start..<Swift.min(start + 512, length, new.count)
      guard !areEqual(mixed, new, in: range) else { continue }
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<9: mixed.replaceSubrange(range, with: new[range])
      case 9: mixed.replaceSubrange(range, with: random.bytes(range.count...range.count))
      default: break
      }
    }
    return mixed
  }
}

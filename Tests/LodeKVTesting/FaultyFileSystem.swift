// The file seam with one operation that fails.

import Foundation
package import LodeKV
import Synchronization

/// Real files, of which the n-th operation fails.
package final class FaultyFileSystem: FileSystem {
  /// What goes wrong.
  package struct Fault: Sendable {
    /// Number of the operation, from 0.
    package var index: Int
    package var errno: Int32 = EIO
    /// Whether all later operations fail too.
    package var isLasting = false
    /// Whether a write that fails has written its first half.
    package var tearsWrites = false
    /// The kind of operation that counts; nil counts all.
    package var operation: String?

    package init(
      index: Int, errno: Int32 = EIO, isLasting: Bool = false, tearsWrites: Bool = false,
      operation: String? = nil
    ) {
      self.index = index
      self.errno = errno
      self.isLasting = isLasting
      self.tearsWrites = tearsWrites
      self.operation = operation
    }
  }

  private struct State {
    var fault: Fault?
    var count = 0
    var failures: [String] = []
    var isPaused = false
  }

  private let base: any FileSystem
  private let state: Mutex<State>

  package init(_ fault: Fault? = nil, over base: any FileSystem = POSIXFileSystem()) {
    self.base = base
    state = Mutex(State(fault: fault))
  }

  /// Arms another fault, which counts from now.
  package func arm(_ fault: Fault?) { state.withLock { $0 = State(fault: fault) } }

  /// Runs something during which nothing fails or counts.
  package func pausing<Result>(_ body: () throws -> Result) rethrows -> Result {
    state.withLock { $0.isPaused = true }
    defer { state.withLock { $0.isPaused = false } }
    return try body()
  }

  /// The operations that failed.
  package var failures: [String] { state.withLock { $0.failures } }

  package func open(_ path: String, _ mode: FileMode) throws(FileError) -> any File {
    try check("open", path)
    return FaultyFile(try base.open(path, mode), self)
  }

  package func rename(_ path: String, to newPath: String) throws(FileError) {
    try check("rename", path)
    try base.rename(path, to: newPath)
  }

  package func remove(_ path: String) throws(FileError) {
    try check("remove", path)
    try base.remove(path)
  }

  package func identity(of path: String) throws(FileError) -> FileIdentity {
    try check("stat", path)
    return try base.identity(of: path)
  }

  package func makeFolder(_ folder: String) throws(FileError) {
    try check("make folder", folder)
    try base.makeFolder(folder)
  }

  package func list(_ folder: String) throws(FileError) -> [String] {
    try check("list", folder)
    return try base.list(folder)
  }

  package func syncFolder(_ folder: String) throws(FileError) {
    try check("sync", folder)
    try base.syncFolder(folder)
  }

  fileprivate var tearsWrites: Bool { state.withLock { $0.fault?.tearsWrites ?? false } }

  fileprivate func check(_ operation: String, _ path: String) throws(FileError) {
    let errno = state.withLock { state -> Int32? in
      guard !state.isPaused, let fault = state.fault, fault.operation ?? operation == operation
      else { return nil }
      defer { state.count += 1 }
      let fails = fault.isLasting ? state.count >= fault.index : state.count == fault.index
      guard fails else { return nil }
      state.failures.append("\(operation) \(URL(fileURLWithPath: path).lastPathComponent)")
      return fault.errno
    }
    if let errno { throw FileError(path: path, operation: operation, errno: errno) }
  }
}

/// A real file whose operations may fail.
private final class FaultyFile: File {
  private let base: any File
  private let fileSystem: FaultyFileSystem

  init(_ base: any File, _ fileSystem: FaultyFileSystem) {
    self.base = base
    self.fileSystem = fileSystem
  }

  var path: String { base.path }
  var identity: FileIdentity { base.identity }

  func byteCount() throws(FileError) -> UInt64 {
    try fileSystem.check("stat", path)
    return try base.byteCount()
  }

  func read(
    at position: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    try fileSystem.check("read", path)
    return try base.read(at: position, into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws(FileError) {
    do throws(FileError) {
      try fileSystem.check("write", path)
    } catch {
      if fileSystem.tearsWrites {
        let half = UnsafeRawBufferPointer(rebasing: bytes.prefix(bytes.count / 2))
        try base.write(half, at: position)
      }
      throw error
    }
    try base.write(bytes, at: position)
  }

  func sync() throws(FileError) {
    try fileSystem.check("sync", path)
    try base.sync()
  }

  func lock(byte position: UInt64, _ kind: FileLock) throws(FileError) -> Bool {
    // A release goes through: else the lock would last as long as any process that a test running
    // at the same time is just starting, and that has inherited the file for a moment.
    if kind != .released { try fileSystem.check("lock", path) }
    return try base.lock(byte: position, kind)
  }

  func isLockedByOthers(byte position: UInt64) throws(FileError) -> Bool {
    try fileSystem.check("lock", path)
    return try base.isLockedByOthers(byte: position)
  }

  func touch() throws(FileError) {
    try fileSystem.check("touch", path)
    try base.touch()
  }
}

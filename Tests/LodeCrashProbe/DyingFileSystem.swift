// The file seam of a process that is killed at a given moment.

import Foundation
import LodeKV
import Synchronization

/// Real files; the process kills itself before the n-th operation that changes something.
final class DyingFileSystem: FileSystem {
  private let base = POSIXFileSystem()
  private let operationsLeft: Atomic<Int>

  init(_ operation: Int) { operationsLeft = Atomic(operation) }

  fileprivate func count() {
    if operationsLeft.subtract(1, ordering: .relaxed).newValue == 0 { kill(getpid(), SIGKILL) }
  }

  func open(_ path: String, _ mode: FileMode) throws(FileError) -> any File {
    if mode == .create { count() }
    return DyingFile(try base.open(path, mode), self)
  }

  func rename(_ path: String, to newPath: String) throws(FileError) {
    count()
    try base.rename(path, to: newPath)
  }

  func remove(_ path: String) throws(FileError) {
    count()
    try base.remove(path)
  }

  func identity(of path: String) throws(FileError) -> FileIdentity {
    try base.identity(of: path)
  }

  func makeFolder(_ folder: String) throws(FileError) { try base.makeFolder(folder) }

  func list(_ folder: String) throws(FileError) -> [String] { try base.list(folder) }

  func syncFolder(_ folder: String) throws(FileError) {
    count()
    try base.syncFolder(folder)
  }
}

private final class DyingFile: File {
  private let base: any File
  private let fileSystem: DyingFileSystem

  init(_ base: any File, _ fileSystem: DyingFileSystem) {
    self.base = base
    self.fileSystem = fileSystem
  }

  var path: String { base.path }
  var identity: FileIdentity { base.identity }

  func byteCount() throws(FileError) -> UInt64 { try base.byteCount() }

  func read(
    at position: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    try base.read(at: position, into: buffer)
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws(FileError) {
    fileSystem.count()
    try base.write(bytes, at: position)
  }

  /// Counts before and after, so that a process also dies between a sync and what follows.
  func sync() throws(FileError) {
    fileSystem.count()
    try base.sync()
    fileSystem.count()
  }

  func lock(byte position: UInt64, _ kind: FileLock) throws(FileError) -> Bool {
    if kind == .released { fileSystem.count() }
    return try base.lock(byte: position, kind)
  }

  func isLockedByOthers(byte position: UInt64) throws(FileError) -> Bool {
    try base.isLockedByOthers(byte: position)
  }

  func touch() throws(FileError) { try base.touch() }
}

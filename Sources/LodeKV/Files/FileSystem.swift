// The seam between the journal and the operating system. Everything that the journal does to files
// goes through these few operations, so that tests can make any one of them fail, tear a write, or
// lose what was not synced. (LMDB writes its own file by itself.)

internal import Glibc

/// An operation that the operating system refused.
package struct FileError: Error, Sendable, Hashable {
  /// The file or folder.
  package let path: String
  /// What was tried, as the operating system calls it.
  package let operation: String
  /// The operating system's error number.
  package let errno: Int32

  /// Makes an error.
  package init(path: String, operation: String, errno: Int32) {
    self.path = path
    self.operation = operation
    self.errno = errno
  }

  /// Whether the disk or a quota is full, after which things may get better.
  var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT }

  var isNoSuchFile: Bool { errno == ENOENT }

  /// Whether a folder was expected and something else is there.
  var isNoFolder: Bool { errno == ENOTDIR }
}

/// What tells a file from every other one of the machine, whatever its name.
package struct FileIdentity: Sendable, Hashable {
  /// The file system's number.
  package let device: UInt64
  /// The file's number there.
  package let number: UInt64

  /// Makes an identity out of what the operating system says.
  package init(device: UInt64, number: UInt64) {
    self.device = device
    self.number = number
  }
}

/// How a file is opened.
package enum FileMode: Sendable {
  /// For reading; the file must exist.
  case read
  /// For reading and writing; the file must exist.
  case update
  /// For reading and writing; the file is made when it doesn't exist.
  case create
}

/// Names in a folder.
package protocol FileSystem: Sendable {
  func open(_ path: String, _ mode: FileMode) throws(FileError) -> any File

  /// Gives a file another name in the same folder, replacing what has that name.
  func rename(_ path: String, to newPath: String) throws(FileError)

  func remove(_ path: String) throws(FileError)

  /// Returns which file has a name now.
  func identity(of path: String) throws(FileError) -> FileIdentity

  /// Makes a folder, durably; one that exists is left alone.
  func makeFolder(_ folder: String) throws(FileError)

  /// Returns the names of the entries of a folder.
  func list(_ folder: String) throws(FileError) -> [String]

  /// Makes the names in a folder durable.
  func syncFolder(_ folder: String) throws(FileError)
}

/// An open file, which is closed when the last reference goes away.
package protocol File: AnyObject, Sendable {
  /// The path that the file was opened with.
  var path: String { get }
  var identity: FileIdentity { get }

  func byteCount() throws(FileError) -> UInt64

  /// Fills a buffer from a position and returns how many bytes there were before the end.
  func read(at position: UInt64, into buffer: UnsafeMutableRawBufferPointer) throws(FileError)
    -> Int

  /// Writes all bytes at a position; the file grows when needed.
  func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws(FileError)

  /// Makes everything written so far durable, together with the length.
  ///
  /// After a failure the written pages are in doubt for good: a second try may succeed without
  /// having written anything.
  func sync() throws(FileError)

  /// Takes, changes or releases a lock on a byte, without waiting.
  ///
  /// Locks belong to the open file: they exclude other openers of the same process too, and end
  /// when the file is closed.
  ///
  /// - Returns: false when somebody else's lock is in the way.
  func lock(byte position: UInt64, _ kind: FileLock) throws(FileError) -> Bool

  /// Whether another opener holds a lock on a byte, of whatever kind.
  func isLockedByOthers(byte position: UInt64) throws(FileError) -> Bool

  /// Sets the file's times to now, which watchers of its attributes hear.
  func touch() throws(FileError)
}

/// What a lock on a byte of a file excludes.
package enum FileLock: Sendable {
  case shared
  case exclusive
  case released
}

extension File {
  /// Reads a part of the file into an array, shorter when the file ends before.
  func read(at position: UInt64, byteCount: Int) throws(FileError) -> [UInt8] {
    var result: Result<Int, FileError> = .success(0)
    let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initializedCount in
      result = readResult(at: position, into: UnsafeMutableRawBufferPointer(buffer))
      initializedCount = (try? result.get()) ?? 0
    }
    _ = try result.get()
    return bytes
  }

  /// Writes an array at a position.
  func write(_ bytes: [UInt8], at position: UInt64) throws(FileError) {
    let result = bytes.withUnsafeBytes { raw -> Result<Void, FileError> in
      do throws(FileError) {
        return .success(try write(raw, at: position))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Writes zeros from a position up to another, so that later writes there change no metadata.
  func fillWithZeros(from start: UInt64, to end: UInt64) throws(FileError) {
    let zeros = [UInt8](repeating: 0, count: Int(min(1 << 20, end > start ? end - start : 0)))
    var position = start
    while position < end {
      let count = Int(min(UInt64(zeros.count), end - position))
      try write(count == zeros.count ? zeros : [UInt8](zeros[..<count]), at: position)
      position += UInt64(count)
    }
  }

  private func readResult(
    at position: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) -> Result<Int, FileError> {
    do throws(FileError) {
      return .success(try read(at: position, into: buffer))
    } catch {
      return .failure(error)
    }
  }
}

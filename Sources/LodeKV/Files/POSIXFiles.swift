// The file seam on POSIX calls of Linux.

internal import Glibc

/// The operating system's files.
package struct POSIXFileSystem: FileSystem {
  /// Makes the file system of the machine.
  package init() {}

  /// Opens a file.
  package func open(_ path: String, _ mode: FileMode) throws(FileError) -> any File {
    let flags =
      switch mode {
      case .read: O_RDONLY
      case .update: O_RDWR
      case .create: O_RDWR | O_CREAT
      }
    let descriptor = try check(path, "open") { Glibc.open(path, flags | O_CLOEXEC, 0o644) }
    var status = stat()
    do throws(FileError) {
      try check(path, "stat") { fstat(Int32(descriptor), &status) }
    } catch {
      close(Int32(descriptor))
      throw error
    }
    return POSIXFile(
      descriptor: Int32(descriptor), path: path, identity: FileIdentity(status))
  }

  /// Returns which file has a name now; one system call.
  package func identity(of path: String) throws(FileError) -> FileIdentity {
    var status = stat()
    try check(path, "stat") { stat(path, &status) }
    return FileIdentity(status)
  }

  /// Gives a file another name, replacing what has it.
  package func rename(_ path: String, to newPath: String) throws(FileError) {
    try check(path, "rename") { Glibc.rename(path, newPath) }
  }

  /// Removes a file.
  package func remove(_ path: String) throws(FileError) {
    try check(path, "remove") { unlink(path) }
  }

  /// Makes a folder and its name durable, the latter where the folder above may be opened.
  package func makeFolder(_ folder: String) throws(FileError) {
    guard mkdir(folder, 0o755) == 0 else {
      if errno == EEXIST { return }
      throw FileError(path: folder, operation: "make folder", errno: errno)
    }
    do throws(FileError) {
      try syncFolder(folder + "/..")
    } catch {
      guard error.errno == EACCES else { throw error }
    }
  }

  /// Removes an empty folder.
  package func removeFolder(_ folder: String) throws(FileError) {
    try check(folder, "remove folder") { rmdir(folder) }
  }

  /// Returns the names in a folder.
  package func list(_ folder: String) throws(FileError) -> [String] {
    guard let stream = opendir(folder) else {
      throw FileError(path: folder, operation: "list", errno: errno)
    }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    if errno != 0 { throw FileError(path: folder, operation: "list", errno: errno) }
    return names
  }

  /// Makes a folder's names durable.
  package func syncFolder(_ folder: String) throws(FileError) {
    let descriptor = try check(folder, "open") {
      Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    defer { close(Int32(descriptor)) }
    try check(folder, "sync") { fsync(Int32(descriptor)) }
  }
}

/// Repeats a call that a signal interrupted, and throws what else went wrong.
@discardableResult
private func check<Count: FixedWidthInteger>(
  _ path: String, _ operation: String, _ call: () -> Count
) throws(FileError) -> Int {
  while true {
    let result = call()
    if result >= 0 { return Int(result) }
    if errno != EINTR { throw FileError(path: path, operation: operation, errno: errno) }
  }
}

/// A file behind a descriptor.
private final class POSIXFile: File {
  let path: String
  let identity: FileIdentity
  private let descriptor: Int32

  init(descriptor: Int32, path: String, identity: FileIdentity) {
    self.descriptor = descriptor
    self.path = path
    self.identity = identity
  }

  deinit { close(descriptor) }

  func byteCount() throws(FileError) -> UInt64 {
    var status = stat()
    try check(path, "stat") { fstat(descriptor, &status) }
    return UInt64(status.st_size)
  }

  func read(
    at position: UInt64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    var count = 0
    while count < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
      let step = try check(path, "read") {
        pread(descriptor, rest.baseAddress, rest.count, off_t(position) + count)
      }
      if step == 0 { break }
      count += step
    }
    return count
  }

  func write(_ bytes: UnsafeRawBufferPointer, at position: UInt64) throws(FileError) {
    var count = 0
    while count < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
      count += try check(path, "write") {
        pwrite(descriptor, rest.baseAddress, rest.count, off_t(position) + count)
      }
    }
  }

  func sync() throws(FileError) {
    try check(path, "sync") { fdatasync(descriptor) }
  }

  func lock(byte position: UInt64, _ kind: FileLock) throws(FileError) -> Bool {
    // F_OFD_SETLK of Linux, which the Glibc module doesn't show.
    let setOpenFileLock: Int32 = 37
    var request = flock(byte: position, kind)
    do throws(FileError) {
      try check(path, "lock") { fcntl(descriptor, setOpenFileLock, &request) }
      return true
    } catch {
      if error.errno == EAGAIN || error.errno == EACCES { return false }
      throw error
    }
  }

  func isLockedByOthers(byte position: UInt64) throws(FileError) -> Bool {
    // F_OFD_GETLK: what would be in the way of an exclusive lock.
    let getOpenFileLock: Int32 = 36
    var request = flock(byte: position, .exclusive)
    try check(path, "lock") { fcntl(descriptor, getOpenFileLock, &request) }
    return request.l_type != Int16(F_UNLCK)
  }

  func touch() throws(FileError) {
    try check(path, "touch") { futimens(descriptor, nil) }
  }
}

extension flock {
  fileprivate init(byte position: UInt64, _ kind: FileLock) {
    self.init()
    l_type =
      switch kind {
      case .shared: Int16(F_RDLCK)
      case .exclusive: Int16(F_WRLCK)
      case .released: Int16(F_UNLCK)
      }
    l_whence = Int16(SEEK_SET)
    l_start = off_t(position)
    l_len = 1
  }
}

extension FileIdentity {
  fileprivate init(_ status: stat) {
    self.init(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
  }
}

/// The operating system's own words for an error number, such as “No space left on device”.
package func systemWords(for errno: Int32) -> String {
  var words = [CChar](repeating: 0, count: 256)
  guard strerror_r(errno, &words, words.count) == 0 else { return "error \(errno)" }
  return String(decoding: words.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

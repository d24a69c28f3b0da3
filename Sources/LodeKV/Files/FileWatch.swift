// Being told that a file has changed, by whatever process: inotify of Linux.

internal import Dispatch
internal import Glibc

/// A watch on one file, which ends with its last reference.
///
/// Unchecked because the source is set up before it is shared and only cancelled afterwards, which any
/// thread may do.
final class FileWatch: @unchecked Sendable {
  /// What a watch reports.
  enum Change {
    /// The file was written.
    case content
    /// Times or rights have changed other than by writing.
    case attributes
  }

  private let source: any DispatchSourceRead

  /// Watches a file; the handler runs on the queue, at least once after the last change.
  init(
    _ path: String, _ change: Change, _ queue: DispatchQueue,
    _ handler: @escaping @Sendable () -> Void
  ) throws(FileError) {
    let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
    guard descriptor >= 0 else {
      throw FileError(path: path, operation: "watch", errno: errno)
    }
    let mask = change == .content ? IN_MODIFY : IN_ATTRIB
    guard inotify_add_watch(descriptor, path, UInt32(mask)) >= 0 else {
      let code = errno
      close(descriptor)
      throw FileError(path: path, operation: "watch", errno: code)
    }
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler {
      drain(descriptor)
      handler()
    }
    source.setCancelHandler { close(descriptor) }
    source.resume()
  }

  deinit { source.cancel() }
}

/// Takes all events out of a queue of the system's; what they are doesn't matter.
private func drain(_ descriptor: Int32) {
  var buffer = [UInt8](repeating: 0, count: 4096)
  while read(descriptor, &buffer, buffer.count) > 0 {}
}

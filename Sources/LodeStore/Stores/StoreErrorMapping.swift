internal import Foundation
internal import LodeKV
internal import LodeModel

// The one place where errors of engines become errors of stores.

extension StoreError {
  /// Makes a store's error of whatever was thrown below it.
  init(wrapping error: any Error, path: String?) {
    switch error {
    case let error as StoreError:
      self = error
      if self.path == nil { self.path = path }
    case let error as RecordError: self.init(error, path: path)
    case let error as EngineError: self.init(error)
    case let error as ObjectPredicateError:
      self.init(.predicate, error.message, path: path, underlying: error)
    default:
      self.init(.corrupt, "the store can't be read: \(error)", path: path, underlying: error)
    }
  }

  private init(_ error: EngineError) {
    let (code, message, path): (Code, String, String?) =
      switch error {
      case .file(let path, "make folder", POSIXErrorCode.ENOENT.rawValue):
        (.file, "the folder that this one is to be made in isn't there; make it first", path)
      case .file(let path, let operation, let number):
        (.file, "“\(operation)” failed: \(systemWords(for: number))", path)
      case .diskFull(let path):
        (.full, "no space is left on the disk; nothing was written: free some and save again", path)
      case .mapFull(let path, let byteCountMax):
        (
          .full,
          "the data file has reached \(byteCountMax) bytes, the most that the options allow; open "
            + "it with a larger limit", path
        )
      case .addressSpace(let path, let byteCount):
        (
          .addressSpace,
          "the system has no address space of \(byteCount) bytes for the data file: set a smaller "
            + "`mapByteCount` in the options, or raise the limit (`ulimit -v`)", path
        )
      case .readOnly(let path):
        (.readOnly, "the store was opened for reading only; open it for writing to save", path)
      case .notAStore(let path, let reason): (.notAStore, reason, path)
      case .displaced(let path):
        (
          .file,
          "the file was moved, removed or replaced while the store was open; nothing was written: "
            + "put it back, or close the store", path
        )
      case .corrupt(let path, let position, let reason):
        (.corrupt, reason + (position.map { ", at byte \($0)" } ?? ""), path)
      case .newerFormat(let path, let found, let supported):
        (
          .newerFormat,
          "the file has format \(found), this version of Lode reads up to \(supported); open it "
            + "with a newer version", path
        )
      case .locked(let path, .anotherProcess):
        (.locked, "another process has the store; close it there first", path)
      case .locked(let path, .thisProcess):
        (
          .locked,
          "this process has the store open already; use that one, or close it first", path
        )
      case .busy(let path):
        (.busy, "another process is writing to the store; save again", path)
      case .poisoned(let path, let reason):
        (.poisoned, "\(reason); close the store and open it again", path)
      case .closed(let path): (.closed, "the store has been closed", path)
      case .lmdb(let code, let message, let path): (.file, "LMDB: \(message) (\(code))", path)
      }
    self.init(code, message, path: path, underlying: error)
  }
}

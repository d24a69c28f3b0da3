// The names of the files of a store's folder.

internal import Foundation

/// The folder of a store and the seam through which its files are reached.
struct StoreFiles: Sendable {
  let folder: String
  let fileSystem: any FileSystem

  var data: String { path(Self.dataName) }
  var newData: String { path(Self.newDataName) }
  var lock: String { path(Self.lockName) }

  static let lockName = "store.lock"
  static let dataName = "data.mdb"
  static let newDataName = "new.mdb"

  func segment(_ number: UInt32) -> String {
    let digits = String(number)
    return path("j-" + String(repeating: "0", count: max(0, 8 - digits.count)) + digits)
  }

  /// Throws when the name of an open file has come to lead nowhere or elsewhere.
  ///
  /// One system call; what happens right after it goes unnoticed until the next one.
  func checkInPlace(_ file: any File) throws(EngineError) {
    var found: FileIdentity?
    do throws(FileError) {
      found = try fileSystem.identity(of: file.path)
    } catch {
      guard error.isNoSuchFile || error.isNoFolder else { throw EngineError(error) }
    }
    if found != file.identity { throw .displaced(path: file.path) }
  }

  /// Returns the numbers of the segments among file names, newest first.
  static func segmentNumbers(in names: [String]) -> [UInt32] {
    names.compactMap { name in
      guard name.hasPrefix("j-"), name.utf8.count >= 10 else { return nil }
      return UInt32(name.dropFirst(2))
    }.sorted(by: >)
  }

  /// Adds up the lengths of the segments, of which a checkpoint may be renaming one.
  func journalByteCount() throws(FileError) -> UInt64 {
    var sum: UInt64 = 0
    for number in Self.segmentNumbers(in: try fileSystem.list(folder)) {
      do throws(FileError) {
        sum += try fileSystem.open(segment(number), .read).byteCount()
      } catch {
        guard error.isNoSuchFile else { throw error }
      }
    }
    return sum
  }

  /// Removes files that may or may not be there.
  func removeIfPresent(_ paths: [String]) throws(FileError) {
    for path in paths {
      do throws(FileError) {
        try fileSystem.remove(path)
      } catch {
        guard error.isNoSuchFile else { throw error }
      }
    }
  }

  private func path(_ name: String) -> String { folder + "/" + name }
}

// Where the pages of a data file are and who keeps old ones: what people are shown.

internal import CLMDB
internal import Glibc

/// Pages of a data file and the readers that keep old ones.
package struct DataFileFigures: Sendable, Hashable {
  /// One tree.
  package struct Tree: Sendable, Hashable {
    /// The tree's number; 0 for the engine's own.
    package var number: UInt32
    /// Pairs in the tree.
    package var pairCount: Int
    /// Pages on the way from the root to a pair.
    package var depth: Int
    /// Pages of the tree, those of long values included.
    package var pageCount: Int
  }

  /// A place in the table of readers that is in use.
  package struct Reader: Sendable, Hashable {
    /// The process that reads.
    package var processID: Int32
    /// How many commits have been made since the one that is read.
    package var commitsBehind: UInt64
  }

  /// Bytes of a page.
  package var pageByteCount = 0
  /// Pages up to the last one in use; the file may be longer.
  package var pageCount = 0
  /// Pages that hold nothing and will be used again, some of them only when readers have gone.
  package var freePageCount = 0
  /// Pages of the list of free pages itself, and the two meta pages.
  package var overheadPageCount = 0
  /// The trees that have pairs, by number.
  package var trees: [Tree] = []
  /// Readers of all processes but the one that took the figures; the checkpoint's pin is one of them.
  package var readers: [Reader] = []

  /// Makes figures of nothing.
  package init() {}

  /// Pages of all trees.
  package var livePageCount: Int { trees.reduce(0) { $0 + $1.pageCount } }
}

extension LMDBEnvironment {
  /// LMDB's tree of free pages: lists of page numbers, each a word with its length before it.
  private static let freeTree: MDB_dbi = 0

  /// Takes the figures of the last commit.
  ///
  /// - Complexity: the trees and the list of free pages; no other page is read.
  func figures(treesOf handles: [UInt32: MDB_dbi]) throws -> DataFileFigures {
    try read { snapshot in
      var figures = DataFileFigures()
      let transaction = snapshot.transaction
      let free = try stat(transaction, Self.freeTree)
      figures.pageByteCount = Int(free.ms_psize)
      figures.overheadPageCount = free.pageCount + 2
      figures.freePageCount = try freePageCount(transaction)
      figures.pageCount = Int(try lastPage()) + 1
      for (number, tree) in handles.sorted(by: { $0.key < $1.key }) {
        let stat = try stat(transaction, tree)
        figures.trees.append(
          DataFileFigures.Tree(
            number: number, pairCount: stat.ms_entries, depth: Int(stat.ms_depth),
            pageCount: stat.pageCount))
      }
      figures.readers = readers(lastTransaction: UInt64(mdb_txn_id(transaction)))
      return figures
    }
  }

  private func stat(
    _ transaction: OpaquePointer, _ tree: MDB_dbi
  ) throws(EngineError) -> MDB_stat {
    var figures = MDB_stat()
    try check(mdb_stat(transaction, tree, &figures))
    return figures
  }

  private func freePageCount(_ transaction: OpaquePointer) throws(EngineError) -> Int {
    var opened: OpaquePointer?
    try check(mdb_cursor_open(transaction, Self.freeTree, &opened))
    guard let cursor = opened else { return 0 }
    defer { mdb_cursor_close(cursor) }
    var (key, value) = (MDB_val(), MDB_val())
    var count = 0
    while true {
      let code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
      if code == MDB_NOTFOUND { return count }
      try check(code)
      if value.mv_size >= MemoryLayout<Int>.size {
        count += value.bytes.loadUnaligned(as: Int.self)
      }
    }
  }

  /// Reads LMDB's own listing, which has a line for each place: process, thread and transaction, or “-”.
  private func readers(lastTransaction: UInt64) -> [DataFileFigures.Reader] {
    var lines = ""
    withUnsafeMutablePointer(to: &lines) { target in
      let append: @convention(c) (UnsafePointer<CChar>?, UnsafeMutableRawPointer?) -> Int32 = {
        text, target in
        guard let text, let target else { return 0 }
        target.assumingMemoryBound(to: String.self).pointee += String(cString: text)
        return 0
      }
      _ = mdb_reader_list(handle, append, target)
    }
    var readers = lines.split(separator: "\n").compactMap { line -> DataFileFigures.Reader? in
      let fields = line.split(separator: " ")
      guard fields.count == 3, let process = Int32(fields[0]), let transaction = UInt64(fields[2])
      else { return nil }
      return DataFileFigures.Reader(
        processID: process,
        commitsBehind: lastTransaction > transaction ? lastTransaction - transaction : 0)
    }
    let own = DataFileFigures.Reader(processID: getpid(), commitsBehind: 0)
    if let index = readers.firstIndex(of: own) { readers.remove(at: index) }
    return readers
  }
}

extension MDB_stat {
  fileprivate var pageCount: Int { ms_branch_pages + ms_leaf_pages + ms_overflow_pages }
}

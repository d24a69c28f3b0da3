// Looks at the pages of a commit before LMDB does, which trusts what it finds there: a wrong page number, length or
// flag would make it read where nothing is and end the process. LMDBMeta.swift has the layout.
//
// Nodes must fill their page from `upper` to its end without a gap, keys must ascend and stay between those of
// the branches above, each page must be met once and not be free, and each tree must have the pages and pairs
// that its entry counts. What this leaves open is the content of keys and values.

/// Something wrong with a page.
package struct PageFault: Error, Sendable, Hashable {
  /// The tree's number; nil for LMDB's own trees.
  package var tree: UInt32?
  /// Where the page begins in the data file, in bytes.
  package var position: UInt64
  /// What is wrong with it.
  package var reason: String
  /// Keys of the tree that are on this page or below it are at or after this one.
  package var lowerKey: [UInt8] = []
  /// They are before this one; nil when they are the last ones.
  package var upperKey: [UInt8]?
}

/// What a check of pages has found.
package struct PageCheckResult: Sendable {
  /// What is wrong; the pages below a wrong one aren't looked at.
  package var faults: [PageFault] = []
  /// Pages that were looked at.
  package var pageCount = 0
  /// The pairs of the tree that was to be read, as far as its pages are sound.
  package var pairs: [[UInt8]: [UInt8]] = [:]

  /// Makes a result of nothing.
  package init() {}
}

/// The check of one commit's pages in a file that nobody writes.
struct PageTreeCheck {
  /// How much is looked at.
  enum Depth {
    /// All pages.
    case whole
    /// The pages that lead to others: one in a hundred, all that a wrong number can come from.
    case branches
  }

  private let file: any File
  private let meta: LMDBMeta
  private let depth: Depth
  private let faultCountMax: Int
  /// The tree whose pairs are gathered.
  private let wantedTree: UInt32?
  private(set) var result = PageCheckResult()
  private var used: PageSet
  private var free: PageSet

  init(
    _ file: any File, _ meta: LMDBMeta, depth: Depth, faultCountMax: Int = 1,
    gathering wantedTree: UInt32? = nil
  ) {
    self.file = file
    self.meta = meta
    self.depth = depth
    self.faultCountMax = faultCountMax
    self.wantedTree = wantedTree
    used = PageSet(count: meta.lastPage + 1)
    free = PageSet(count: meta.lastPage + 1)
  }

  /// Looks at all trees.
  ///
  /// - Throws: `FileError` when the file can't be read.
  mutating func run() throws(FileError) {
    used.insert(0)
    used.insert(1)
    try walk(Subject(name: .free, entry: meta.freeTree))
    try walk(Subject(name: .main, entry: meta.mainTree))
  }

  // MARK: Trees

  /// One tree while it is walked.
  private final class Subject {
    enum Name: Equatable {
      case free
      case main
      case tree(UInt32)
    }

    let name: Name
    let entry: LMDBTreeEntry
    var counted = LMDBTreeEntry()
    var isWhole = true

    init(name: Name, entry: LMDBTreeEntry) {
      self.name = name
      self.entry = entry
    }

    var number: UInt32? { if case .tree(let number) = name { number } else { nil } }
    var comparesIntegers: Bool { name == .free }
  }

  private mutating func walk(_ tree: Subject) throws(FileError) {
    guard tree.entry.depth > 0 else {
      if tree.entry.pairCount > 0 { note(tree, 0, "it has pairs and no page") }
      return
    }
    guard tree.entry.depth <= 32 else { return note(tree, 0, "it is too deep") }
    try visit(tree.entry.root, 1, Bounds(), tree)
    guard tree.isWhole else { return }
    var counted = tree.counted
    counted.depth = tree.entry.depth
    counted.root = tree.entry.root
    if depth == .branches, tree.number != nil { counted.copyLeafFigures(of: tree.entry) }
    guard counted != tree.entry else { return }
    note(tree, tree.entry.root, "its entry counts other pages or pairs than there are")
  }

  private struct Bounds {
    var lower: [UInt8] = []
    var upper: [UInt8]?
  }

  private mutating func note(
    _ tree: Subject, _ page: UInt64, _ reason: String, _ bounds: Bounds = Bounds()
  ) {
    tree.isWhole = false
    guard result.faults.count < faultCountMax else { return }
    result.faults.append(
      PageFault(
        tree: tree.number, position: page &* UInt64(meta.pageByteCount), reason: reason,
        lowerKey: bounds.lower, upperKey: bounds.upper))
  }

  // MARK: Pages

  private mutating func visit(
    _ number: UInt64, _ level: UInt16, _ bounds: Bounds, _ tree: Subject
  ) throws(FileError) {
    guard result.faults.count < faultCountMax else { return }
    guard claim(number, tree, bounds) else { return }
    let isLeaf = level == tree.entry.depth
    if isLeaf { tree.counted.leafPageCount += 1 } else { tree.counted.branchPageCount += 1 }
    let isNamed = tree.number != nil
    if depth == .branches, isLeaf, isNamed { return }
    let bytes = try file.read(
      at: number * UInt64(meta.pageByteCount), byteCount: Int(meta.pageByteCount))
    result.pageCount += 1
    let page = LMDBPage(bytes)
    if let reason = page.fault(number: number, isLeaf: isLeaf) {
      return note(tree, number, reason, bounds)
    }
    if let reason = orderFault(page, bounds, isLeaf, tree) {
      return note(tree, number, reason, bounds)
    }
    if isLeaf {
      for index in 0..<page.count {
        // Most pairs need no look at their content.
        if isNamed, tree.number != wantedTree, page.isPlain(index) {
          tree.counted.pairCount += 1
        } else {
          try visit(page.node(index), number, bounds, tree)
        }
      }
    } else {
      try visitChildren(page, level, bounds, tree)
    }
  }

  /// Notes a page as one of a tree; false when it can't be one.
  private mutating func claim(_ number: UInt64, _ tree: Subject, _ bounds: Bounds) -> Bool {
    guard number > 1, number <= meta.lastPage else {
      note(tree, number, "there is no such page", bounds)
      return false
    }
    guard used.insert(number) else {
      note(tree, number, "it has two places in the trees", bounds)
      return false
    }
    guard !free.contains(number) else {
      note(tree, number, "it is in use and in the list of free pages", bounds)
      return false
    }
    return true
  }

  private mutating func visitChildren(
    _ page: LMDBPage, _ level: UInt16, _ bounds: Bounds, _ tree: Subject
  ) throws(FileError) {
    for index in 0..<page.count {
      let lower = index == 0 ? bounds.lower : page.key(index)
      let upper = index + 1 < page.count ? page.key(index + 1) : bounds.upper
      try visit(page.node(index).child, level + 1, Bounds(lower: lower, upper: upper), tree)
    }
  }

  private func orderFault(
    _ page: LMDBPage, _ bounds: Bounds, _ isLeaf: Bool, _ tree: Subject
  ) -> String? {
    page.bytes.withUnsafeBytes { raw -> String? in
      var last: UnsafeRawBufferPointer?
      // The first key of a branch is not looked at by anybody.
      for index in (isLeaf ? 0 : 1)..<page.count {
        let key = page.key(index, in: raw)
        guard tree.comparesIntegers ? key.count == 8 : (1...511).contains(key.count) else {
          return "a key of \(key.count) bytes"
        }
        if let last, !precedes(last, key, tree) { return "its keys are out of order" }
        last = key
      }
      return isInside(page, raw, bounds, isLeaf, tree) ? nil : "its keys belong elsewhere"
    }
  }

  private func isInside(
    _ page: LMDBPage, _ raw: UnsafeRawBufferPointer, _ bounds: Bounds, _ isLeaf: Bool,
    _ tree: Subject
  ) -> Bool {
    let first = page.key(isLeaf ? 0 : 1, in: raw)
    let isAfter =
      bounds.lower.isEmpty || bounds.lower.withUnsafeBytes { !precedes(first, $0, tree) }
    guard isAfter, let upper = bounds.upper else { return isAfter }
    return upper.withUnsafeBytes { precedes(page.key(page.count - 1, in: raw), $0, tree) }
  }

  private func precedes(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ tree: Subject
  ) -> Bool {
    guard tree.comparesIntegers else { return compareKeys(left, right) < 0 }
    guard left.count == 8, right.count == 8 else { return false }
    return left.loadUnaligned(as: UInt64.self) < right.loadUnaligned(as: UInt64.self)
  }

  // MARK: Pairs

  private mutating func visit(
    _ node: LMDBPage.Node, _ page: UInt64, _ bounds: Bounds, _ tree: Subject
  ) throws(FileError) {
    tree.counted.pairCount += 1
    switch (node.flags, tree.name) {
    case (LMDBPage.plainNode, .free): addFree(node.value, page, tree)
    case (LMDBPage.bigNode, .free):
      let value = try bigValue(node, bounds, tree)
      addFree(value, page, tree)
    case (LMDBPage.treeNode, .main):
      guard let number = UInt32(String(decoding: node.key, as: UTF8.self)),
        let entry = LMDBTreeEntry(node.value)
      else { return note(tree, page, "a tree's entry is damaged") }
      try walk(Subject(name: .tree(number), entry: entry))
    case (LMDBPage.plainNode, _): gather(node.key, node.value, tree)
    case (LMDBPage.bigNode, _): gather(node.key, try bigValue(node, bounds, tree), tree)
    default: note(tree, page, "a pair of a kind that trees don't have", bounds)
    }
  }

  private mutating func gather(_ key: [UInt8], _ value: [UInt8]?, _ tree: Subject) {
    guard let wantedTree, tree.number == wantedTree, let value else { return }
    result.pairs[key] = value
  }

  /// Reads a list of free pages: a word with its length, then page numbers.
  private mutating func addFree(_ value: [UInt8]?, _ page: UInt64, _ tree: Subject) {
    guard let value else { return }
    let words = value.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count & ~7, by: 8).map {
        raw.loadUnaligned(fromByteOffset: $0, as: UInt64.self)
      }
    }
    guard let count = words.first, count < UInt64(words.count) else {
      return note(tree, page, "a list of free pages is damaged")
    }
    for number in words[1...Int(count)] {
      guard number > 1, number <= meta.lastPage, !used.contains(number), free.insert(number) else {
        return note(tree, page, "the list of free pages has page \(number), which isn't free")
      }
    }
  }

  /// Reads a value that has pages of its own; nil after noting what is wrong with them.
  private mutating func bigValue(
    _ node: LMDBPage.Node, _ bounds: Bounds, _ tree: Subject
  ) throws(FileError) -> [UInt8]? {
    let pageByteCount = Int(meta.pageByteCount)
    guard node.value.count == 8 else { return nil }
    let first = node.value.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    let countMin = UInt64(
      (LMDBPage.headerByteCount + node.valueByteCount + pageByteCount - 1) / pageByteCount)
    guard first > 1, first <= meta.lastPage, countMin <= meta.lastPage - first + 1 else {
      note(tree, first, "there is no such page", bounds)
      return nil
    }
    let isWanted = tree.name == .free || tree.number.map { $0 == wantedTree } ?? false
    let byteCount = LMDBPage.headerByteCount + (isWanted ? node.valueByteCount : 0)
    let bytes = try file.read(at: first * UInt64(pageByteCount), byteCount: byteCount)
    // A shorter value keeps the pages of the one that it replaced in the same transaction.
    guard bytes.count == byteCount,
      let count = LMDBPage(bytes).overflowPageCount(number: first),
      (countMin...meta.lastPage - first + 1).contains(count)
    else {
      note(tree, first, "it isn't the beginning of a long value", bounds)
      return nil
    }
    for number in first..<first + count {
      guard claim(number, tree, bounds) else { return nil }
    }
    tree.counted.overflowPageCount += count
    result.pageCount += Int(count)
    return Array(bytes.dropFirst(LMDBPage.headerByteCount))
  }
}

/// A set of page numbers.
private struct PageSet {
  private var words: [UInt64]

  init(count: UInt64) { words = [UInt64](repeating: 0, count: Int(count / 64 + 1)) }

  func contains(_ number: UInt64) -> Bool { words[Int(number / 64)] & 1 << (number % 64) != 0 }

  /// Adds a number and tells whether it is new.
  @discardableResult
  mutating func insert(_ number: UInt64) -> Bool {
    guard !contains(number) else { return false }
    words[Int(number / 64)] |= 1 << (number % 64)
    return true
  }
}

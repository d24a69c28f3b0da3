// A position in one memory tree: the path from the root to a leaf, and an index in that leaf.

/// A cursor over a tree that can't change while the cursor lives.
final class MemoryCursor: KeyValueCursor {
  private let root: MemoryNode?
  /// Branches from the root down, each with the index of the child that the path takes.
  private var path: [(branch: MemoryNode, index: Int)] = []
  private var leaf: MemoryNode?
  /// Index in the leaf; -1 before the first pair, the leaf's count after the last.
  private var index = -1

  init(_ tree: MemoryTree) { root = tree.root }

  var key: UnsafeRawBufferPointer {
    guard let leaf, leaf.count > index, index >= 0 else { preconditionFailure(Self.noPair) }
    return leaf.key(at: index)
  }

  var value: UnsafeRawBufferPointer {
    guard let leaf, leaf.count > index, index >= 0 else { preconditionFailure(Self.noPair) }
    return leaf.value(at: index)
  }

  private static let noPair = "a cursor is read only after a move that returned true"

  func first() throws(EngineError) -> Bool {
    guard descend(from: root, { _ in 0 }) else { return false }
    index = 0
    return true
  }

  func last() throws(EngineError) -> Bool {
    guard descend(from: root, { $0.count - 1 }), let leaf else { return false }
    index = leaf.count - 1
    return true
  }

  func seek(_ key: UnsafeRawBufferPointer) throws(EngineError) -> Bool {
    guard descend(from: root, { $0.childIndex(for: key) }), let leaf else { return false }
    index = leaf.lowerBound(of: key).index
    return index < leaf.count ? true : try enterNextLeaf()
  }

  func seekBefore(_ key: UnsafeRawBufferPointer) throws(EngineError) -> Bool {
    guard descend(from: root, { $0.childIndex(for: key) }), let leaf else { return false }
    index = leaf.lowerBound(of: key).index - 1
    return index >= 0 ? true : try enterPreviousLeaf()
  }

  func next() throws(EngineError) -> Bool {
    guard let leaf else { return try first() }
    if index < leaf.count { index += 1 }
    return index < leaf.count ? true : try enterNextLeaf()
  }

  func previous() throws(EngineError) -> Bool {
    guard leaf != nil else { return false }
    if index >= 0 { index -= 1 }
    return index >= 0 ? true : try enterPreviousLeaf()
  }

  /// Moves to the first pair of the next leaf, or stays behind the last pair.
  private func enterNextLeaf() throws(EngineError) -> Bool {
    guard let level = path.lastIndex(where: { $0.index + 1 < $0.branch.count }) else {
      return false
    }
    enterLeaf(level: level, step: 1) { _ in 0 }
    index = 0
    return true
  }

  /// Moves to the last pair of the previous leaf, or stays before the first pair.
  private func enterPreviousLeaf() throws(EngineError) -> Bool {
    guard let level = path.lastIndex(where: { $0.index > 0 }) else { return false }
    enterLeaf(level: level, step: -1) { $0.count - 1 }
    index = (leaf?.count ?? 0) - 1
    return true
  }

  private func enterLeaf(level: Int, step: Int, _ choose: (MemoryNode) -> Int) {
    path.removeSubrange((level + 1)...)
    path[level].index += step
    extendPath(from: path[level].branch.children[path[level].index], choose)
  }

  private func descend(from root: MemoryNode?, _ choose: (MemoryNode) -> Int) -> Bool {
    guard let root else { return false }
    path.removeAll(keepingCapacity: true)
    extendPath(from: root, choose)
    return true
  }

  private func extendPath(from start: MemoryNode, _ choose: (MemoryNode) -> Int) {
    var node = start
    while node.isBranch {
      let index = choose(node)
      path.append((node, index))
      node = node.children[index]
    }
    leaf = node
  }
}

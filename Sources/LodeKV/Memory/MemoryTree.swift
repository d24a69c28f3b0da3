// A B+tree of memory nodes that is changed by copying paths. A tree value shares its nodes with the
// tree that it was copied from; a change copies each node that something else refers to as well and
// edits the rest in place, so that one commit copies every node at most once.

/// An ordered map from keys to values, cheap to copy.
struct MemoryTree: Sendable {
  /// Nil when there is no pair.
  private(set) var root: MemoryNode?
  /// Pairs.
  private(set) var count = 0
  /// Bytes of keys and values.
  private(set) var byteCount = 0

  func value(of key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    guard var node = root else { return nil }
    while node.isBranch { node = node.children[node.childIndex(for: key)] }
    let (index, isFound) = node.lowerBound(of: key)
    return isFound ? node.value(at: index) : nil
  }

  /// Inserts a pair or replaces the value of a key; O(log n), with one node copied a level.
  mutating func put(_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) {
    var node = root.take() ?? MemoryNode()
    let outcome = Self.put(key, value, in: &node)
    if let right = outcome.right {
      let top = MemoryNode(over: node)
      Self.insert(right, after: 0, of: top)
      node = top
    }
    root = node
    count += outcome.replacedByteCount == nil ? 1 : 0
    byteCount += value.count - (outcome.replacedByteCount ?? -key.count)
  }

  /// Removes a pair and returns whether there was one.
  @discardableResult
  mutating func delete(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let old = value(of: key), var node = root.take() else { return false }
    count -= 1
    byteCount -= key.count + old.count
    Self.delete(key, in: &node)
    while node.isBranch && node.count == 1 { node = node.children[0] }
    root = node.count == 0 ? nil : node
    return true
  }
}

// MARK: Putting

extension MemoryTree {
  private struct PutOutcome {
    /// A new node to the right of the one that was changed, when that had to be split.
    var right: MemoryNode?
    /// Length of the value that was replaced.
    var replacedByteCount: Int?
  }

  private static func makeUnique(_ node: inout MemoryNode) {
    if !isKnownUniquelyReferenced(&node) { node = node.copy() }
  }

  private static func put(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in node: inout MemoryNode
  ) -> PutOutcome {
    makeUnique(&node)
    guard node.isBranch else { return putPair(key, value, in: node) }
    let index = node.childIndex(for: key)
    var outcome = node.withChild(at: index) { put(key, value, in: &$0) }
    if let right = outcome.right {
      outcome.right = insert(right, after: index, of: node)
    }
    return outcome
  }

  private static func putPair(
    _ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer, in leaf: MemoryNode
  ) -> PutOutcome {
    var outcome = PutOutcome()
    let (index, isFound) = leaf.lowerBound(of: key)
    if isFound {
      outcome.replacedByteCount = leaf.value(at: index).count
      if leaf.overwriteValue(at: index, with: value) { return outcome }
      leaf.removeCell(at: index)
    }
    if leaf.insertCell(at: index, key: key, value: value) { return outcome }
    let (right, target, targetIndex) = split(leaf, forInsertionAt: index)
    let isInserted = target.insertCell(at: targetIndex, key: key, value: value)
    assert(isInserted)
    outcome.right = right
    return outcome
  }

  /// Puts a new child behind another and returns the branch's own new right neighbour, if any.
  @discardableResult
  private static func insert(
    _ child: MemoryNode, after index: Int, of branch: MemoryNode
  ) -> MemoryNode? {
    let separator = separator(between: branch.children[index], child)
    if branch.insertCell(at: index + 1, key: separator, child) { return nil }
    let (right, target, targetIndex) = split(branch, forInsertionAt: index + 1)
    let isInserted = target.insertCell(at: targetIndex, key: separator, child)
    assert(isInserted)
    return right
  }

  /// Splits a full node, at its end when something is to be appended, so that ascending loads fill
  /// their nodes; else in the middle.
  private static func split(
    _ node: MemoryNode, forInsertionAt index: Int
  ) -> (right: MemoryNode, target: MemoryNode, targetIndex: Int) {
    if index == node.count {
      let right = MemoryNode()
      return (right, right, 0)
    }
    let middle = node.middleIndex()
    let right = node.split(at: middle)
    return index <= middle ? (right, node, index) : (right, right, index - middle)
  }

  /// Returns the shortest key that is after everything on the left and not after the right.
  private static func separator(
    between left: MemoryNode, _ right: MemoryNode
  ) -> UnsafeRawBufferPointer {
    let first = right.key(at: 0)
    guard !right.isBranch, left.count > 0 else { return first }
    let shared = sharedPrefixByteCount(left.key(at: left.count - 1), first)
    return first.part(0, shared + 1)
  }
}

// MARK: Deleting

extension MemoryTree {
  /// Removes a key that is known to be there.
  private static func delete(_ key: UnsafeRawBufferPointer, in node: inout MemoryNode) {
    makeUnique(&node)
    guard node.isBranch else {
      let (index, isFound) = node.lowerBound(of: key)
      assert(isFound)
      if isFound { node.removeCell(at: index) }
      return
    }
    let index = node.childIndex(for: key)
    node.withChild(at: index) { delete(key, in: &$0) }
    let child = node.children[index]
    if child.count == 0 {
      node.removeCell(at: index)
    } else if child.usedByteCount < MemoryNode.byteCount / 4 {
      mergeChild(at: index, of: node)
    }
  }

  /// Joins a child with a neighbour when both fit into one node.
  private static func mergeChild(at index: Int, of branch: MemoryNode) {
    let leftIndex = index > 0 ? index - 1 : index
    guard leftIndex + 1 < branch.count else { return }
    let right = branch.children[leftIndex + 1]
    let separator = branch.key(at: leftIndex + 1)
    let spare = right.isBranch ? separator.count : 0
    let needed = branch.children[leftIndex].usedByteCount + right.usedByteCount + spare
    guard needed <= MemoryNode.byteCount else { return }
    branch.withChild(at: leftIndex) { left in
      makeUnique(&left)
      left.append(contentsOf: right, firstKey: right.isBranch ? separator : nil)
    }
    branch.removeCell(at: leftIndex + 1)
  }
}

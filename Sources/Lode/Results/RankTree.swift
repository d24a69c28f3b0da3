/// A balanced sequence of numbered nodes in which every node knows its position.
///
/// A weight-balanced binary tree: a node's weight is the count of its subtree plus one, and neither
/// child may weigh more than three times the other (Hirai and Yamamoto, "Balancing weight-balanced
/// trees", 2011, proves the parameters 3 and 2 for insertion and deletion). The counts that keep the
/// balance also answer for positions, so a node costs 16 bytes and nothing beside. Nodes live in one
/// array and name each other by number; what they stand for is kept by the tree's owner under the
/// same numbers. Node 0 is the absent node, whose count is 0.
package struct RankTree: Sendable {
  /// A node's number, from 1; 0 stands for none. The number of a removed node is given out again.
  package typealias Node = Int32

  /// A gap between two neighbouring nodes, valid until the tree changes.
  package struct Gap {
    fileprivate var parent: Node
    fileprivate var isLeft: Bool
    /// The node before the gap; 0 at the start.
    package let previous: Node
    /// The node behind the gap; 0 at the end.
    package let next: Node
  }

  private struct Links {
    var left: Node = 0
    var right: Node = 0
    /// The parent; of a free node, the next free one.
    var parent: Node = 0
    var count: Int32 = 0
  }

  private var links = [Links()]
  private var root: Node = 0
  private var firstFree: Node = 0

  /// Makes a tree without nodes.
  package init() {}

  /// How many nodes there are.
  package var count: Int { Int(links[Int(root)].count) }

  /// The largest node number given out so far.
  package var nodeMax: Node { Node(links.count - 1) }

  /// The first node; 0 in an empty tree; O(log n).
  package var first: Node { leftmost(in: root) }
  /// The last node; 0 in an empty tree; O(log n).
  package var last: Node { rightmost(in: root) }

  /// Returns how many nodes stand before one, in O(log n).
  package func position(of node: Node) -> Int {
    assert(links[Int(node)].count > 0, "a free node has no position")
    var position = leftCount(of: node)
    var child = node
    var parent = links[Int(node)].parent
    while parent != 0 {
      if links[Int(parent)].right == child { position += leftCount(of: parent) + 1 }
      child = parent
      parent = links[Int(parent)].parent
    }
    return position
  }

  /// Returns the node at a position from 0 to `count` - 1, in O(log n).
  package func node(at position: Int) -> Node {
    precondition((0..<count).contains(position), "no node at \(position) of \(count)")
    var node = root
    var remaining = position
    while true {
      let before = leftCount(of: node)
      if remaining == before { return node }
      if remaining < before {
        node = links[Int(node)].left
      } else {
        remaining -= before + 1
        node = links[Int(node)].right
      }
    }
  }

  /// Returns the node after one, 0 after the last; O(log n), O(1) on average along the sequence.
  package func node(after node: Node) -> Node {
    if links[Int(node)].right != 0 { return leftmost(in: links[Int(node)].right) }
    var child = node
    var parent = links[Int(node)].parent
    while parent != 0, links[Int(parent)].right == child {
      child = parent
      parent = links[Int(parent)].parent
    }
    return parent
  }

  /// Finds the gap behind the nodes for which a test is true, in O(log n) calls of it.
  ///
  /// - Parameter precedes: true for a first part of the sequence and false for the rest.
  package func gap(behind precedes: (Node) -> Bool) -> Gap {
    var gap = (parent: Node(0), isLeft: false, previous: Node(0), next: Node(0))
    var node = root
    while node != 0 {
      gap.parent = node
      gap.isLeft = !precedes(node)
      if gap.isLeft { gap.next = node } else { gap.previous = node }
      node = gap.isLeft ? links[Int(node)].left : links[Int(node)].right
    }
    return Gap(parent: gap.parent, isLeft: gap.isLeft, previous: gap.previous, next: gap.next)
  }

  /// Returns the gap after a node, in O(log n); before the first for 0.
  package func gap(after node: Node) -> Gap {
    let next = node == 0 ? first : self.node(after: node)
    let isLeft = node == 0 || links[Int(node)].right != 0
    return Gap(parent: isLeft ? next : node, isLeft: isLeft, previous: node, next: next)
  }

  /// Adds a node in a gap, in O(log n), and returns its number.
  package mutating func insert(in gap: Gap) -> Node {
    let node = allocate()
    links[Int(node)] = Links(parent: gap.parent, count: 1)
    if gap.parent == 0 {
      root = node
    } else if gap.isLeft {
      links[Int(gap.parent)].left = node
    } else {
      links[Int(gap.parent)].right = node
    }
    rebalance(upward: gap.parent)
    return node
  }

  /// Takes a node out, in O(log n).
  package mutating func remove(_ node: Node) {
    assert(links[Int(node)].count > 0, "a free node can't be removed")
    let removed = links[Int(node)]
    if removed.left == 0 || removed.right == 0 {
      replace(node, with: removed.left == 0 ? removed.right : removed.left)
      rebalance(upward: removed.parent)
    } else {
      removeInner(node)
    }
    links[Int(node)] = Links(parent: firstFree)
    firstFree = node
  }
}

// MARK: - Links

extension RankTree {
  private func leftCount(of node: Node) -> Int { Int(links[Int(links[Int(node)].left)].count) }

  private func leftmost(in subtree: Node) -> Node {
    var node = subtree
    while links[Int(node)].left != 0 { node = links[Int(node)].left }
    return node
  }

  private func rightmost(in subtree: Node) -> Node {
    var node = subtree
    while links[Int(node)].right != 0 { node = links[Int(node)].right }
    return node
  }

  private mutating func allocate() -> Node {
    guard firstFree == 0 else {
      defer { firstFree = links[Int(firstFree)].parent }
      return firstFree
    }
    precondition(links.count < Int32.max, "a list of results has at most 2^31 - 2 rows")
    links.append(Links())
    return nodeMax
  }

  /// Puts another node's subtree where a node's is; both keep their children.
  private mutating func replace(_ node: Node, with other: Node) {
    let parent = links[Int(node)].parent
    if parent == 0 {
      root = other
    } else if links[Int(parent)].left == node {
      links[Int(parent)].left = other
    } else {
      links[Int(parent)].right = other
    }
    if other != 0 { links[Int(other)].parent = parent }
  }

  /// Removes a node with two children: the next node, which has no left child, takes its place.
  private mutating func removeInner(_ node: Node) {
    let next = self.node(after: node)
    let parent = links[Int(next)].parent
    if parent != node {
      replace(next, with: links[Int(next)].right)
      attach(right: links[Int(node)].right, to: next)
    }
    replace(node, with: next)
    attach(left: links[Int(node)].left, to: next)
    rebalance(upward: parent == node ? next : parent)
  }

  private mutating func attach(left child: Node, to node: Node) {
    links[Int(node)].left = child
    if child != 0 { links[Int(child)].parent = node }
  }

  private mutating func attach(right child: Node, to node: Node) {
    links[Int(node)].right = child
    if child != 0 { links[Int(child)].parent = node }
  }
}

// MARK: - Balance

extension RankTree {
  private func weight(of node: Node) -> Int { Int(links[Int(node)].count) + 1 }

  /// Restores counts and balance from a node up to the root, after its subtree gained or lost one.
  private mutating func rebalance(upward start: Node) {
    var node = start
    while node != 0 {
      recount(node)
      let (left, right) = (links[Int(node)].left, links[Int(node)].right)
      if weight(of: right) > 3 * weight(of: left) {
        node = lift(right: right, over: node)
      } else if weight(of: left) > 3 * weight(of: right) {
        node = lift(left: left, over: node)
      }
      node = links[Int(node)].parent
    }
  }

  private mutating func recount(_ node: Node) {
    let (left, right) = (links[Int(node)].left, links[Int(node)].right)
    links[Int(node)].count = links[Int(left)].count + links[Int(right)].count + 1
  }

  /// Lifts a right child, or that child's left one when it is the heavy one, over its parent.
  private mutating func lift(right child: Node, over node: Node) -> Node {
    let (inner, outer) = (links[Int(child)].left, links[Int(child)].right)
    guard weight(of: inner) >= 2 * weight(of: outer) else {
      rotateLeft(node)
      return child
    }
    rotateRight(child)
    rotateLeft(node)
    return inner
  }

  private mutating func lift(left child: Node, over node: Node) -> Node {
    let (outer, inner) = (links[Int(child)].left, links[Int(child)].right)
    guard weight(of: inner) >= 2 * weight(of: outer) else {
      rotateRight(node)
      return child
    }
    rotateLeft(child)
    rotateRight(node)
    return inner
  }

  private mutating func rotateLeft(_ node: Node) {
    let child = links[Int(node)].right
    replace(node, with: child)
    attach(right: links[Int(child)].left, to: node)
    attach(left: node, to: child)
    recount(node)
    recount(child)
  }

  private mutating func rotateRight(_ node: Node) {
    let child = links[Int(node)].left
    replace(node, with: child)
    attach(left: links[Int(child)].right, to: node)
    attach(right: node, to: child)
    recount(node)
    recount(child)
  }

  /// Checks every count, link and balance; for tests, in O(n).
  package func checkInvariants() -> Bool { check(root, parent: 0) }

  private func check(_ node: Node, parent: Node) -> Bool {
    guard node != 0 else { return true }
    let at = links[Int(node)]
    let (left, right) = (weight(of: at.left), weight(of: at.right))
    return at.parent == parent && weight(of: node) == left + right
      && left <= 3 * right && right <= 3 * left
      && check(at.left, parent: node) && check(at.right, parent: node)
  }
}

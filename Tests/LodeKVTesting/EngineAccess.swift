// Small ways to talk to engines.

import Foundation
package import LodeKV

extension LMDBEngine.Options {
  /// Small segments, so that tests cross their borders and opening is quick.
  package static var small: LMDBEngine.Options {
    var options = LMDBEngine.Options()
    options.mapByteCount = 1 << 30
    options.journalSegmentByteCount = 64 << 10
    return options
  }
}

/// A tree that tests put their pairs into.
package let tree = TreeID(1)

extension Array where Element == UInt8 {
  package init(_ text: String) { self = Array(text.utf8) }

  /// A big-endian number, so that numbers and keys have the same order.
  package init(number: Int) {
    self = Swift.withUnsafeBytes(of: Int64(number).bigEndian) { Array($0) }
  }
}

extension WriteList {
  package mutating func put(_ key: [UInt8], _ value: [UInt8], in tree: TreeID = tree) {
    key.withUnsafeBytes { key in value.withUnsafeBytes { put(key, $0, in: tree) } }
  }

  package mutating func delete(_ key: [UInt8], in tree: TreeID = tree) {
    key.withUnsafeBytes { delete($0, in: tree) }
  }

  package mutating func put(_ key: String, _ value: String) { put([UInt8](key), [UInt8](value)) }
}

extension KeyValueEngine {
  @discardableResult
  package func put(_ key: String, _ value: String) throws -> UInt64 {
    try commit { _ in
      var list = WriteList()
      list.put(key, value)
      return list
    }
  }

  @discardableResult
  package func commit(_ list: WriteList) throws -> UInt64 { try commit { _ in list } }

  package func pairs(in tree: TreeID = tree) throws -> [Pair] {
    try read { try $0.pairs(in: tree) }
  }

  package func text(_ key: String) throws -> String? {
    try read { try $0.bytes([UInt8](key)).map { String(decoding: $0, as: UTF8.self) } }
  }
}

/// A pair copied out of an engine.
package struct Pair: Hashable, Sendable {
  package let key: [UInt8]
  package let value: [UInt8]

  package init(key: [UInt8], value: [UInt8]) {
    self.key = key
    self.value = value
  }
}

extension KeyValueSnapshot {
  package func bytes(_ key: [UInt8], in tree: TreeID = tree) throws -> [UInt8]? {
    try key.withUnsafeBytes { try value(of: $0, in: tree).map { Array($0) } }
  }

  package func pairs(in tree: TreeID = tree) throws -> [Pair] {
    let cursor = try cursor(in: tree)
    var pairs: [Pair] = []
    while try cursor.next() { pairs.append(cursor.pair) }
    return pairs
  }

  package func reversedPairs(in tree: TreeID = tree) throws -> [Pair] {
    let cursor = try cursor(in: tree)
    var pairs: [Pair] = []
    guard try cursor.last() else { return [] }
    repeat { pairs.append(cursor.pair) } while try cursor.previous()
    return pairs
  }
}

extension KeyValueCursor {
  package var pair: Pair { Pair(key: Array(key), value: Array(value)) }
  package var keyText: String { String(decoding: key, as: UTF8.self) }

  package func seek(_ key: [UInt8]) throws -> Bool { try key.withUnsafeBytes { try seek($0) } }
  package func seekBefore(_ key: [UInt8]) throws -> Bool {
    try key.withUnsafeBytes { try seekBefore($0) }
  }
}

/// Whether a key comes before another, in the engines' order.
package func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  let order = memcmp(left, right, min(left.count, right.count))
  return order == 0 ? left.count < right.count : order < 0
}

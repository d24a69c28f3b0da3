// What a store must hold, kept in the plainest way: a dictionary, and for each save that a power failure
// may still take, how to take it back.

import LodeKV
import LodeKVTesting

/// What a store should hold after all that was done to it.
struct SimulationModel {
  struct Address: Hashable {
    let tree: TreeID
    let key: [UInt8]
  }

  typealias Content = [Address: [UInt8]]

  /// A save as a program means it: nil deletes.
  struct Save {
    let number: Int
    let changes: [Address: [UInt8]?]
  }

  /// How to take a save back, and the sequence that the engine gave it.
  private struct Undo {
    let sequence: UInt64
    let numberBefore: Int
    var old: Content = [:]
    var added: [Address] = []
  }

  /// Where each save puts its number, so that a recovered store says which saves it has.
  static let counter = Address(tree: TreeID(9), key: [0])
  private static let trees = [1, 2, 3, 9].map { TreeID($0) }

  private(set) var content: Content = [:]
  private(set) var lastNumber = 0
  /// A save that was begun and neither acknowledged nor refused for good: a crash may leave it.
  private var inDoubt: Save?
  /// The saves that a power failure may take, oldest first.
  private var losable: [Undo] = []
  /// Whether the power has failed since the store was last read.
  private var mayHaveLost = false

  mutating func begin(_ save: Save) { inDoubt = save }

  mutating func acknowledge(_ save: Save, sequence: UInt64) {
    var undo = Undo(sequence: sequence, numberBefore: lastNumber)
    for (address, value) in save.changes {
      if let old = content[address] { undo.old[address] = old } else { undo.added.append(address) }
      content[address] = value
    }
    losable.append(undo)
    lastNumber = save.number
    inDoubt = nil
  }

  /// Takes down that a save was refused by an engine which goes on saving: it must never appear.
  mutating func refuse() { inDoubt = nil }

  /// Holds an engine to its word about what a power failure can't take.
  mutating func settle(throughSequence sequence: UInt64) {
    losable.removeAll { $0.sequence <= sequence }
  }

  mutating func losePower() { mayHaveLost = true }

  /// Becomes what an opened store must be, by the number of its last save; says what is wrong when no such
  /// state is allowed. Numbers need not ascend, as threads save in an order of their own.
  mutating func open(atNumber number: Int) -> String? {
    defer {
      inDoubt = nil
      mayHaveLost = false
    }
    if let inDoubt, inDoubt.number == number {
      acknowledge(inDoubt, sequence: .max)
      return nil
    }
    while mayHaveLost, lastNumber != number, let undo = losable.popLast() { takeBack(undo) }
    return number == lastNumber ? nil : "the last save is \(number), not \(lastNumber)"
  }

  private mutating func takeBack(_ undo: Undo) {
    for address in undo.added { content[address] = nil }
    content.merge(undo.old) { $1 }
    lastNumber = undo.numberBefore
  }

  /// Compares a snapshot with the dictionary, pair by pair, and says where they differ.
  func difference(from snapshot: any KeyValueSnapshot) throws -> String? {
    let pairs = Dictionary(grouping: content, by: \.key.tree)
    for tree in Self.trees {
      let expected = (pairs[tree] ?? []).map { Pair(key: $0.key.key, value: $0.value) }
        .sorted { precedes($0.key, $1.key) }
      let found = try snapshot.pairs(in: tree)
      guard found == expected, try snapshot.count(of: tree) == expected.count else {
        let differing = Set(found).symmetricDifference(expected).count
        return "tree \(tree.number) has \(found.count) pairs, the model \(expected.count); "
          + "\(differing) differ"
      }
    }
    return nil
  }
}

extension SimulationModel.Save {
  var list: WriteList {
    var list = WriteList()
    for (address, value) in changes {
      if let value {
        list.put(address.key, value, in: address.tree)
      } else {
        list.delete(address.key, in: address.tree)
      }
    }
    return list
  }
}

extension KeyValueSnapshot {
  /// The number of the last save, 0 in a new store.
  func lastSaveNumber() throws -> Int {
    let counter = SimulationModel.counter
    let bytes = try bytes(counter.key, in: counter.tree) ?? []
    return bytes.reduce(0) { $0 << 8 | Int($1) }
  }
}

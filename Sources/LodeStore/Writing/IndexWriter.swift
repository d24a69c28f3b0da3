internal import LodeKV

/// Works out what a row's change means for indexes and derived link trees: the entries of the old and
/// of the new record are made, and only differences written.
struct IndexWriter {
  private var oldKey = OrderedKey()
  private var newKey = OrderedKey()
  private let tails = TailScratch()

  /// Adds the writes that turn the entries of one record into those of another.
  ///
  /// - Parameters:
  ///   - old: nil for an insert.
  ///   - new: nil for a delete.
  mutating func write(
    _ reference: ObjectReference, of entity: StoredEntity, from old: RecordView?,
    to new: RecordView?, into writes: inout WriteSet
  ) throws(RecordError) {
    for index in entity.indexes {
      try write(reference, index, from: old, to: new, into: &writes[index.tree])
    }
    for (slot, links) in entity.feeds {
      write(reference, slot, from: old, to: new, into: &writes[links.tree])
    }
  }

  private mutating func write(
    _ reference: ObjectReference, _ index: StoredIndex, from old: RecordView?,
    to new: RecordView?, into writes: inout TreeWrites
  ) throws(RecordError) {
    if let old {
      tails.moveOn()
      try index.key.make(old, number: reference.number, tails: tails, into: &oldKey)
    }
    if let new {
      tails.moveOn()
      try index.key.make(new, number: reference.number, tails: tails, into: &newKey)
    }
    if old != nil, new != nil, oldKey.bytes == newKey.bytes { return }
    if old != nil { writes.delete(oldKey.bytes) }
    guard new != nil else { return }
    newKey.bytes.withUnsafeBytes { key in
      withUnsafeBytes(of: reference.entityNumber.littleEndian) { writes.put(key, $0) }
    }
  }

  private func write(
    _ reference: ObjectReference, _ slot: Int, from old: RecordView?, to new: RecordView?,
    into writes: inout TreeWrites
  ) {
    let oldOwner = old.flatMap { $0.isNull(at: slot) ? nil : $0.reference(at: slot) }
    let newOwner = new.flatMap { $0.isNull(at: slot) ? nil : $0.reference(at: slot) }
    guard oldOwner != newOwner else { return }
    if let oldOwner {
      LinkKey(owner: oldOwner, rest: reference.bits).withBytes { writes.delete($0) }
    }
    if let newOwner {
      LinkKey(owner: newOwner, rest: reference.bits).withBytes {
        writes.put($0, UnsafeRawBufferPointer(start: nil, count: 0))
      }
    }
  }
}

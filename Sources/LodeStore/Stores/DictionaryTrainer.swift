internal import Dispatch
internal import LodeKV
internal import Synchronization

/// Learns compression dictionaries from the rows that a store has, in the background.
///
/// An entity's dictionary is learned once, when the entity has enough rows; entities for which none can be
/// learned are tried again when they have grown tenfold. A dictionary is stored before the first tail is
/// compressed with it.
final class DictionaryTrainer: Sendable {
  private let engine: any KeyValueEngine
  private let schema: StoreSchema
  private let queue = DispatchQueue(label: "lode.dictionaries", qos: .utility)
  /// For each entity, how many rows it must have for the next attempt.
  private let thresholds = Mutex<[UInt16: Int64]>([:])

  init(_ engine: any KeyValueEngine, _ schema: StoreSchema) {
    self.engine = engine
    self.schema = schema
  }

  /// Starts to learn for entities that have become large enough; returns at once.
  func learn(after counters: [UInt16: EntityCounters]) {
    for (number, counters) in counters {
      guard let entity = schema.entity(number: number), entity.layout.tails.learns,
        isDue(number, counters.rowCount)
      else { continue }
      queue.async { [weak self] in self?.learn(entity, rowCount: counters.rowCount) }
    }
  }

  /// Waits until what has been started is done.
  func finish() { queue.sync {} }

  private func isDue(_ number: UInt16, _ rowCount: Int64) -> Bool {
    thresholds.withLock { thresholds in
      guard rowCount >= thresholds[number] ?? Int64(TailSamples.countMin) else { return false }
      thresholds[number] = rowCount * 10
      return true
    }
  }

  private func learn(_ entity: StoredEntity, rowCount: Int64) {
    // Without a dictionary records are longer, nothing else: a store that can't be read or written
    // now will tell its next caller.
    guard let bytes = try? samples(of: entity, rowCount)?.dictionary(),
      let dictionary = entity.layout.tails.add(bytes)
    else { return }
    let number = entity.number
    let isStored = try? engine.commit { _ in
      var list = WriteList()
      let key = CatalogueKey.dictionary(ofEntity: number, dictionary.number)
      list.put(key, SealedValue.seal(dictionary.content.bytes, of: key), in: CatalogueKey.tree)
      return list
    }
    if isStored != nil { entity.layout.tails.use(dictionary) }
  }

  /// Takes tails of rows that are spread over the whole tree.
  private func samples(of entity: StoredEntity, _ rowCount: Int64) throws -> TailSamples? {
    let step = max(1, Int(rowCount) / TailSamples.countMax)
    return try engine.read { snapshot in
      let tails = TailScratch()
      var samples = TailSamples()
      var seen = 0
      let cursor = try snapshot.cursor(in: entity.recordTree)
      var isPresent = try cursor.first()
      while isPresent, !samples.isFull {
        if RecordView.entityNumber(of: cursor.value) == entity.number {
          if seen % step == 0 {
            let number = try ObjectKey(cursor.key).number
            let view = try RecordView(cursor.value, of: number, layout: entity.layout)
            tails.moveOn()
            samples.add(try tails.tail(of: view))
          }
          seen += 1
        }
        isPresent = try cursor.next()
      }
      return samples
    }
  }
}

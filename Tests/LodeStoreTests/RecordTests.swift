import LodeRandom
import Foundation
import LodeKV
import LodeModel
import Testing

@testable import LodeStore

@Suite struct RecordTests {
  @Test func `every value reads back as it was written`() throws {
    try withSeed { random in
      let fixture = try RecordFixture()
      for _ in 0..<500 {
        let values = fixture.values(&random)
        let record = try fixture.record(values, version: random.next() as UInt32)
        for slot in values.indices {
          #expect(try record.value(at: slot).isSame(as: values[slot]))
          #expect(record.isNull(at: slot) == values[slot].isNull)
        }
      }
    }
  }

  @Test func `a changed record equals one that is encoded anew`() throws {
    try withSeed { random in
      let fixture = try RecordFixture()
      for _ in 0..<500 {
        var values = fixture.values(&random)
        let old = try fixture.record(values)
        let other = fixture.values(&random)
        let slots = values.indices.filter { _ in random.chance(25) }
        for slot in slots { values[slot] = other[slot] }
        let changed = try fixture.record(changing: slots.map { ($0, other[$0]) }, of: old)
        #expect(changed.version == 2)
        #expect(changed.bytes == (try fixture.record(values, version: 2)).bytes)
      }
    }
  }

  @Test func `typed readers agree with values`() throws {
    try withSeed { random in
      let fixture = try RecordFixture()
      for _ in 0..<200 {
        let record = try fixture.record(fixture.values(&random))
        for property in fixture.layout.properties {
          let slot = property.slot
          let value = try record.value(at: slot)
          switch fixture.layout.fields[slot].kind {
          case .string:
            #expect(try record.string(at: slot).map(Value.string) ?? Value.null == value)
          case .integer16, .integer32, .integer64:
            #expect(record.int64(at: slot).map(Value.integer) ?? Value.null == value)
          case .double, .float:
            #expect((record.double(at: slot).map(Value.double) ?? Value.null).isSame(as: value))
          case .boolean: #expect(record.bool(at: slot).map(Value.boolean) ?? Value.null == value)
          case .reference:
            #expect(
              try record.reference(at: slot).map { Value.objectID($0) } ?? Value.null == value)
          default: break
          }
        }
      }
    }
  }

  @Test func `short values stay in the head and long ones go to the tail`() throws {
    let fixture = try RecordFixture()
    for (byteCount, isInTail) in [(0, false), (63, false), (64, true), (65, true), (70_000, true)] {
      var values = fixture.nulls
      let slot = fixture.slot("string")
      values[slot] = .string(String(repeating: "x", count: byteCount))
      let record = try fixture.record(values)
      #expect(record.withView { $0.tailByteCount } == (isInTail ? byteCount : 0))
      #expect(try record.value(at: slot) == values[slot])
    }
  }

  @Test func `a long tail that repeats itself is compressed and a random one is not`() throws {
    try withSeed { random in
      let fixture = try RecordFixture(compresses: true)
      let slot = fixture.slot("binaryData")
      let noise = Data((0..<5_000).map { _ in UInt8.random(in: 0...255, using: &random) })
      for (data, isCompressed) in [(Data(repeating: 1, count: 5_000), true), (noise, false)] {
        var values = fixture.nulls
        values[slot] = .data(data)
        let record = try fixture.record(values)
        #expect(record.withView { $0.hasCompressedTail } == isCompressed)
        #expect(record.withView { $0.rawByteCount } > 5_000)
        #expect(try record.value(at: slot) == .data(data))
        #expect(try record.value(at: slot) == .data(data))
      }
    }
  }

  @Test func `an entity with thousands of properties has wide offsets`() throws {
    let entity = EntityDescription(
      "Wide", attributes: (0..<1_500).map { AttributeDescription("a\($0)", .string) })
    let fixture = try RecordFixture(entities: [entity], named: "Wide")
    let values = fixture.nulls.indices.map { Value.string(String(repeating: "v", count: $0 % 70)) }
    let record = try fixture.record(values)
    for slot in values.indices { #expect(try record.value(at: slot) == values[slot]) }
  }

  @Test func `every flipped bit of a record is found, and says whose it is`() throws {
    try withSeed { random in
      for compresses in [false, true] {
        let fixture = try RecordFixture(compresses: compresses)
        for _ in 0..<10 {
          let bytes = try fixture.record(fixture.values(&random)).bytes
          #expect(try fixture.copy(bytes).bytes == bytes)
          for index in bytes.indices {
            var damaged = bytes
            damaged[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let error = #expect(throws: RecordError.self) { try fixture.copy(damaged) }
            guard case .damaged(let objectID, _) = error else {
              Issue.record("byte \(index): \(String(describing: error))")
              continue
            }
            #expect(objectID.number == 5)
          }
        }
      }
    }
  }

  @Test func `a record under another object's number is damaged`() throws {
    let fixture = try RecordFixture()
    let bytes = try fixture.record(fixture.nulls).bytes
    for bit in 0..<48 {
      #expect(throws: RecordError.self) { try fixture.copy(bytes, of: 5 ^ 1 << bit) }
    }
  }

  @Test func `a change of a fixed field does not hide that the tail is damaged`() throws {
    let fixture = try RecordFixture()
    var values = fixture.nulls
    values[fixture.slot("string")] = .string(String(repeating: "x", count: 100))
    var bytes = try fixture.record(values).bytes
    bytes[bytes.count - 20] ^= 1
    let slot = fixture.slot("integer16")
    let patched = try bytes.withUnsafeBytes { raw in
      var encoder = RecordEncoder()
      let view = try RecordView(raw, of: 5, layout: fixture.layout)
      return try encoder.record([(slot, .integer(3))], to: view, version: 2).bytes
    }
    #expect(throws: RecordError.self) { try fixture.copy(patched) }
  }

  @Test func `damaged bytes give errors and never a trap`() throws {
    try withSeed { random in
      for compresses in [false, true] {
        let fixture = try RecordFixture(compresses: compresses)
        for _ in 0..<300 {
          var bytes = try fixture.record(fixture.values(&random)).bytes
          for _ in 0..<random.pick([1, 2, 5]) {
            bytes[random.pick(Array(bytes.indices))] = UInt8.random(in: 0...255, using: &random)
          }
          if random.chance(30) { bytes.removeLast(random.pick([1, 2, bytes.count / 2])) }
          fixture.readAll(bytes)
          // What was written wrong and sealed: reading must not rely on the checksum.
          fixture.seal(&bytes)
          fixture.readAll(bytes)
        }
      }
    }
  }
}

/// An entity with a property of every kind, and its layout outside of any store.
struct RecordFixture {
  let layout: RecordLayout
  let objectID: ManagedObjectID

  init(compresses: Bool = false) throws {
    try self.init(entities: Self.entities, named: "Everything", compresses: compresses)
  }

  init(entities: [EntityDescription], named name: String, compresses: Bool = false) throws {
    let model = try ManagedObjectModel(entities: entities)
    let entity = try #require(model.entitiesByName[name])
    let store = StoreIdentifier(UUID())
    layout = RecordLayout(
      entity: entity, entityNumber: 3,
      references: ReferenceTable(store: store, numbers: [entity.entityName: 3]),
      tails: TailCodec(isEnabled: compresses))
    objectID = ManagedObjectID(store: store, entityName: entity.entityName, number: 1 << 40)
  }

  private static let entities: [EntityDescription] = {
    let inner = AttributeDescription(
      "inner", .composite,
      elements: [AttributeDescription("text", .string), AttributeDescription("id", .uuid)])
    let elements =
      AttributeType.allCases.filter { $0 != .composite }
      .map { AttributeDescription($0.rawValue, $0) } + [inner]
    var attributes = AttributeType.allCases.filter { $0 != .composite }
      .map { AttributeDescription($0 == .objectID ? "link" : $0.rawValue, $0) }
    attributes.append(AttributeDescription("composite", .composite, elements: elements))
    attributes.append(AttributeDescription("passing", .string, isTransient: true))
    return [
      EntityDescription(
        "Everything", attributes: attributes,
        relationships: [
          RelationshipDescription("one", to: "Everything"),
          RelationshipDescription("many", to: "Everything", isToMany: true),
        ])
    ]
  }()

  var nulls: [Value] { layout.properties.map { _ in .null } }

  func slot(_ name: String) -> Int { layout.properties.first { $0.name == name }?.slot ?? 0 }

  func values(_ random: inout SeededGenerator) -> [Value] {
    layout.properties.map { property in
      guard layout.fields[property.slot].kind != .none, !random.chance(20) else { return .null }
      guard let attribute = property.attribute else { return .objectID(objectID) }
      return value(of: attribute, &random)
    }
  }

  private func value(
    of attribute: AttributeDescription, _ random: inout SeededGenerator
  ) -> Value {
    switch attribute.type {
    case .objectID: return .objectID(objectID)
    case .composite:
      var elements: [String: Value] = [:]
      for element in attribute.elements where !random.chance(30) {
        elements[element.name] = random.chance(15) ? .null : value(of: element, &random)
      }
      return .composite(elements)
    default: return TroublesomeValues.value(of: attribute.type, &random)
    }
  }

  func record(_ values: [Value], version: UInt32 = 1) throws -> Record {
    var encoder = RecordEncoder()
    return try encoder.record(values, of: 5, version: version, layout: layout)
  }

  func record(changing changes: [(slot: Int, value: Value)], of old: Record) throws -> Record {
    var encoder = RecordEncoder()
    return try old.withView { try encoder.record(changes, to: $0, version: 2) }
  }

  /// Gives damaged bytes the checksums that they would have if they had been written so.
  func seal(_ bytes: inout [UInt8]) {
    guard bytes.count >= layout.table.pointee.headStart else { return }
    let seed = RecordHeader.seed(5)
    let (headEnd, tailEnd) = bytes.withUnsafeBytes { raw in
      let view = RecordView(checked: raw, of: 5, layout: layout)
      return (view.headEnd, view.tailByteCount > 0 ? raw.count - 4 : raw.count)
    }
    guard headEnd <= tailEnd else { return }
    if tailEnd < bytes.count {
      let tail = bytes.withUnsafeBytes {
        CRC32C.checksum(of: $0.part(headEnd, tailEnd - headEnd), seed: seed)
      }
      bytes.setInteger(tail, at: tailEnd)
    }
    let head = bytes.withUnsafeBytes { RecordHeader.checksum($0, upTo: headEnd, of: 5) }
    bytes.setInteger(head, at: RecordHeader.checksumOffset)
  }

  /// Makes a record of bytes as one that is read from a store.
  func copy(_ bytes: [UInt8], of number: UInt64 = 5) throws(RecordError) -> Record {
    try bytes.withUnsafeBufferPointer { bytes throws(RecordError) in
      try Record(
        copying: RecordView(UnsafeRawBufferPointer(bytes), of: number, layout: layout))
    }
  }

  /// Reads every property of bytes that may be damaged.
  func readAll(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { raw in
      guard let view = try? RecordView(raw, of: 5, layout: layout),
        let record = try? Record(copying: view)
      else { return }
      for slot in layout.fields.indices { _ = try? record.value(at: slot) }
      record.withView { view in
        _ = view.rawByteCount
        var key = OrderedKey()
        for slot in layout.fields.indices where layout.properties[slot].isOrderedForTests {
          try? key.append(
            view, slot: slot, isAscending: false, textBudget: 20, tails: TailScratch())
        }
      }
    }
  }
}

extension Property {
  fileprivate var isOrderedForTests: Bool {
    attribute.map { $0.type.isOrdered && !$0.isTransient } ?? isToOne
  }
}

extension Record {
  var bytes: [UInt8] { withView { Array($0.bytes) } }
}

extension Value {
  /// Equality by bits: NaN equals itself, -0 isn't 0.
  func isSame(as other: Value) -> Bool {
    switch (self, other) {
    case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern
    case (.date(let left), .date(let right)):
      left.timeIntervalSinceReferenceDate.bitPattern
        == right.timeIntervalSinceReferenceDate.bitPattern
    case (.decimal(let left), .decimal(let right)): left.isNaN ? right.isNaN : left == right
    case (.composite(let left), .composite(let right)):
      left.count == right.count
        && left.allSatisfy { key, value in right[key].map(value.isSame) ?? false }
    default: self == other
    }
  }
}

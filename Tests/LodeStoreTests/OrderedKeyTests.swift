import LodeRandom
import Foundation
import LodeModel
import Testing

@testable import LodeStore

@Suite struct OrderedKeyTests {
  private static let types = AttributeType.allCases.filter(\.isOrdered)

  private static func values(
    of type: AttributeType, _ random: inout SeededGenerator
  ) -> [Value] {
    guard type != .objectID else {
      let numbers: [UInt64] = [1, 2, 255, 256, 65_535, 65_536, 1 << 40, ManagedObjectID.numberMax]
      return [.null]
        + numbers.map {
          .objectID(ManagedObjectID(store: store, entityName: EntityName("E"), number: $0))
        }
    }
    return [.null] + (0..<60).map { _ in TroublesomeValues.value(of: type, &random) }
  }

  private static let store = StoreIdentifier(UUID())
  private static let references = ReferenceTable(store: store, numbers: [EntityName("E"): 1])

  private static func key(
    _ value: Value, _ type: AttributeType, isAscending: Bool = true,
    budget: Int = OrderedKey.unlimited
  ) throws -> OrderedKey {
    var key = OrderedKey()
    let isAppended = key.append(
      value, as: RecordLayout.Kind(type), isAscending: isAscending, textBudget: budget,
      references: references)
    try #require(isAppended)
    return key
  }

  private static func order(_ left: [UInt8], _ right: [UInt8]) -> ComparisonResult {
    left.lexicographicallyPrecedes(right)
      ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
  }

  @Test(arguments: types)
  func `keys are ordered as values are`(type: AttributeType) throws {
    try withSeed { random in
      let values = Self.values(of: type, &random)
      for left in values {
        for right in values {
          let expected = Value.sortOrder(left, right)
          let keys = try [left, right].map { try Self.key($0, type).bytes }
          #expect(Self.order(keys[0], keys[1]) == expected, "\(left) \(right)")
          let down = try [left, right].map { try Self.key($0, type, isAscending: false).bytes }
          #expect(Self.order(down[1], down[0]) == expected, "descending \(left) \(right)")
        }
      }
    }
  }

  @Test(arguments: types)
  func `no key begins another, so that parts can follow one another`(type: AttributeType) throws {
    try withSeed { random in
      let keys = try Self.values(of: type, &random).map { try Self.key($0, type).bytes }
      for left in keys {
        for right in keys where left != right { #expect(!right.starts(with: left)) }
      }
    }
  }

  @Test func `cut text keeps the order up to its cut`() throws {
    try withSeed { random in
      let values = Self.values(of: .string, &random)
      for budget in [8, 9, 10, 50, 498] {
        for left in values {
          for right in values {
            let keys = try [left, right].map { try Self.key($0, .string, budget: budget) }
            #expect(keys.allSatisfy { $0.bytes.count <= budget + 1 })
            let order = Self.order(keys[0].bytes, keys[1].bytes)
            let isDecided = order != .orderedSame || keys[0].cutEnd == nil
            if isDecided { #expect(order == Value.sortOrder(left, right)) }
          }
        }
      }
    }
  }

  @Test func `records and values make the same keys`() throws {
    try withSeed { random in
      let fixture = try RecordFixture()
      for _ in 0..<300 {
        let values = fixture.values(&random)
        let record = try fixture.record(values)
        for property in fixture.layout.properties {
          guard let type = property.attribute?.type, type.isOrdered,
            property.attribute?.isTransient == false
          else { continue }
          for (isAscending, budget) in [(true, 30), (false, OrderedKey.unlimited)] {
            var key = OrderedKey()
            try record.withView { view in
              try key.append(
                view, slot: property.slot, isAscending: isAscending, textBudget: budget,
                tails: TailScratch())
            }
            var other = OrderedKey()
            _ = other.append(
              values[property.slot], as: RecordLayout.Kind(type), isAscending: isAscending,
              textBudget: budget, references: fixture.layout.references)
            #expect(key.bytes == other.bytes)
          }
        }
      }
    }
  }

  @Test func `the parts of an index key are found again`() throws {
    try withSeed { random in
      let fixture = try RecordFixture()
      let names = ["string", "decimal", "double", "uri", "boolean", "uuid", "one", "integer16"]
      for _ in 0..<300 {
        let elements = names.filter { _ in random.chance(60) }.map { name in
          let slot = fixture.slot(name)
          return (
            slot: slot, kind: fixture.layout.fields[slot].kind, isAscending: random.chance(50)
          )
        }
        let index = try #require(IndexKey(elements))
        let values = fixture.values(&random)
        let number = UInt64.random(in: 1...ManagedObjectID.numberMax, using: &random)
        var key = OrderedKey()
        try fixture.record(values).withView {
          try index.make($0, number: number, tails: TailScratch(), into: &key)
        }
        #expect(key.bytes.count <= IndexKey.byteCountMax)
        let shape = try key.bytes.withUnsafeBytes { try index.shape(of: $0) }
        #expect(shape.hasNull == elements.contains { values[$0.slot].isNull })
        #expect(shape.cutEnd == key.cutEnd)
        #expect(
          try key.bytes.withUnsafeBytes { try ObjectKey($0, from: shape.end).number } == number)
      }
    }
  }

  @Test func `object keys are ordered as numbers are and read back`() throws {
    let numbers: [UInt64] = [1, 2, 255, 256, 257, 65_535, 65_536, 1 << 24, 1 << 32, 1 << 48 - 1]
    var keys: [[UInt8]] = []
    for number in numbers {
      let key = ObjectKey(number).withBytes { Array($0) }
      #expect(try key.withUnsafeBytes { try ObjectKey($0) } == ObjectKey(number))
      keys.append(key)
    }
    #expect(keys == keys.sorted { $0.lexicographicallyPrecedes($1) })
    for bytes: [UInt8] in [
      [], [0], [1], [1, 0], [2, 0, 1], [7, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1],
    ] {
      #expect(throws: RecordError.self) { try bytes.withUnsafeBytes { try ObjectKey($0) } }
    }
  }

  @Test func `an index that no key can hold is refused`() throws {
    let attributes = (0..<40).map { AttributeDescription("a\($0)", .uuid) }
    var entity = EntityDescription("E", attributes: attributes)
    entity.indexes = [FetchIndexDescription("wide", elements: attributes.map { .init($0.name) })]
    let model = try ManagedObjectModel(entities: [entity])
    let error = #expect(throws: StoreError.self) { try EngineStore.inMemory(model: model) }
    #expect(error?.code == .invalidValue)
  }
}

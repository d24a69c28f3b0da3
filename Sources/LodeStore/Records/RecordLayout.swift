internal import LodeModel

/// Where the properties of one entity stand in its records; made once and shared by all of them.
///
/// `docs/data-file.md` describes the record's bytes.
///
/// Unchecked for `table`, which is written by `init` alone and freed by `deinit`.
final class RecordLayout: @unchecked Sendable {
  /// How a property is coded.
  enum Kind: Sendable, Hashable {
    /// Not in records: to-many relationships and transient attributes.
    case none
    case boolean, integer16, integer32, integer64, float, double, date, uuid, reference
    case decimal, string, uri, data, composite

    /// The bytes of a kind with a fixed place; nil for variable ones.
    var fixedByteCount: Int? {
      switch self {
      case .boolean: 1
      case .integer16: 2
      case .integer32, .float: 4
      case .integer64, .double, .date, .reference: 8
      case .uuid: 16
      case .none, .decimal, .string, .uri, .data, .composite: nil
      }
    }

    var isVariable: Bool { self != .none && fixedByteCount == nil }
  }

  struct Field: Sendable {
    let kind: Kind
    /// A fixed field's byte offset in the record; a variable one's position in the offset table.
    let place: Int
  }

  /// What reading a field needs, as plain memory that is read without counting references.
  struct Table {
    let fields: UnsafeMutableBufferPointer<Field>
    let entityNumber: UInt16
    let tableStart: Int
    let variableCount: Int
    /// Whether table entries have 4 bytes instead of 2, because the head may pass 32 KiB.
    let isWide: Bool
    let headStart: Int

    @inline(__always)
    func field(_ slot: Int) -> Field {
      precondition(fields.indices.contains(slot), "no slot \(slot) in the record's entity")
      return fields[slot]
    }
  }

  let entityName: EntityName
  let entityNumber: UInt16
  let references: ReferenceTable
  let tails: TailCodec
  /// The properties by slot.
  let properties: [Property]
  /// One for each slot.
  let fields: [Field]
  /// The same and what goes with it; lives as long as the layout.
  let table: UnsafePointer<Table>

  /// The record header's bytes, before the bitmap.
  static let headerByteCount = 20
  /// Variable values of this many bytes and more go into the tail.
  static let tailThreshold = 64

  init(
    entity: Entity, entityNumber: UInt16, references: ReferenceTable, tails: TailCodec
  ) {
    entityName = entity.entityName
    self.entityNumber = entityNumber
    self.references = references
    self.tails = tails
    properties = entity.properties
    var offset = Self.headerByteCount + (properties.count + 7) / 8
    var variableCount = 0
    fields = properties.map { property in
      let kind = Kind(property)
      guard let byteCount = kind.fixedByteCount else {
        if kind != .none { variableCount += 1 }
        return Field(kind: kind, place: variableCount - 1)
      }
      defer { offset += byteCount }
      return Field(kind: kind, place: offset)
    }
    let fieldMemory = UnsafeMutableBufferPointer<Field>.allocate(capacity: fields.count)
    _ = fieldMemory.initialize(from: fields)
    let isWide = variableCount * (Self.tailThreshold - 1) > 0x7FFF
    let tableMemory = UnsafeMutablePointer<Table>.allocate(capacity: 1)
    tableMemory.initialize(
      to: Table(
        fields: fieldMemory, entityNumber: entityNumber, tableStart: offset,
        variableCount: variableCount, isWide: isWide,
        headStart: offset + variableCount * (isWide ? 4 : 2)))
    table = UnsafePointer(tableMemory)
  }

  deinit {
    table.pointee.fields.deallocate()
    table.deallocate()
  }
}

extension RecordLayout.Kind {
  init(_ property: Property) {
    guard let attribute = property.attribute else {
      self = property.isToMany ? .none : .reference
      return
    }
    self = attribute.isTransient ? .none : Self(attribute.type)
  }

  init(_ type: AttributeType) {
    self =
      switch type {
      case .integer16: .integer16
      case .integer32: .integer32
      case .integer64: .integer64
      case .decimal: .decimal
      case .double: .double
      case .float: .float
      case .boolean: .boolean
      case .string: .string
      case .date: .date
      case .binaryData, .transformable: .data
      case .uuid: .uuid
      case .uri: .uri
      case .objectID: .reference
      case .composite: .composite
      }
  }
}

// A composite in a record: for each element of its description in order, a tag and the element's bytes.
// Tags: 0 absent, 1 null, 2 a value. A value of fixed width follows at once, a variable one after its
// length (u32), a composite as its own sequence of elements, without a length.

internal import Foundation
internal import LodeModel

enum CompositeCoding {
  /// How deep composites may be nested.
  static let depthMax = 64

  // MARK: Encoding

  static func append(
    _ elements: [String: Value], of property: Property, _ references: ReferenceTable,
    to bytes: inout [UInt8]
  ) throws(RecordError) {
    let encoder = Encoder(property: property, references: references)
    try encoder.append(elements, property.attribute?.elements ?? [], 1, to: &bytes)
  }

  private struct Encoder {
    let property: Property
    let references: ReferenceTable

    func append(
      _ elements: [String: Value], _ descriptions: [AttributeDescription], _ depth: Int,
      to bytes: inout [UInt8]
    ) throws(RecordError) {
      guard depth <= depthMax else { throw unfit(.composite(elements)) }
      var found = 0
      for description in descriptions {
        guard let value = elements[description.name] else {
          bytes.append(0)
          continue
        }
        found += 1
        try append(value, description, depth, to: &bytes)
      }
      guard found == elements.count else { throw unfit(.composite(elements)) }
    }

    private func append(
      _ value: Value, _ description: AttributeDescription, _ depth: Int, to bytes: inout [UInt8]
    ) throws(RecordError) {
      guard description.type.accepts(value) else { throw unfit(value) }
      bytes.append(value.isNull ? 1 : 2)
      switch value {
      case .null: break
      case .boolean(let boolean): bytes.append(boolean ? 1 : 0)
      case .integer(let integer): bytes.appendInteger(integer)
      case .double(let double):
        let kept = description.type == .float ? Double(Float(double)) : double
        bytes.appendInteger(kept.bitPattern)
      case .date(let date):
        bytes.appendInteger(date.timeIntervalSinceReferenceDate.bitPattern)
      case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
      case .objectID(let objectID):
        guard let reference = references.reference(to: objectID) else {
          throw .foreignReference(property: property.name)
        }
        bytes.appendInteger(reference.bits)
      case .composite(let inner): try append(inner, description.elements, depth + 1, to: &bytes)
      case .decimal, .string, .uri, .data, .list: try appendVariable(value, description, to: &bytes)
      }
    }

    private func appendVariable(
      _ value: Value, _ description: AttributeDescription, to bytes: inout [UInt8]
    ) throws(RecordError) {
      let start = bytes.count
      bytes.appendInteger(UInt32(0))
      let kind = RecordLayout.Kind(description.type)
      guard VariableCoding.append(value, kind, to: &bytes) else { throw unfit(value) }
      let byteCount = bytes.count - start - 4
      guard byteCount <= VariableCoding.byteCountMax else {
        throw .tooLong(property: property.name, byteCountMax: VariableCoding.byteCountMax)
      }
      bytes.setInteger(UInt32(byteCount), at: start)
    }

    private func unfit(_ value: Value) -> RecordError {
      .unfit(property: property.name, kind: value.kind)
    }
  }

  // MARK: Decoding

  static func decode(
    _ bytes: UnsafeRawBufferPointer, _ property: Property, _ references: ReferenceTable
  ) throws(RecordError) -> Value {
    var decoder = Decoder(bytes: bytes, references: references)
    let value = try decoder.composite(property.attribute?.elements ?? [], 1)
    guard decoder.offset == bytes.count else { throw .malformed(reason: "a composite is too long") }
    return value
  }

  private struct Decoder {
    let bytes: UnsafeRawBufferPointer
    let references: ReferenceTable
    var offset = 0

    mutating func composite(
      _ descriptions: [AttributeDescription], _ depth: Int
    ) throws(RecordError) -> Value {
      guard depth <= depthMax else { throw .malformed(reason: "a composite is too deep") }
      var elements: [String: Value] = [:]
      for description in descriptions {
        switch try take(1)[0] {
        case 0: continue
        case 1: elements[description.name] = .null
        case 2: elements[description.name] = try element(description, depth)
        default: throw .malformed(reason: "a composite's element has no known tag")
        }
      }
      return .composite(elements)
    }

    private mutating func element(
      _ description: AttributeDescription, _ depth: Int
    ) throws(RecordError) -> Value {
      switch description.type {
      case .boolean: return .boolean(try take(1)[0] != 0)
      case .integer16, .integer32, .integer64: return .integer(Int64(bitPattern: try word()))
      case .double, .float: return .double(Double(bitPattern: try word()))
      case .date:
        return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: try word())))
      case .uuid: return .uuid(UUID(uuid: try take(16).loadUnaligned(as: uuid_t.self)))
      case .objectID: return .objectID(try references.objectID(of: ObjectReference(bits: word())))
      case .composite: return try composite(description.elements, depth + 1)
      case .string: return .string(try VariableCoding.string(try variable()))
      case .uri: return .uri(try VariableCoding.url(try variable()))
      case .decimal: return .decimal(try DecimalCoding.decode(try variable()))
      case .binaryData, .transformable: return .data(Data(try variable()))
      }
    }

    private mutating func word() throws(RecordError) -> UInt64 {
      try take(8).integer(at: 0, as: UInt64.self)
    }

    private mutating func variable() throws(RecordError) -> UnsafeRawBufferPointer {
      try take(Int(try take(4).integer(at: 0, as: UInt32.self)))
    }

    private mutating func take(_ byteCount: Int) throws(RecordError) -> UnsafeRawBufferPointer {
      guard byteCount <= bytes.count - offset else {
        throw .malformed(reason: "a composite is cut short")
      }
      defer { offset += byteCount }
      return bytes.part(offset, byteCount)
    }
  }
}

// Entities as the catalogue keeps them: JSON that carries all of a description, so that a store can be
// read, shown and migrated without the model that wrote it. Keys that a reader doesn't know are passed
// over; keys that are missing have their defaults.

internal import Foundation
internal import LodeModel

/// An entity description as JSON.
struct EntityCoding: Codable, Hashable {
  var name: String
  var superentity: String?
  var isAbstract: Bool
  var attributes: [AttributeCoding]
  var relationships: [RelationshipCoding]
  var indexes: [IndexCoding]
  var uniquenessConstraints: [[String]]
  var renamingIdentifier: String?
  var versionHashModifier: String?
  var userInfo: [String: String]
}

struct AttributeCoding: Codable, Hashable {
  var name: String
  var type: String
  var isOptional: Bool
  var isTransient: Bool
  /// The default value; missing for null.
  var defaultValue: ValueCoding?
  var elements: [AttributeCoding]
  var renamingIdentifier: String?
  var versionHashModifier: String?
  var userInfo: [String: String]
}

struct RelationshipCoding: Codable, Hashable {
  var name: String
  var destination: String
  var inverse: String?
  var isToMany: Bool
  var isOrdered: Bool
  var isOptional: Bool
  var deleteRule: String
  var countMin: Int
  var countMax: Int
  var renamingIdentifier: String?
  var versionHashModifier: String?
  var userInfo: [String: String]
}

struct IndexCoding: Codable, Hashable {
  struct Element: Codable, Hashable {
    var property: String
    var isAscending: Bool
  }

  var name: String
  var elements: [Element]
}

/// A default value as JSON: its kind and its text, which loses nothing.
struct ValueCoding: Codable, Hashable {
  var kind: String
  var text: String
  /// The elements of a composite, which has no text.
  var elements: [String: ValueCoding]?
}

// MARK: From descriptions

extension EntityCoding {
  /// Properties and constraints in a fixed order, so that equal descriptions have equal codings.
  init(_ entity: EntityDescription) {
    name = entity.name
    superentity = entity.superentityName
    isAbstract = entity.isAbstract
    attributes = entity.attributes.map(AttributeCoding.init).sorted { $0.name < $1.name }
    relationships = entity.relationships.map(RelationshipCoding.init).sorted { $0.name < $1.name }
    indexes = entity.indexes.map(IndexCoding.init).sorted { $0.name < $1.name }
    uniquenessConstraints = entity.uniquenessConstraints.sorted { $0.lexicographicallyPrecedes($1) }
    renamingIdentifier = entity.renamingIdentifier
    versionHashModifier = entity.versionHashModifier
    userInfo = entity.userInfo
  }
}

extension AttributeCoding {
  init(_ attribute: AttributeDescription) {
    name = attribute.name
    type = attribute.type.rawValue
    isOptional = attribute.isOptional
    isTransient = attribute.isTransient
    defaultValue = ValueCoding(attribute.defaultValue)
    elements = attribute.elements.map(AttributeCoding.init)
    renamingIdentifier = attribute.renamingIdentifier
    versionHashModifier = attribute.versionHashModifier
    userInfo = attribute.userInfo
  }
}

extension RelationshipCoding {
  init(_ relationship: RelationshipDescription) {
    name = relationship.name
    destination = relationship.destinationName
    inverse = relationship.inverseName
    isToMany = relationship.isToMany
    isOrdered = relationship.isOrdered
    isOptional = relationship.isOptional
    deleteRule = relationship.deleteRule.rawValue
    countMin = relationship.countMin
    countMax = relationship.countMax
    renamingIdentifier = relationship.renamingIdentifier
    versionHashModifier = relationship.versionHashModifier
    userInfo = relationship.userInfo
  }
}

extension IndexCoding {
  init(_ index: FetchIndexDescription) {
    name = index.name
    elements = index.elements.map {
      Element(property: $0.propertyName, isAscending: $0.isAscending)
    }
  }
}

extension ValueCoding {
  /// Codes a default; nil for null and for what defaults can't be (lists and object IDs).
  init?(_ value: Value) {
    let text: String
    switch value {
    case .null, .list, .objectID: return nil
    case .composite(let values):
      text = ""
      elements = values.compactMapValues(ValueCoding.init)
    case .boolean(let boolean): text = boolean ? "true" : "false"
    case .integer(let number): text = String(number)
    case .double(let number): text = String(number.bitPattern, radix: 16)
    case .date(let date): text = String(date.timeIntervalSinceReferenceDate.bitPattern, radix: 16)
    case .decimal(let decimal): text = decimal.description
    case .string(let string): text = string
    case .data(let data): text = data.base64EncodedString()
    case .uuid(let uuid): text = uuid.uuidString
    case .uri(let url): text = url.absoluteString
    }
    kind = value.codingKind
    self.text = text
  }
}

extension Value {
  fileprivate var codingKind: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .integer: "integer"
    case .double: "double"
    case .decimal: "decimal"
    case .string: "string"
    case .date: "date"
    case .data: "data"
    case .uuid: "uuid"
    case .uri: "uri"
    case .objectID: "objectID"
    case .list: "list"
    case .composite: "composite"
    }
  }
}

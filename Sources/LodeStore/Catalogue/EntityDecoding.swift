// Descriptions out of the catalogue: the way back from `EntityCoding`.

internal import Foundation
internal import LodeModel

extension EntityDescription {
  /// Makes the description that was coded; nil when it has a type or rule that this code doesn't know.
  init?(_ coding: EntityCoding) {
    self.init(coding.name, superentityName: coding.superentity, isAbstract: coding.isAbstract)
    for attribute in coding.attributes {
      guard let attribute = AttributeDescription(attribute) else { return nil }
      attributes.append(attribute)
    }
    for relationship in coding.relationships {
      guard let relationship = RelationshipDescription(relationship) else { return nil }
      relationships.append(relationship)
    }
    indexes = coding.indexes.map { index in
      FetchIndexDescription(
        index.name,
        elements: index.elements.map { .init($0.property, isAscending: $0.isAscending) })
    }
    uniquenessConstraints = coding.uniquenessConstraints
    renamingIdentifier = coding.renamingIdentifier
    versionHashModifier = coding.versionHashModifier
    userInfo = coding.userInfo
  }
}

extension AttributeDescription {
  fileprivate init?(_ coding: AttributeCoding) {
    guard let type = AttributeType(rawValue: coding.type) else { return nil }
    let elements = coding.elements.compactMap { AttributeDescription($0) }
    guard elements.count == coding.elements.count else { return nil }
    var defaultValue = Value.null
    if let coded = coding.defaultValue {
      guard let value = coded.value else { return nil }
      defaultValue = value
    }
    self.init(
      coding.name, type, isOptional: coding.isOptional, isTransient: coding.isTransient,
      defaultValue: defaultValue, elements: elements,
      renamingIdentifier: coding.renamingIdentifier,
      versionHashModifier: coding.versionHashModifier, userInfo: coding.userInfo)
  }
}

extension RelationshipDescription {
  fileprivate init?(_ coding: RelationshipCoding) {
    guard let deleteRule = DeleteRule(rawValue: coding.deleteRule) else { return nil }
    self.init(
      coding.name, to: coding.destination, inverse: coding.inverse, isToMany: coding.isToMany,
      isOrdered: coding.isOrdered, isOptional: coding.isOptional, deleteRule: deleteRule,
      countMin: coding.countMin, countMax: coding.countMax,
      renamingIdentifier: coding.renamingIdentifier,
      versionHashModifier: coding.versionHashModifier, userInfo: coding.userInfo)
  }
}

extension ValueCoding {
  fileprivate var value: Value? {
    switch kind {
    case "boolean": .boolean(text == "true")
    case "integer": Int64(text).map(Value.integer)
    case "double": UInt64(text, radix: 16).map { .double(Double(bitPattern: $0)) }
    case "date":
      UInt64(text, radix: 16).map {
        .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: $0)))
      }
    case "decimal": Decimal(string: text).map(Value.decimal)
    case "string": .string(text)
    case "data": Data(base64Encoded: text).map(Value.data)
    case "uuid": UUID(uuidString: text).map(Value.uuid)
    case "uri": URL(string: text).map(Value.uri)
    case "composite": .composite((elements ?? [:]).compactMapValues(\.value))
    default: nil
    }
  }
}

// The version hash of an entity tells whether stored rows fit a model: it covers what decides how rows
// are stored and nothing else. It is FNV-1a with 128 bits (Fowler, Noll, Vo) over a text that lists the
// structure, each part preceded by its length so that no two structures share a text.
//
// Part of it: names, abstractness, inheritance, attribute types, optionality, transience, elements,
// destinations, inverses, cardinality, order and the hash modifiers. Not part of it: defaults, delete
// rules, counts, indexes, uniqueness, user info, renaming identifiers and classes, none of which
// changes the form of a stored row.

/// A number that is equal for entities whose rows are stored alike.
public struct VersionHash: Hashable, Sendable, CustomStringConvertible {
  /// The hash.
  public let bits: UInt128

  /// Makes a hash of its bits, as a store keeps them.
  public init(bits: UInt128) { self.bits = bits }

  /// The hash as 32 hexadecimal digits.
  public var description: String {
    let digits = String(bits, radix: 16)
    return String(repeating: "0", count: 32 - digits.count) + digits
  }
}

extension VersionHash {
  init(of entity: EntityDescription, inheriting inherited: VersionHash?) {
    var hasher = StructureHasher()
    hasher.add("entity", entity.name, entity.isAbstract ? "abstract" : "concrete")
    hasher.add("inherits", inherited?.description ?? "")
    hasher.add("modifier", entity.versionHashModifier ?? "")
    for attribute in entity.attributes.sorted(by: { $0.name < $1.name }) { hasher.add(attribute) }
    for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) {
      hasher.add(relationship)
    }
    bits = hasher.bits
  }

  /// Makes the hash of a whole model from the hashes of its entities.
  init(ofEntities hashes: [String: VersionHash]) {
    var hasher = StructureHasher()
    for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) {
      hasher.add(name, hash.description)
    }
    bits = hasher.bits
  }
}

private struct StructureHasher {
  var bits: UInt128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d

  private static let prime: UInt128 = 0x0000_0000_0100_0000_0000_0000_0000_013b

  mutating func add(_ parts: String...) {
    for part in parts {
      add(bytes: String(part.utf8.count))
      add(bytes: ":")
      add(bytes: part)
    }
  }

  private mutating func add(bytes text: String) {
    for byte in text.utf8 { bits = (bits ^ UInt128(byte)) &* Self.prime }
  }

  mutating func add(_ attribute: AttributeDescription) {
    add("attribute", attribute.name, attribute.type.rawValue)
    add(attribute.isOptional ? "optional" : "required", attribute.isTransient ? "transient" : "")
    add(attribute.versionHashModifier ?? "", "\(attribute.elements.count)")
    for element in attribute.elements.sorted(by: { $0.name < $1.name }) { add(element) }
  }

  mutating func add(_ relationship: RelationshipDescription) {
    add("relationship", relationship.name, relationship.destinationName)
    add(relationship.inverseName ?? "", relationship.isToMany ? "many" : "one")
    add(relationship.isOrdered ? "ordered" : "", relationship.isOptional ? "optional" : "required")
    add(relationship.versionHashModifier ?? "")
  }
}

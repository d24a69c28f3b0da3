internal import LodeModel

/// An object inside its store, in 8 bytes: its number (48 bits), then its entity's number (16 bits).
///
/// References are ordered by object number, as object IDs are. Big endian in keys, little endian in
/// records.
struct ObjectReference: Hashable, Sendable, Comparable {
  let bits: UInt64

  init(bits: UInt64) { self.bits = bits }

  init(number: UInt64, entityNumber: UInt16) {
    bits = number << 16 | UInt64(entityNumber)
  }

  /// The object's number, 0 to 2^48 - 1; 0 only in damaged bytes.
  var number: UInt64 { bits >> 16 }
  var entityNumber: UInt16 { UInt16(truncatingIfNeeded: bits) }

  static func < (left: Self, right: Self) -> Bool { left.bits < right.bits }
}

/// The numbers that a store has given to its entities, and the way between object IDs and references.
final class ReferenceTable: Sendable {
  let store: StoreIdentifier
  private let names: [EntityName?]
  private let numbers: [EntityName: UInt16]

  /// - Parameter numbers: a number from 1 for each entity of the store.
  init(store: StoreIdentifier, numbers: [EntityName: UInt16]) {
    self.store = store
    self.numbers = numbers
    var names = [EntityName?](repeating: nil, count: Int(numbers.values.max() ?? 0) + 1)
    for (name, number) in numbers { names[Int(number)] = name }
    self.names = names
  }

  /// Returns the reference of an object; nil when its store or its entity is another's.
  func reference(to objectID: ManagedObjectID) -> ObjectReference? {
    guard objectID.store == store, let entityNumber = numbers[objectID.entityName] else {
      return nil
    }
    return ObjectReference(number: objectID.number, entityNumber: entityNumber)
  }

  /// Returns the ID of the object that a reference from the store's bytes leads to.
  ///
  /// - Throws: `RecordError.malformed` when there is no such entity or the number is 0.
  func objectID(of reference: ObjectReference) throws(RecordError) -> ManagedObjectID {
    let index = Int(reference.entityNumber)
    guard reference.number > 0, index < names.count, let name = names[index] else {
      throw .malformed(reason: "a reference to object \(reference.number) of entity \(index)")
    }
    return ManagedObjectID(store: store, entityName: name, number: reference.number)
  }

  func number(of entityName: EntityName) -> UInt16? { numbers[entityName] }
}

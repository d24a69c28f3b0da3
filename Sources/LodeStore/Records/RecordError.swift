package import LodeModel

/// Why a value could not be put into a record or taken out of one.
package enum RecordError: Error, Sendable, Hashable {
  /// The record's bytes make no sense; the reason says where.
  case malformed(reason: String)
  /// The record of an object isn't what was written; the reason says where.
  case damaged(objectID: ManagedObjectID, reason: String)
  /// A record names a compression dictionary that the store doesn't have.
  case missingDictionary(number: UInt16)
  /// A value is of a kind, or in a range, that its property can't hold.
  case unfit(property: String, kind: String)
  /// A value or a row's values together are longer than a record can be.
  case tooLong(property: String, byteCountMax: Int)
  /// A reference leads to an object of another store or of an entity that the store doesn't know.
  case foreignReference(property: String)
  /// zstd refused to work, for want of memory.
  case compression(reason: String)
}

public import LodeModel

/// One row out of a store: an object's stored values and the version they have.
///
/// The values stay in the bytes of their record and are decoded when they are asked for; a copy of a row
/// shares those bytes.
public struct ObjectRow: Sendable {
  /// Whose values these are.
  public let objectID: ManagedObjectID

  /// Counts the row's changes, from 1.
  public let version: UInt32

  /// The values' bytes.
  package let record: Record

  /// Makes a row of a record.
  package init(objectID: ManagedObjectID, version: UInt32, record: Record) {
    self.objectID = objectID
    self.version = version
    self.record = record
  }

  /// Returns the value of a slot: `.null` for nil, for to-many relationships and for transient
  /// attributes; `.objectID` for a to-one relationship.
  ///
  /// - Complexity: O(1), and the value's own size; the first long value of a row decompresses its tail.
  /// - Throws: `StoreError` with code `corrupt` when the record's bytes make no sense.
  public func value(at slot: Int) throws(StoreError) -> Value {
    do throws(RecordError) {
      return try record.value(at: slot)
    } catch {
      throw StoreError(error, objectIDs: [objectID])
    }
  }
}

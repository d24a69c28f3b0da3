package import LodeModel
package import LodeStore

/// An object's values as its context's backing knows them: a stored row, or the values that an object of
/// the parent context has.
package enum ObjectImage: Sendable {
  case row(ObjectRow)
  case values([Value], version: UInt32)

  /// Counts the row's changes; 0 for an object that was never stored.
  package var version: UInt32 {
    switch self {
    case .row(let row): row.version
    case .values(_, let version): version
    }
  }

  /// Returns the value of a slot; `.null` at to-many relationships and transient attributes.
  package func value(at slot: Int) throws(StoreError) -> Value {
    switch self {
    case .row(let row): try row.value(at: slot)
    case .values(let values, _): values[slot]
    }
  }
}

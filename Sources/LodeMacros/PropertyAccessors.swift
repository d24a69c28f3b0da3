public import Lode

// What accessors call beside the functions that `ManagedObject` has for them.

extension ManagedObject {
  /// Returns the object at the other end of a relationship that isn't optional.
  ///
  /// - Precondition: The relationship has been set, and its object has not been deleted.
  public final func _requiredToOne<T: ManagedObject>(_ slot: Int) -> T {
    guard let object: T = toOne(slot) else {
      preconditionFailure(
        "\(entity.name).\(entity.properties[slot].name) has no object: set it before it is read, "
          + "or make it optional")
    }
    return object
  }
}

// A type that is an attribute value and also has a raw value is stored as itself. Without these the compiler
// would find two functions that fit equally well.
extension ManagedObject {
  /// Returns an attribute's value, or the default while it is nil.
  public final func attribute<T: AttributeValue & RawRepresentable>(
    _ slot: Int, default value: @autoclosure () -> T
  ) -> T where T.RawValue: AttributeValue { asItself(slot) ?? value() }

  /// Returns an attribute's value; nil while it has none.
  public final func attribute<T: AttributeValue & RawRepresentable>(
    _ slot: Int
  ) -> T? where T.RawValue: AttributeValue { asItself(slot) }

  /// Sets an attribute; the save checks that the value is in range.
  public final func setAttribute<T: AttributeValue & RawRepresentable>(
    _ slot: Int, _ value: T?
  ) where T.RawValue: AttributeValue { setAsItself(slot, value) }

  private func asItself<T: AttributeValue>(_ slot: Int) -> T? { attribute(slot) }

  private func setAsItself<T: AttributeValue>(_ slot: Int, _ value: T?) {
    setAttribute(slot, value)
  }
}

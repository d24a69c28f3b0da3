import Foundation
public import LodeModel

// Reading and setting attributes by slot: what expansions of `@Model` call.

extension ManagedObject {
  /// Returns an attribute's value, or the default while it is nil.
  @inlinable
  public final func attribute<T: AttributeValue>(_ slot: Int, default: @autoclosure () -> T) -> T {
    T(value: currentValue(at: slot)) ?? `default`()
  }

  /// Returns an attribute's value; nil while it has none.
  @inlinable
  public final func attribute<T: AttributeValue>(_ slot: Int) -> T? {
    T(value: currentValue(at: slot))
  }

  /// Sets an attribute; the save checks that the value is in range.
  @inlinable
  public final func setAttribute<T: AttributeValue>(_ slot: Int, _ value: T?) {
    setValue(value?.value ?? .null, at: slot)
  }

  /// Sets an attribute's value; a value equal to the present one is no change.
  @usableFromInline
  package final func setValue(_ value: Value, at slot: Int) {
    let old = currentValue(at: slot)
    guard old != value, !(old.isNaN && value.isNaN), let host else { return }
    host.object(self, willChange: slot, from: old)
    store(value, at: slot)
    host.objectDidChange(self)
  }

  /// Keeps a pending value, or forgets it when it is what the row has.
  package final func store(_ value: Value, at slot: Int) {
    if entity.definition.transientSlots.contains(slot) {
      transientValues[slot] = value
      return
    }
    var values = pendingValues ?? ContiguousArray(repeating: nil, count: entity.properties.count)
    pendingValues = nil
    let stored = status.contains(.inserted) ? nil : imageValue(at: slot)
    let isAsStored = stored == value || stored?.isNaN ?? false && value.isNaN
    values[slot] = isAsStored ? Value?.none : .some(value)
    pendingValues = values
  }
}

extension ManagedObject {
  /// Returns an enumeration's value that is stored by its raw value, or the default.
  public final func attribute<T: RawRepresentable>(
    _ slot: Int, default: @autoclosure () -> T
  ) -> T where T.RawValue: AttributeValue {
    attribute(slot) ?? `default`()
  }

  /// Returns an enumeration's value that is stored by its raw value; nil for none and for an unknown one.
  public final func attribute<T: RawRepresentable>(
    _ slot: Int
  ) -> T? where T.RawValue: AttributeValue {
    T.RawValue(value: currentValue(at: slot)).flatMap(T.init(rawValue:))
  }

  /// Sets an enumeration's value, stored by its raw value.
  public final func setAttribute<T: RawRepresentable>(
    _ slot: Int, _ value: T?
  ) where T.RawValue: AttributeValue {
    setValue(value?.rawValue.value ?? .null, at: slot)
  }
}

extension ManagedObject {
  /// Returns a value stored through `Codable`, or the default.
  @_disfavoredOverload
  public final func attribute<T: Codable>(_ slot: Int, default: @autoclosure () -> T) -> T {
    codable(slot) ?? `default`()
  }

  /// Returns a value stored through `Codable`; nil for none and for data that is no such value, which the
  /// next save or fetch of the context reports.
  @_disfavoredOverload
  public final func attribute<T: Codable>(_ slot: Int) -> T? { codable(slot) }

  /// Sets a value stored through `Codable`, as JSON with sorted keys; what can't be encoded is reported by
  /// the next save of the context and leaves the attribute as it was.
  @_disfavoredOverload
  public final func setAttribute<T: Codable>(_ slot: Int, _ value: T?) {
    do {
      setValue(try value.map { try Self.storedValue(encoding: $0) } ?? .null, at: slot)
    } catch {
      host?.accessDidFail(error, on: objectID)
    }
  }

  private func codable<T: Codable>(_ slot: Int) -> T? {
    guard case .data(let data) = currentValue(at: slot) else { return nil }
    do {
      return try JSONDecoder().decode([T].self, from: data).first
    } catch {
      host?.accessDidFail(error, on: objectID)
      return nil
    }
  }

  /// Returns the form in which a value that is stored through `Codable` is kept.
  ///
  /// The value is encoded inside an array, since a JSON text of a lone number or string is not for every
  /// decoder; sorted keys make equal values equal bytes.
  ///
  /// - Throws: what the value throws when it is encoded.
  package static func storedValue<T: Codable>(encoding value: T) throws -> Value {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return .data(try encoder.encode([value]))
  }
}

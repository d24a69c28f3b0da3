public import Lode

// The functions below are never called: they say in words what is wrong with a property, at the property.
extension ManagedObject {
  /// Refuses to read a type that can't be stored.
  @available(
    *, unavailable,
    message:
      "this type can't be stored: attributes hold the standard types, enumerations with a raw value and Codable types; @Unmodeled keeps a property out of the model"
  )
  @_disfavoredOverload
  public final func attribute<T>(_ slot: Int, default value: @autoclosure () -> T) -> T { value() }

  /// Refuses to read a type that can't be stored.
  @available(
    *, unavailable,
    message:
      "this type can't be stored: attributes hold the standard types, enumerations with a raw value and Codable types; @Unmodeled keeps a property out of the model"
  )
  @_disfavoredOverload
  public final func attribute<T>(_ slot: Int) -> T? { nil }

  /// Refuses to set a type that can't be stored.
  @available(*, unavailable, message: "this type can't be stored")
  @_disfavoredOverload
  public final func setAttribute<T>(_ slot: Int, _ value: T?) {}
}

extension ManagedObject {
  /// Refuses to read an object as if it were an attribute.
  @available(
    *, unavailable,
    message: "a property that leads to objects is a relationship: write @Relationship before it"
  )
  public final func attribute<T: ManagedObject>(_ slot: Int) -> T? { nil }

  /// Refuses to read objects as if they were an attribute.
  @available(
    *, unavailable,
    message: "a property that leads to objects is a relationship: write @Relationship before it"
  )
  public final func attribute<T: ManagedObject>(
    _ slot: Int, default value: @autoclosure () -> Set<T>
  ) -> Set<T> { value() }

  /// Refuses to read objects as if they were an attribute.
  @available(
    *, unavailable,
    message: "a property that leads to objects is a relationship: write @Relationship before it"
  )
  public final func attribute<T: ManagedObject>(
    _ slot: Int, default value: @autoclosure () -> [T]
  ) -> [T] { value() }
}

extension ManagedObject {
  /// Refuses a relationship to what is no object.
  @available(
    *, unavailable, message: "a relationship leads to a model class; this type is none"
  )
  @_disfavoredOverload
  public final func toOne<T>(_ slot: Int) -> T? { nil }

  /// Refuses a relationship to what is no object.
  @available(
    *, unavailable, message: "a relationship leads to a model class; this type is none"
  )
  @_disfavoredOverload
  public final func toMany<T>(_ slot: Int) -> Set<T> { [] }

  /// Refuses a relationship to what is no object.
  @available(
    *, unavailable, message: "a relationship leads to a model class; this type is none"
  )
  @_disfavoredOverload
  public final func ordered<T>(_ slot: Int) -> [T] { [] }
}

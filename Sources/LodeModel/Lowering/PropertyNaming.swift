/// A class whose key paths are known by the names of the properties in its entity.
///
/// `@Model` conforms classes to it. A class by hand answers for its own properties and passes the others
/// to its superclass; the key path to an object's ID is named `objectID`.
public protocol PropertyNaming {
  /// Returns the name of the property that a key path from this class, or from a class above or below it,
  /// leads to in one step; nil for a key path that leads to no property.
  ///
  /// May be called from any thread.
  static func propertyName(of keyPath: AnyKeyPath) -> String?
}

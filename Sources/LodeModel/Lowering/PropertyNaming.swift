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

  /// The name of the class's entity; nil when the class declares none.
  static var declaredEntityName: String? { get }
}

extension PropertyNaming {
  /// None, unless the class says otherwise.
  public static var declaredEntityName: String? { nil }
}

/// What messages say of key paths that lead to no property.
enum PropertyLookup {
  /// Says that a class has no property at a key path, and what to do instead.
  static func failure(
    _ root: Any.Type, _ keyPath: AnyKeyPath, _ advice: String
  ) -> ObjectPredicateError {
    ObjectPredicateError(
      .unknownKey,
      "\(root) has no stored property where this key path leads in one step; \(advice)",
      keyPath: text(keyPath))
  }

  /// Returns a key path as it is written; nil where only the addresses of its accessors are known.
  static func text(_ keyPath: AnyKeyPath) -> String? {
    let text = String(describing: keyPath)
    return text.contains("<") ? nil : text
  }
}

/// What an attribute of an entity is.
public struct AttributeDescription: Hashable, Sendable {
  /// The name, unique in the entity, without dots.
  public var name: String
  /// What values the attribute holds.
  public var type: AttributeType

  /// Whether nil may be saved; nil may be held in memory either way.
  public var isOptional: Bool

  /// Whether the attribute is never stored and lost when its object becomes a fault.
  public var isTransient: Bool

  /// The value that a new object has; null for none. Not part of the version hash.
  public var defaultValue: Value

  /// The elements of a composite attribute; empty for every other type.
  public var elements: [AttributeDescription]

  /// The attribute's name in an earlier version of the model, when it was renamed.
  public var renamingIdentifier: String?

  /// Text that changes the version hash by being changed.
  public var versionHashModifier: String?

  /// The application's own notes; not part of the version hash.
  public var userInfo: [String: String]

  /// Describes an attribute; nothing is checked before a model is made of it.
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = true, isTransient: Bool = false,
    defaultValue: Value = .null, elements: [AttributeDescription] = [],
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.elements = elements
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }
}

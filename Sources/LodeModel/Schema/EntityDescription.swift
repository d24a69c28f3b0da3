/// What an entity is, as its author writes it; a model turns descriptions into `Entity`.
///
/// A description is a value: changing one after a model was made from it changes nothing but itself.
public struct EntityDescription: Sendable {
  /// The name, unique in the model.
  public var name: String

  /// Whether objects of this entity itself can't exist, only those of its sub-entities.
  public var isAbstract: Bool

  /// The name of the entity whose properties this one inherits.
  public var superentityName: String?

  /// The attributes that the entity adds to the inherited ones, in any order.
  public var attributes: [AttributeDescription]

  /// The relationships that the entity adds to the inherited ones, in any order.
  public var relationships: [RelationshipDescription]

  /// The indexes that the entity adds to the inherited ones.
  public var indexes: [FetchIndexDescription]

  /// Each a tuple of property names whose values no two objects of the entity or its sub-entities
  /// may share; tuples with a null in them don't collide.
  public var uniquenessConstraints: [[String]]

  /// The entity's name in an earlier version of the model, when it was renamed.
  public var renamingIdentifier: String?
  /// Text that changes the version hash by being changed.
  public var versionHashModifier: String?
  /// The application's own notes; not part of the version hash.
  public var userInfo: [String: String]

  /// The class of the entity's objects; nil for `ManagedObject` itself. Not part of the version hash
  /// nor of a model's equality.
  public var managedObjectClass: (any AnyObject.Type)?

  /// Describes an entity; nothing is checked before a model is made of it.
  public init(
    _ name: String, superentityName: String? = nil, isAbstract: Bool = false,
    attributes: [AttributeDescription] = [], relationships: [RelationshipDescription] = [],
    indexes: [FetchIndexDescription] = [], uniquenessConstraints: [[String]] = [],
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:], managedObjectClass: (any AnyObject.Type)? = nil
  ) {
    self.name = name
    self.isAbstract = isAbstract
    self.superentityName = superentityName
    self.attributes = attributes
    self.relationships = relationships
    self.indexes = indexes
    self.uniquenessConstraints = uniquenessConstraints
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
    self.managedObjectClass = managedObjectClass
  }
}

extension EntityDescription: Equatable {
  /// Compares everything but the class, and without regard to the order of properties and indexes.
  public static func == (left: Self, right: Self) -> Bool {
    left.name == right.name && left.isAbstract == right.isAbstract
      && left.superentityName == right.superentityName
      && Set(left.attributes) == Set(right.attributes)
      && Set(left.relationships) == Set(right.relationships)
      && Set(left.indexes) == Set(right.indexes)
      && Set(left.uniquenessConstraints) == Set(right.uniquenessConstraints)
      && left.renamingIdentifier == right.renamingIdentifier
      && left.versionHashModifier == right.versionHashModifier && left.userInfo == right.userInfo
  }
}

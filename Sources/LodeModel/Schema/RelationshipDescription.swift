/// What happens to the objects at the other end of a relationship when an object is deleted.
public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
  /// Leaves the other end alone, which may then point to nothing.
  case noAction
  /// Takes the object out of the inverse relationship.
  case nullify
  /// Deletes the objects at the other end too.
  case cascade
  /// Refuses the deletion while there are objects at the other end that are not deleted as well.
  case deny
}

/// What a relationship of an entity is.
public struct RelationshipDescription: Hashable, Sendable {
  /// The name, unique in the entity, without dots.
  public var name: String

  /// The name of the entity at the other end.
  public var destinationName: String

  /// The name of the relationship back; nil for a one-way relationship.
  public var inverseName: String?

  /// Whether there may be many objects at the other end.
  public var isToMany: Bool

  /// Whether a to-many keeps its members in the order they were given.
  public var isOrdered: Bool

  /// Whether an empty relationship may be saved.
  public var isOptional: Bool

  /// What deleting an object does at the other end.
  public var deleteRule: DeleteRule

  /// The least and the greatest count of members of a to-many, where it isn't empty and optional;
  /// a `countMax` of 0 means no limit.
  public var countMin: Int
  /// The greatest count of members; 0 for no limit.
  public var countMax: Int

  /// The relationship's name in an earlier version of the model, when it was renamed.
  public var renamingIdentifier: String?
  /// Text that changes the version hash by being changed.
  public var versionHashModifier: String?
  /// The application's own notes; not part of the version hash.
  public var userInfo: [String: String]

  /// Describes a relationship; nothing is checked before a model is made of it.
  public init(
    _ name: String, to destinationName: String, inverse inverseName: String? = nil,
    isToMany: Bool = false, isOrdered: Bool = false, isOptional: Bool = true,
    deleteRule: DeleteRule = .nullify, countMin: Int = 0, countMax: Int = 0,
    renamingIdentifier: String? = nil, versionHashModifier: String? = nil,
    userInfo: [String: String] = [:]
  ) {
    self.name = name
    self.destinationName = destinationName
    self.inverseName = inverseName
    self.isToMany = isToMany
    self.isOrdered = isOrdered
    self.isOptional = isOptional
    self.deleteRule = deleteRule
    self.countMin = countMin
    self.countMax = countMax
    self.renamingIdentifier = renamingIdentifier
    self.versionHashModifier = versionHashModifier
    self.userInfo = userInfo
  }
}

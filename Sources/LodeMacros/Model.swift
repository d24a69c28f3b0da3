@_exported public import Lode

/// Makes a class an entity of models: its stored properties become attributes and relationships.
///
/// The class inherits from `ManagedObject` or from another class with `@Model`, whose entity it then
/// extends. The entity has the class's name. Every stored property of its objects becomes an attribute,
/// or a relationship where it has `@Relationship`; computed and static ones stay as they are.
///
/// ```swift
/// @Model final class Team: ManagedObject {
///   @Attribute(.unique) var name: String = ""
///   @Relationship(deleteRule: .cascade, inverse: \.team) var players: Set<Player>
/// }
/// ```
///
/// A property reads and sets its object's row by position: an access costs no look-up by name.
///
/// - Parameters:
///   - isAbstract: Whether objects of the class itself can't exist, only those of its subclasses.
///   - originalName: The entity's name in an earlier version of the model.
///   - hashModifier: Text that changes the entity's version hash by being changed.
///   - uniqueness: Tuples of property names whose values no two objects may share, beside the single
///     ones that `@Attribute(.unique)` makes.
///   - indexes: Indexes of several properties, beside the single ones that `@Attribute(.indexed)` makes.
@attached(memberAttribute)
@attached(
  member, names: named(entityDescription), named(propertyCount), named(propertyName(of:)),
  named(setInitialValues()), named(_Slot), named(_declaredEntity),
  named(_name(of:in:)))
public macro Model(
  isAbstract: Bool = false, originalName: String? = nil, hashModifier: String? = nil,
  uniqueness: [[String]] = [], indexes: [FetchIndexDescription] = []
) = #externalMacro(module: "LodeMacrosPlugin", type: "ModelMacro")

/// Says more about an attribute than its type does.
///
/// - Parameters:
///   - options: What stores do with the attribute.
///   - originalName: The attribute's name in an earlier version of the model.
///   - hashModifier: Text that changes the entity's version hash by being changed.
@attached(peer)
public macro Attribute(
  _ options: AttributeOption..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "LodeMacrosPlugin", type: "AttributeMacro")

/// Makes a property a relationship: to one object, a `Set` of objects, or an `Array` of them in order.
///
/// Name the inverse on one side or on both, as a key path that begins at the other class: `\.team`. A key
/// path with the class written out, `\Player.team`, is possible on one side of a pair only, since Swift
/// can't check two of them that need each other.
///
/// - Parameters:
///   - deleteRule: What happens to the objects at the other end when an object is deleted.
///   - inverse: The relationship back.
///   - originalName: The relationship's name in an earlier version of the model.
///   - hashModifier: Text that changes the entity's version hash by being changed.
///   - minimumCount: The least count of members that may be saved; above 0, there must be some.
///   - maximumCount: The greatest count of members that may be saved; 0 for no limit.
@attached(peer, names: prefixed(_inverse_))
public macro Relationship(
  deleteRule: DeleteRule = .nullify, inverse: KeyPath<InverseName, InverseName>,
  originalName: String? = nil, hashModifier: String? = nil, minimumCount: Int = 0,
  maximumCount: Int = 0
) = #externalMacro(module: "LodeMacrosPlugin", type: "RelationshipMacro")

/// Makes a property a relationship whose inverse is named on the other side, in full, or not at all.
@attached(peer, names: prefixed(_inverse_))
public macro Relationship(
  deleteRule: DeleteRule = .nullify, inverse: AnyKeyPath? = nil, originalName: String? = nil,
  hashModifier: String? = nil, minimumCount: Int = 0, maximumCount: Int = 0
) = #externalMacro(module: "LodeMacrosPlugin", type: "RelationshipMacro")

/// Keeps a stored property out of the model: it belongs to the Swift object and is lost with it.
///
/// The property needs a value of its own, because objects are made by their context. Nothing tracks its
/// changes, and an object that is fetched again after it was released starts anew. An attribute that
/// isn't stored but takes part in undo and validation is `@Attribute(.transient)`.
@attached(peer)
public macro Unmodeled() = #externalMacro(module: "LodeMacrosPlugin", type: "UnmodeledMacro")

/// Gives a property of a model class its accessors; `@Model` adds it.
@attached(accessor)
public macro _ModelProperty() =
  #externalMacro(module: "LodeMacrosPlugin", type: "PropertyMacro")

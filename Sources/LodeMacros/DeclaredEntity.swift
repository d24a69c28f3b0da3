public import Lode

/// An entity under construction: what expansions of `@Model` say about their class.
public struct _DeclaredEntity {
  /// The entity as declared so far.
  public private(set) var description: EntityDescription

  /// Begins the entity of a class.
  public init(
    _ name: String, of type: ManagedObject.Type, inheriting superclass: ManagedObject.Type? = nil,
    isAbstract: Bool = false, originalName: String? = nil, hashModifier: String? = nil,
    uniqueness: [[String]] = [], indexes: [FetchIndexDescription] = []
  ) {
    description = EntityDescription(
      name, superentityName: superclass?.entityDescription?.name, isAbstract: isAbstract,
      indexes: indexes, uniquenessConstraints: uniqueness, renamingIdentifier: originalName,
      versionHashModifier: hashModifier, managedObjectClass: type)
  }

  fileprivate mutating func add(_ attribute: AttributeDescription, _ options: [AttributeOption]) {
    var attribute = attribute
    attribute.isTransient = options.contains(.transient)
    description.attributes.append(attribute)
    if options.contains(.unique) { description.uniquenessConstraints.append([attribute.name]) }
    if options.contains(.indexed) {
      description.indexes.append(FetchIndexDescription(on: attribute.name))
    }
  }
}

// MARK: Attributes

// Which of the functions is called decides how a type is stored: a standard type as itself, an enumeration
// by its raw value, any other `Codable` type as data. The same order of preference rules the accessors of
// `ManagedObject`.
extension _DeclaredEntity {
  /// Declares an attribute of a standard type.
  public mutating func attribute<T: AttributeValue>(
    _ name: String, _ type: T.Type, isOptional: Bool = false, default value: T? = nil,
    options: [AttributeOption] = [], originalName: String? = nil, hashModifier: String? = nil
  ) {
    add(
      AttributeDescription(
        name, T.attributeType, isOptional: isOptional, defaultValue: value?.value ?? .null,
        renamingIdentifier: originalName, versionHashModifier: hashModifier), options)
  }

  /// Declares an attribute of an enumeration, stored by its raw value.
  public mutating func attribute<T: RawRepresentable>(
    _ name: String, _ type: T.Type, isOptional: Bool = false, default value: T? = nil,
    options: [AttributeOption] = [], originalName: String? = nil, hashModifier: String? = nil
  ) where T.RawValue: AttributeValue {
    attribute(
      name, T.RawValue.self, isOptional: isOptional, default: value?.rawValue, options: options,
      originalName: originalName, hashModifier: hashModifier)
  }

  /// Declares an attribute of a type that has a raw value but is stored as itself.
  public mutating func attribute<T: AttributeValue & RawRepresentable>(
    _ name: String, _ type: T.Type, isOptional: Bool = false, default value: T? = nil,
    options: [AttributeOption] = [], originalName: String? = nil, hashModifier: String? = nil
  ) where T.RawValue: AttributeValue {
    add(
      AttributeDescription(
        name, T.attributeType, isOptional: isOptional, defaultValue: value?.value ?? .null,
        renamingIdentifier: originalName, versionHashModifier: hashModifier), options)
  }

  /// Declares an attribute of a type that is stored through `Codable`.
  ///
  /// - Precondition: The default can be encoded.
  @_disfavoredOverload
  public mutating func attribute<T: Codable>(
    _ name: String, _ type: T.Type, isOptional: Bool = false, default value: T? = nil,
    options: [AttributeOption] = [], originalName: String? = nil, hashModifier: String? = nil
  ) {
    add(
      AttributeDescription(
        name, .transformable, isOptional: isOptional,
        defaultValue: value.map { Self.encoded($0, of: name) } ?? .null,
        renamingIdentifier: originalName, versionHashModifier: hashModifier), options)
  }
}

extension _DeclaredEntity {
  private static func encoded<T: Codable>(_ value: T, of name: String) -> Value {
    do {
      return try ManagedObject.storedValue(encoding: value)
    } catch {
      preconditionFailure("the default of \(name) can't be encoded: \(error)")
    }
  }
}

// MARK: Relationships

extension _DeclaredEntity {
  /// Declares a relationship to one object.
  public mutating func toOne<T: ManagedObject>(
    _ name: String, to type: T.Type, isOptional: Bool = false, inverse: String? = nil,
    deleteRule: DeleteRule = .nullify, originalName: String? = nil, hashModifier: String? = nil
  ) {
    description.relationships.append(
      RelationshipDescription(
        name, to: String(describing: type), inverse: inverse, isOptional: isOptional,
        deleteRule: deleteRule, renamingIdentifier: originalName,
        versionHashModifier: hashModifier))
  }

  /// Declares a relationship to any number of objects.
  public mutating func toMany<T: ManagedObject>(
    _ name: String, to type: T.Type, inverse: String? = nil, deleteRule: DeleteRule = .nullify,
    originalName: String? = nil, hashModifier: String? = nil, minimumCount: Int = 0,
    maximumCount: Int = 0
  ) {
    description.relationships.append(
      RelationshipDescription(
        name, to: String(describing: type), inverse: inverse, isToMany: true,
        isOptional: minimumCount <= 0, deleteRule: deleteRule, countMin: minimumCount,
        countMax: maximumCount, renamingIdentifier: originalName,
        versionHashModifier: hashModifier))
  }

  /// Declares a relationship to objects in an order.
  public mutating func ordered<T: ManagedObject>(
    _ name: String, to type: T.Type, inverse: String? = nil, deleteRule: DeleteRule = .nullify,
    originalName: String? = nil, hashModifier: String? = nil, minimumCount: Int = 0,
    maximumCount: Int = 0
  ) {
    toMany(
      name, to: type, inverse: inverse, deleteRule: deleteRule, originalName: originalName,
      hashModifier: hashModifier, minimumCount: minimumCount, maximumCount: maximumCount)
    description.relationships[description.relationships.count - 1].isOrdered = true
  }
}

// MARK: Inverses

extension _DeclaredEntity {
  /// Returns the name of an inverse to one object.
  public static func name<Owner: ManagedObject, Destination: ManagedObject>(
    _ name: String, ofInverse keyPath: KeyPath<Destination, Owner?>, of owner: Owner.Type
  ) -> String { name }

  /// Returns the name of an inverse to one object that is always there.
  public static func name<Owner: ManagedObject, Destination: ManagedObject>(
    _ name: String, ofInverse keyPath: KeyPath<Destination, Owner>, of owner: Owner.Type
  ) -> String { name }

  /// Returns the name of an inverse to any number of objects.
  public static func name<Owner: ManagedObject, Destination: ManagedObject>(
    _ name: String, ofInverse keyPath: KeyPath<Destination, Set<Owner>>, of owner: Owner.Type
  ) -> String { name }

  /// Returns the name of an inverse to objects in an order.
  public static func name<Owner: ManagedObject, Destination: ManagedObject>(
    _ name: String, ofInverse keyPath: KeyPath<Destination, [Owner]>, of owner: Owner.Type
  ) -> String { name }

  /// Refuses an inverse that doesn't lead back.
  @available(
    *, unavailable, message: "the inverse must be a relationship that leads back to this class"
  )
  @_disfavoredOverload
  public static func name<Owner: ManagedObject, Destination, Value>(
    _ name: String, ofInverse keyPath: KeyPath<Destination, Value>, of owner: Owner.Type
  ) -> String { name }
}

// MARK: What accessors refuse

// A property whose type can't be stored is refused in words by its accessors, in PropertyAccessors.swift; these
// keep the compiler from saying so again at the entity.
extension _DeclaredEntity {
  /// Takes in an attribute that its accessors refuse.
  @_disfavoredOverload
  public mutating func attribute<T>(
    _ name: String, _ type: T.Type, isOptional: Bool = false, default value: T? = nil,
    options: [AttributeOption] = [], originalName: String? = nil, hashModifier: String? = nil
  ) {
    preconditionFailure("\(T.self) can't be stored")
  }
}

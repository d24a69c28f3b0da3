public import LodeModel

// Reading and setting properties by name, for objects of models that have no classes.

extension ManagedObject {
  /// Reads or sets an attribute by name.
  ///
  /// - Precondition: the entity has an attribute of the name.
  public final subscript<T: AttributeValue>(name: String) -> T? {
    get { T(value: currentValue(at: attributeSlot(name))) }
    set { setValue(newValue?.value ?? .null, at: attributeSlot(name)) }
  }

  /// Reads or sets a to-one relationship by name.
  public final subscript(toOne name: String) -> ManagedObject? {
    get { toOne(relationshipSlot(name, isToMany: false)) }
    set { setToOne(relationshipSlot(name, isToMany: false), newValue) }
  }

  /// Reads or sets an unordered to-many relationship by name.
  public final subscript(toMany name: String) -> Set<ManagedObject> {
    get { toMany(relationshipSlot(name, isToMany: true)) }
    set { setToMany(relationshipSlot(name, isToMany: true), newValue) }
  }

  /// Reads or sets an ordered to-many relationship by name.
  public final subscript(ordered name: String) -> [ManagedObject] {
    get { ordered(relationshipSlot(name, isToMany: true)) }
    set { setOrdered(relationshipSlot(name, isToMany: true), newValue) }
  }

  /// Returns a property's value: an attribute's own, `.objectID` or a `.list` of them for relationships,
  /// deleted objects left out.
  ///
  /// - Precondition: the entity has a property of the name.
  public final func value(forKey name: String) -> Value {
    let property = knownProperty(name)
    if property.attribute != nil { return currentValue(at: property.slot) }
    if property.isToOne {
      let partner: ManagedObject? = toOne(property.slot)
      return partner.map { .objectID($0.objectID) } ?? .null
    }
    return .list(memberObjects(property.slot).map { .objectID($0.objectID) })
  }

  /// Sets an attribute by name, or a relationship to the objects of the given IDs.
  ///
  /// A value of the wrong type in an attribute is refused by the save.
  ///
  /// - Precondition: the entity has a property of the name; a to-one relationship takes an ID or null, a
  ///   to-many relationship a list of IDs.
  public final func setValue(_ value: Value, forKey name: String) {
    let property = knownProperty(name)
    switch (property.kind, value) {
    case (.attribute, _): setValue(value, at: property.slot)
    case (.relationship(let description), .list(let members)) where description.isToMany:
      let objects = members.compactMap { related($0, property) }
      if description.isOrdered {
        setOrdered(property.slot, objects)
      } else {
        setToMany(property.slot, Set(objects))
      }
    case (_, .null) where property.isToOne: connect(property.slot, to: nil)
    case (_, let value) where property.isToOne: setToOne(property.slot, related(value, property))
    default: refuse(value, property, takes: "a list of object IDs")
    }
  }

  private func related(_ value: Value, _ property: Property) -> ManagedObject? {
    guard case .objectID(let objectID) = value else {
      refuse(value, property, takes: property.isToOne ? "an object ID or null" : "object IDs alone")
    }
    return host?.object(for: objectID)
  }

  private func refuse(_ value: Value, _ property: Property, takes: String) -> Never {
    fatalError("\(entity.name).\(property.name) takes \(takes), not \(value.kindWithArticle)")
  }

  private func knownProperty(_ name: String) -> Property {
    guard let property = entity.property(named: name) else {
      preconditionFailure("\(entity.name) has no property “\(name)”")
    }
    return property
  }

  private func attributeSlot(_ name: String) -> Int {
    let property = knownProperty(name)
    precondition(
      property.attribute != nil, "\(entity.name).\(name) is a relationship, not an attribute")
    return property.slot
  }

  private func relationshipSlot(_ name: String, isToMany: Bool) -> Int {
    let property = knownProperty(name)
    precondition(
      property.relationship?.isToMany == isToMany,
      "\(entity.name).\(name) is no \(isToMany ? "to-many" : "to-one") relationship")
    return property.slot
  }
}

extension ManagedObject {
  /// Returns the current values of the properties that were changed since the last save, by name.
  public final func changedValues() -> [String: Value] {
    var changed: [String: Value] = [:]
    for property in entity.properties {
      let isChanged =
        property.isToMany
        ? toManyStates[property.slot]?.hasChanges ?? false
        : pendingValues.map { $0[property.slot] != nil } ?? false
      if isChanged { changed[property.name] = value(forKey: property.name) }
    }
    return changed
  }

  /// Returns the last saved values of attributes and to-one relationships; nil names mean all of them.
  public final func committedValues(forKeys names: [String]? = nil) -> [String: Value] {
    fulfill()
    let wanted = names.map(Set.init)
    var values: [String: Value] = [:]
    for property in entity.properties where wanted?.contains(property.name) ?? true {
      if !property.isToMany { values[property.name] = imageValue(at: property.slot) }
    }
    return values
  }
}

import LodeModel

extension ManagedObject {
  /// Returns what keeps the object's values from being saved; unchanged values are not looked at.
  package final func validationFailures() -> [ValidationError.Failure] {
    var failures: [ValidationError.Failure] = []
    let definition = entity.definition
    if let pendingValues {
      for rule in definition.valueRules {
        guard let value = pendingValues[rule.slot], !rule.isPlainlySatisfied(by: value) else {
          continue
        }
        if let failure = failure(of: definition.properties[rule.slot]) { failures.append(failure) }
      }
    }
    for slot in definition.toOneSlots {
      if let failure = danglingFailure(at: slot) { failures.append(failure) }
    }
    for slot in definition.boundedSlots {
      if let failure = failure(of: definition.properties[slot]) { failures.append(failure) }
    }
    return failures
  }

  /// Returns a failure when a to-one relationship was set to an object that is deleted.
  ///
  /// Relationships without an inverse, and those whose inverse has the rule `noAction`, may lead there.
  private func danglingFailure(at slot: Int) -> ValidationError.Failure? {
    guard case .objectID(let target)? = pendingValues?[slot],
      host?.isKnownDeleted(target) ?? false,
      let inverse = entity.inverse(of: entity.properties[slot])?.relationship,
      inverse.deleteRule != .noAction
    else { return nil }
    return .init(
      .invalidValue, objectID: objectID, key: entity.properties[slot].name,
      message: "it leads to \(target.entityName.string) object \(target.number), which is deleted; "
        + "set it to another object or to nil")
  }

  private func failure(of property: Property) -> ValidationError.Failure? {
    switch property.kind {
    case .attribute(let attribute): failure(of: attribute, at: property.slot)
    case .relationship(let relationship): failure(of: relationship, at: property.slot)
    }
  }

  /// Returns a failure when the object can't be deleted because a relationship denies it.
  package final func denialFailures() -> [ValidationError.Failure] {
    entity.properties.compactMap { property in
      guard property.relationship?.deleteRule == .deny, let host else { return nil }
      let others = destinationIDs(property).filter { !host.object(for: $0).isDeleted }
      guard !others.isEmpty else { return nil }
      return .init(
        .relationshipDeniedDelete, objectID: objectID, key: property.name,
        message: "the object can't be deleted while \(others.count) other objects are related to it"
      )
    }
  }

  private func failure(
    of attribute: AttributeDescription, at slot: Int
  ) -> ValidationError.Failure? {
    guard let value = pendingValues?[slot] else { return nil }
    if value.isNull {
      guard !attribute.isOptional, !attribute.isTransient else { return nil }
      return .init(
        .missingMandatoryProperty, objectID: objectID, key: attribute.name,
        message: "a value is required")
    }
    return attributeFailure(attribute, value, key: attribute.name)
  }

  private func attributeFailure(
    _ attribute: AttributeDescription, _ value: Value, key: String
  ) -> ValidationError.Failure? {
    guard attribute.type.accepts(value) else {
      if case .integer = value, [.integer16, .integer32].contains(attribute.type) {
        return .init(
          .numberOutOfRange, objectID: objectID, key: key,
          message: "the number doesn't fit \(attribute.type.rawValue)")
      }
      return .init(
        .invalidValue, objectID: objectID, key: key,
        message: "a value of type \(attribute.type.rawValue) is needed, this is a \(value.kind)")
    }
    guard case .composite(let elements) = value else { return nil }
    return elementFailure(attribute, elements, key: key)
  }

  private func elementFailure(
    _ attribute: AttributeDescription, _ values: [String: Value], key: String
  ) -> ValidationError.Failure? {
    let known = Set(attribute.elements.map(\.name))
    if let stranger = values.keys.sorted().first(where: { !known.contains($0) }) {
      return .init(
        .invalidValue, objectID: objectID, key: key,
        message: "the composite has no element “\(stranger)”")
    }
    for element in attribute.elements {
      let value = values[element.name] ?? .null
      let path = "\(key).\(element.name)"
      if value.isNull {
        if element.isOptional { continue }
        return .init(
          .missingMandatoryProperty, objectID: objectID, key: path, message: "a value is required")
      }
      if let failure = attributeFailure(element, value, key: path) { return failure }
    }
    return nil
  }

  private func failure(
    of relationship: RelationshipDescription, at slot: Int
  ) -> ValidationError.Failure? {
    if !relationship.isToMany {
      guard !relationship.isOptional, pendingValues?[slot] == .some(.null) else { return nil }
      return .init(
        .missingMandatoryProperty, objectID: objectID, key: relationship.name,
        message: "a related object is required")
    }
    let isUnbounded =
      relationship.isOptional && relationship.countMin == 0 && relationship.countMax == 0
    let isChanged = status.contains(.inserted) || toManyStates[slot]?.hasChanges ?? false
    guard !isUnbounded, isChanged else { return nil }
    return countFailure(relationship, count: memberIDs(slot).count)
  }

  private func countFailure(
    _ relationship: RelationshipDescription, count: Int
  ) -> ValidationError.Failure? {
    if count == 0, relationship.isOptional { return nil }
    let least = max(relationship.countMin, relationship.isOptional ? 0 : 1)
    if count < least {
      return .init(
        .relationshipLacksMinimumCount, objectID: objectID, key: relationship.name,
        message: "\(count) related objects are too few, \(least) are required")
    }
    guard relationship.countMax > 0, count > relationship.countMax else { return nil }
    return .init(
      .relationshipExceedsMaximumCount, objectID: objectID, key: relationship.name,
      message: "\(count) related objects are too many, \(relationship.countMax) are allowed")
  }
}

package import LodeModel

/// An object's current values, unsaved ones included, as predicates and sorts read them.
package struct ObjectSource: PredicateSource {
  /// The object that is read.
  package let object: ManagedObject
  private let context: ManagedObjectContext

  /// Makes the source of an object of a context.
  package init(_ object: ManagedObject, in context: ManagedObjectContext) {
    self.object = object
    self.context = context
  }

  /// The object's ID.
  package var objectID: ManagedObjectID? { object.objectID }

  /// Returns the current value; throws what reading it met.
  package func value(of property: Property) throws -> Value {
    guard property.isToMany else {
      let value = object.currentValue(at: property.slot)
      try context.throwAccessError()
      return value
    }
    let members = object.memberObjects(property.slot).map { Value.objectID($0.objectID) }
    try context.throwAccessError()
    return .list(members)
  }

  /// Returns the source of another object of the context; nil when it is deleted or its row is gone.
  package func source(for objectID: ManagedObjectID) throws -> ObjectSource? {
    let other = context.object(for: objectID)
    if other.isFault {
      other.fulfill()
      // What is read twice for one answer shall be the same both times.
      context.readForAnswers.append(other)
    }
    try context.throwAccessError()
    return other.isDeleted ? nil : ObjectSource(other, in: context)
  }
}

extension ManagedObjectContext {
  /// Returns an object's current values for a predicate or a sort.
  package func source(of object: ManagedObject) -> ObjectSource { ObjectSource(object, in: self) }
}

public import LodeModel

extension ManagedObjectModel {
  /// Makes a model of the entities that classes declare with `@Model`.
  ///
  /// A relationship whose inverse is named on the other side alone gets it from there.
  ///
  /// - Throws: `ModelError` with every problem found, `invalidClass` among them for a class that
  ///   declares no entity.
  public convenience init(_ classes: ManagedObject.Type...) throws(ModelError) {
    try self.init(classes: classes)
  }

  /// Makes a model of the entities that a list of classes declare with `@Model`.
  public convenience init(classes: [ManagedObject.Type]) throws(ModelError) {
    var descriptions: [EntityDescription] = []
    for type in classes {
      guard let description = type.entityDescription else {
        throw ModelError(problems: [
          .init(
            .invalidClass, entity: String(describing: type),
            message: "the class declares no entity; mark it with @Model")
        ])
      }
      descriptions.append(description)
    }
    try self.init(entities: Self.completingInverses(descriptions))
  }

  /// Returns descriptions in which each inverse that one side names is named by the other as well.
  package static func completingInverses(
    _ descriptions: [EntityDescription]
  ) -> [EntityDescription] {
    var completed = descriptions
    for entity in descriptions {
      for relationship in entity.relationships {
        guard let inverseName = relationship.inverseName,
          let other = completed.firstIndex(where: { $0.name == relationship.destinationName }),
          let inverse = completed[other].relationships.firstIndex(where: {
            $0.name == inverseName && $0.inverseName == nil && $0.destinationName == entity.name
          })
        else { continue }
        completed[other].relationships[inverse].inverseName = relationship.name
      }
    }
    return completed
  }
}

import Foundation
import Lode
import LodeTesting

/// Writes down what a delegate is told, as short texts: `will`, `+section 4 at 0`, `-B (1,0)`, `+B (0,0)`,
/// `B (1,0)→(0,0)`, `~B (0,0)`, `did`. Objects go by their attribute `name`.
final class ResultsRecorder: FetchedResultsControllerDelegate {
  private(set) var events: [String] = []
  private(set) var failures: [FetchedResultsError] = []
  /// Called at each will-change.
  var willChange: (FetchedResultsController<ManagedObject>) -> Void = { _ in }
  /// Called at each did-change.
  var didChange: (FetchedResultsController<ManagedObject>) -> Void = { _ in }

  /// Returns the events since the last call.
  func take() -> [String] {
    defer { events = [] }
    return events
  }

  /// Returns the events since the last call, without will-change and did-change when they are first and
  /// last.
  func takeBatch() -> [String] {
    let events = take()
    guard events.first == "will", events.last == "did" else { return events }
    return Array(events.dropFirst().dropLast())
  }

  func controllerWillChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    events.append("will")
    willChange(controller)
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>,
    didChange section: FetchedResultsSection<ManagedObject>, atSectionIndex index: Int,
    for type: FetchedResultsChangeType
  ) {
    events.append("\(type == .insert ? "+" : "-")section \(section.name) at \(index)")
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didChange object: ManagedObject,
    at indexPath: IndexPath?, for type: FetchedResultsChangeType, newIndexPath: IndexPath?
  ) {
    let name = object.named ?? "\(object.objectID.number)"
    let (old, new) = (indexPath?.text ?? "", newIndexPath?.text ?? "")
    switch type {
    case .insert: events.append("+\(name) \(new)")
    case .delete: events.append("-\(name) \(old)")
    case .move(let updated): events.append("\(updated ? "~" : "")\(name) \(old)→\(new)")
    case .update: events.append(old == new ? "~\(name) \(new)" : "~\(name) \(old)=\(new)")
    }
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
    events.append("did")
    didChange(controller)
  }

  func controller(
    _ controller: FetchedResultsController<ManagedObject>, didFailWith error: FetchedResultsError
  ) {
    failures.append(error)
  }
}

extension IndexPath {
  /// The path as (section,row).
  var text: String { "(\(section),\(row))" }
}

extension FetchedResultsController<ManagedObject> {
  /// The list by names: `Ohio:[Akron, Dayton] Texas:[Austin]`.
  var names: String {
    sections.map { section in
      let names = section.objects.map { $0.named ?? "" }.joined(separator: ", ")
      return "\(section.name):[\(names)]"
    }.joined(separator: " ")
  }

  var plainSections: [PlainSection] {
    sections.map { PlainSection(name: $0.name, rows: $0.objectIDs) }
  }
}

extension FetchedResultsController {
  /// Makes a controller of an entity's objects and fetches.
  static func fetched(
    _ entity: String, in context: ManagedObjectContext, sort: [SortTerm], section: String? = nil,
    predicate: ObjectPredicate? = nil, delegate: ResultsRecorder? = nil
  ) throws -> FetchedResultsController<ManagedObject> {
    let request = FetchRequest<ManagedObject>(
      entityName: entity, predicate: predicate, sortTerms: sort)
    let controller = FetchedResultsController<ManagedObject>(
      fetchRequest: request, context: context, sectionNameKeyPath: section)
    controller.delegate = delegate
    try controller.performFetch()
    return controller
  }
}

extension ObjectPredicate {
  /// Compares a key path with a constant.
  static func compare(
    _ keyPath: String, _ operator: ObjectComparison.Operator, _ value: Value
  ) -> ObjectPredicate {
    .comparison(ObjectComparison(.keyPath(ObjectKeyPath(keyPath)), `operator`, .constant(value)))
  }
}

/// Models for tests of fetched results.
enum ResultsModels {
  /// Nation{name} →→ State{name, rank} →→ City{name, size}, nullify; roads from states to states; a home
  /// of each city without a way back; and Item{name, group, rank, note}.
  static func make() throws -> ManagedObjectModel {
    try ManagedObjectModel(entities: [
      EntityDescription(
        "Nation", attributes: [AttributeDescription("name", .string)],
        relationships: [
          RelationshipDescription("states", to: "State", inverse: "nation", isToMany: true)
        ]),
      EntityDescription(
        "State",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("rank", .integer64),
        ],
        relationships: [
          RelationshipDescription("nation", to: "Nation", inverse: "states"),
          RelationshipDescription("cities", to: "City", inverse: "state", isToMany: true),
          RelationshipDescription("roadsTo", to: "State", inverse: "roadsFrom", isToMany: true),
          RelationshipDescription("roadsFrom", to: "State", inverse: "roadsTo", isToMany: true),
        ]),
      EntityDescription(
        "City",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("size", .integer64),
        ],
        relationships: [
          RelationshipDescription("state", to: "State", inverse: "cities"),
          RelationshipDescription("home", to: "State"),
        ]),
      EntityDescription(
        "Item",
        attributes: [
          AttributeDescription("name", .string), AttributeDescription("group", .string),
          AttributeDescription("rank", .integer64), AttributeDescription("note", .string),
        ]),
    ])
  }
}

extension ManagedObjectContext {
  /// Inserts an item.
  @discardableResult
  func item(_ name: String, _ group: String? = nil, rank: Int64 = 0) throws -> ManagedObject {
    try insert(
      "Item",
      [
        "name": .string(name), "group": group.map(Value.string) ?? .null, "rank": .integer(rank),
      ])
  }
}

public import LodeModel

/// The sections of fetched results as they are now; each is looked up in O(log s) of s sections.
public struct FetchedResultsSections<Object: ManagedObject>: RandomAccessCollection {
  private let controller: FetchedResultsController<Object>

  init(controller: FetchedResultsController<Object>) { self.controller = controller }

  /// Always 0.
  public var startIndex: Int { 0 }

  /// The count of sections now.
  public var endIndex: Int { controller.table?.sectionCount ?? 0 }

  /// Returns a section.
  ///
  /// - Precondition: the index is in range.
  public subscript(index: Int) -> FetchedResultsSection<Object> {
    guard let table = controller.table, indices.contains(index) else {
      preconditionFailure("no section \(index) of \(count)")
    }
    return FetchedResultsSection(name: table.sectionName(at: index), controller: controller)
  }

  /// Returns the index of the section of a name; nil when there is none.
  public func index(named name: String) -> Int? { controller.table?.sectionIndex(named: name) }
}

extension FetchedResultsController {
  /// The titles for an index beside the list: one for each run of sections with the same title, in O(s).
  public var sectionIndexTitles: [String] { titleRuns.map(\.title) }

  /// Returns the index of the section that an entry of `sectionIndexTitles` leads to: the first of its
  /// run; O(s).
  ///
  /// - Parameter index: the position of the entry.
  /// - Precondition: the position is in range.
  public func section(forSectionIndexTitleAt index: Int) -> Int {
    let runs = titleRuns
    precondition(runs.indices.contains(index), "no index title \(index) of \(runs.count)")
    return runs[index].section
  }

  private var titleRuns: [(title: String, section: Int)] {
    var runs: [(title: String, section: Int)] = []
    for (index, section) in sections.enumerated() {
      let title = section.indexTitle
      if runs.last?.title != title { runs.append((title, index)) }
    }
    return runs
  }
}

/// One section of fetched results: known by its name, and answering for the list as it is now.
///
/// When the list no longer has a section of the name, it is empty.
public struct FetchedResultsSection<Object: ManagedObject> {
  /// The text of the section key of the section's rows; empty for nil, and where there is no section key.
  public let name: String

  private let controller: FetchedResultsController<Object>

  init(name: String, controller: FetchedResultsController<Object>) {
    self.name = name
    self.controller = controller
  }

  /// A short title for an index beside the list: the delegate's, else the name's first letter as a
  /// capital.
  public var indexTitle: String {
    controller.delegate?.controller(controller, sectionIndexTitleForSectionName: name)
      ?? SectionName.indexTitle(of: name)
  }

  /// How many objects the section has.
  public var numberOfObjects: Int {
    guard let table = controller.table, let index = table.sectionIndex(named: name) else {
      return 0
    }
    return table.rowCount(inSectionAt: index)
  }

  /// The section's objects in their order, in O(k + log n) for k objects.
  ///
  /// They have their values, or come as faults that are read a batch at a time when the request has a
  /// batch size.
  public var objects: [Object] { controller.objects(of: objectIDs) }

  /// The IDs of the section's objects in their order, in O(k + log n); makes no objects.
  public var objectIDs: [ManagedObjectID] {
    guard let table = controller.table, let index = table.sectionIndex(named: name) else {
      return []
    }
    return table.objectIDs(inSectionAt: index)
  }
}

package import Lode
import Synchronization

/// Keeps the notices of all saves on a coordinator.
package final class NoticeRecorder: SaveListener {
  package init() {}

  private let recorded = Mutex<[SaveNotice]>([])

  package var notices: [SaveNotice] { recorded.withLock { $0 } }

  /// Forgets what came until now.
  package func clear() { recorded.withLock { $0 = [] } }

  package func didSave(_ notice: SaveNotice) { recorded.withLock { $0.append(notice) } }
}

/// Keeps the changes that a context announces, as short texts: `+Team 1`, `~Team 1`, `-Team 1`.
package final class ChangeRecorder: ContextObserver {
  package init() {}

  package private(set) var changes: [[String]] = []

  package func context(_ context: ManagedObjectContext, didChange change: ContextChange) {
    func texts(_ sign: String, _ objects: [ManagedObject], _ ids: [ManagedObjectID]) -> [String] {
      (objects.map(\.objectID) + ids).sorted().map {
        "\(sign)\($0.entityName.string) \($0.number)"
      }
    }
    changes.append(
      texts("+", change.inserted, change.insertedIDs)
        + texts("~", change.updated, change.updatedIDs)
        + texts("-", change.deleted, change.deletedIDs))
  }
}

import Foundation
import LodeMacros

/// `lode demo league`: a real league in a store, read, changed and observed.
struct LeagueDemo {
  let storeURL: URL
  let paint: Paint
  /// Takes each line for the person who watches.
  let write: (String) -> Void

  /// Runs the demonstration and closes the store.
  ///
  /// - Throws: `StorePlaceError` when the place is none for a store, `StoreError` when the store can't be opened or written, `LeagueError` when it holds
  ///   something else.
  func run() async throws -> LeagueReport {
    let squads = try SquadFile.bundled()
    try StorePlace.prepare(storeURL)
    let container = try PersistentContainer(model: try League.model(), at: storeURL)
    write("store: \(storeURL.path)")
    let imported = try await complete(container, with: squads)
    let observer = LeagueObserver(paint: paint)
    try watchAndEdit(container.viewContext, squads: squads, observer: observer)
    let statistics = try container.coordinator.store.statistics()
    write("")
    write(paint(.bold, "the store"))
    LeagueFigures(statistics: statistics, paint: paint).lines.forEach(write)
    let counts = try League.counts(in: container.viewContext)
    try container.close()
    return LeagueReport(
      teams: counts.teams, players: counts.players, imported: imported, events: observer.counts,
      bytesRaw: statistics.rawByteCount, bytesStored: statistics.storedByteCount,
      journalFrames: statistics.journalFrameCount, journalSyncs: statistics.journalSyncCount,
      fileBytes: statistics.dataFileByteCount + statistics.journalFileByteCount)
  }

  private func complete(
    _ container: PersistentContainer, with squads: [Squad]
  ) async throws -> Bool {
    let (inserted, wasEmpty) = try await container.performBackgroundTask { context in
      try LeagueImport(context: context).complete(with: squads)
    }
    let counts = try League.counts(in: container.viewContext)
    let found = wasEmpty ? "imported" : inserted > 0 ? "found, \(inserted) signed up" : "found"
    write("\(found): \(counts.teams) teams, \(counts.players) players")
    return wasEmpty
  }

  private func watchAndEdit(
    _ context: ManagedObjectContext, squads: [Squad], observer: LeagueObserver
  ) throws {
    let controller = FetchedResultsController(
      fetchRequest: League.players(), context: context, sectionNameKeyPath: "team.name")
    controller.delegate = observer
    try controller.performFetch()
    LeaguePages(controller: controller, paint: paint, write: write).print(telling: observer)
    let club = "Manchester City"
    let count = try League.announcements(naming: club, in: context)
    write("")
    write("\(count) teams announced players of \(club)")

    let edits = LeagueEdits(context: context, squads: squads)
    for edit in [
      edits.renameTeam, edits.renameClub, edits.movePlayer, edits.deleteTeam, edits.signUpAgain,
    ] {
      try announce(edit, context: context, observer: observer)
    }
  }

  /// Makes an edit, says what was done, and what the observer was told of it.
  private func announce(
    _ edit: () throws -> String, context: ManagedObjectContext, observer: LeagueObserver
  ) throws {
    let done = try edit()
    if let failure = observer.failure { throw failure }
    let counts = try League.counts(in: context)
    write("")
    write(paint(.bold, done) + paint(.dim, "  \(counts.teams) teams, \(counts.players) players"))
    observer.takeLines().forEach(write)
  }
}

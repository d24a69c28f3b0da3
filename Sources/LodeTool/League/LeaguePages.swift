import LodeMacros

/// Prints the league section by section, as its rows come from the store.
struct LeaguePages {
  let controller: FetchedResultsController<Player>
  let paint: Paint
  let write: (String) -> Void

  /// - Parameter observer: is told every player that was shown.
  func print(telling observer: LeagueObserver) {
    for section in controller.sections {
      let players = section.objects
      players.forEach(observer.know)
      write("")
      write(heading(section.name, players))
      let names = players.map { "\($0.number) \($0.position) \($0.name)" }
      wrappedLines(names, width: 100, indentation: 2).forEach(write)
    }
  }

  private func heading(_ name: String, _ players: [Player]) -> String {
    guard let team = players.first?.team else { return paint(.bold, name) }
    let facts = "group \(team.group), \(team.confederation), \(players.count) players"
    return paint(.bold, name) + "  " + paint(.dim, facts)
  }
}

/// The texts of `lode help`.
enum Help {
  /// Returns the text on a topic.
  ///
  /// - Throws: `UsageError` when there is no such topic.
  static func text(on topic: [String]) throws(UsageError) -> String {
    switch topic {
    case []: general
    case ["demo"], ["demo", "league"]: demoLeague
    case ["help"], ["version"]: general
    default:
      throw UsageError(message: "no help on “\(topic.joined(separator: " "))”")
    }
  }

  private static let general = """
    lode keeps objects in files and tells who looks at them what changed.

    usage:
      lode demo league [--store PATH] [--json]
                             keep a real league in a store: import, read, change, observe
      lode help [COMMAND]    say more
      lode --version         say which version this is

    exit codes: 0 done; 1 the work failed; 2 the command line was wrong
    """

  private static let demoLeague = """
    usage: lode demo league [--store PATH] [--json]

    Opens a store of football squads (48 teams, 1,248 players), importing them the first time, and prints
    each team with its players. Then it renames a team, changes a player, moves a player to another team,
    deletes a team with all its players and signs it up again, and prints every section and row change as
    an observer was told of it. It ends with the store's figures. The league is whole again at the end, so
    that it can be run any number of times; the renaming and the moves go back and forth between runs,
    which shows that the last run was kept.

      --store PATH   the folder of the store, made if it is not there;
                     $XDG_STATE_HOME/lode/league or ~/.local/state/lode/league unless said
      --json         print one JSON object: teams, players (as they are at the end), imported (whether
                     this run found the store empty), events (how many of each kind the observer was
                     told), bytesRaw, bytesStored, journalFrames, journalSyncs, fileBytes

    Colours are used on a terminal only, and never when NO_COLOR is set.
    """
}

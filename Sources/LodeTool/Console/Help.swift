/// The texts of `lode help`.
enum Help {
  /// Returns the text on a topic.
  ///
  /// - Throws: `UsageError` when there is no such topic.
  static func text(on topic: [String]) throws(UsageError) -> String {
    switch topic {
    case []: general
    case ["demo"], ["demo", "league"]: demoLeague
    case ["check"]: check
    case ["stat"]: stat
    case ["backup"]: backup
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
      lode check PATH [--json]
                             compare all that a store holds; print every fault
      lode stat PATH [--json]
                             say what a store holds and where its bytes go
      lode backup PATH DEST [--json]
                             copy a store, which others may be using
      lode help [COMMAND]    say more
      lode --version         say which version this is

    exit codes: 0 done; 1 the work failed, or a check found faults; 2 the command line was wrong
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

  private static let check = """
    usage: lode check PATH [--json]

    Compares everything in the store in folder PATH: pages, the checksums of rows, index entries and rows,
    relationships and their inverses, unique values, counters. Prints a line for each fault, with the object
    it is about, and changes nothing. The store's own description is used; no model is needed.

      --json         print one JSON object: isSound, faultCount, faults (kind, message, object, place,
                     position), pages, rows, indexEntries, links

    exit codes: 0 nothing is wrong; 1 something is, or the store can't be opened
    """

  private static let stat = """
    usage: lode stat PATH [--json]

    Prints what the store in folder PATH holds: rows and bytes of each entity, compression dictionaries, live
    and free pages, trees, readers and how far they are behind, the journal.

      --json         print one JSON object with the same figures
    """

  private static let backup = """
    usage: lode backup PATH DEST [--json]

    Copies the store in folder PATH to the folder DEST, which must not exist. The copy holds all saves up to
    one moment, is durable when the command ends, and has no free pages. An interrupted copy leaves a folder
    DEST.….incomplete, which may be removed.

      --json         print one JSON object: path, lastSequence, bytes
    """
}

/// The measured operations, by the letters that `docs/benchmarks.md` uses.
enum Operation: String, CaseIterable, Sendable {
  case insert = "a"
  case insertInBatches = "b"
  case commitOne = "c1"
  case fetchAll = "d"
  case get = "e"
  case findByLastName = "f"
  case scan = "g"
  case sortedFirst = "h0"
  case sortedMiddle = "hmid"
  case countRange = "i1"
  case countScan = "i2"
  case change = "j"
  case delete = "k"
  case loadTeams = "l"
  case size = "n"
  case memory = "rss"

  var title: String {
    switch self {
    case .insert: "insert all, one transaction"
    case .insertInBatches: "insert all, 1,000 a transaction"
    case .commitOne: "one object a commit, durable (wall time)"
    case .fetchAll: "fetch all, read every property"
    case .get: "get by number"
    case .findByLastName: "lastName == x, indexed, about 50 rows"
    case .scan: "scan: biography contains, height >"
    case .sortedFirst: "sorted by lastName, first 100"
    case .sortedMiddle: "sorted by lastName, 100 in the middle"
    case .countRange: "count a birthDate range, indexed"
    case .countScan: "count position and active, not indexed"
    case .change: "fetch, change one property, save"
    case .delete: "delete"
    case .loadTeams: "a team's 25 players"
    case .size: "allocated on disk after a"
    case .memory: "peak memory of the reading process"
    }
  }

  var unit: String {
    switch self {
    case .insert, .insertInBatches, .fetchAll, .scan, .change, .delete: "us/object"
    case .commitOne: "us/commit"
    case .get: "us/get"
    case .findByLastName, .sortedFirst, .sortedMiddle, .countRange, .countScan: "us/query"
    case .loadTeams: "us/team"
    case .size, .memory: "MB"
    }
  }

  var phase: Phase {
    switch self {
    case .insert, .size: .load
    case .insertInBatches: .batches
    case .commitOne: .commit
    case .change, .delete: .change
    default: .read
    }
  }
}

/// A part of the benchmark that runs in a process of its own.
enum Phase: String, CaseIterable, Sendable {
  /// Into an empty folder.
  case load
  /// On the loaded store, changing nothing.
  case read
  /// On a copy of the loaded store.
  case commit
  /// On the loaded store, last.
  case change
  /// Into another empty folder.
  case batches
}

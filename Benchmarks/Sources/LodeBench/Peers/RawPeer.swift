import CPeers

/// Raw LMDB or raw SQLite, behind the C functions of `CPeers`.
struct RawPeer: Peer {
  private let handle: OpaquePointer

  /// - Parameter isFast: whether SQLite may answer a commit before it is on the disk, its usual setting with
  ///   a write-ahead log.
  init(kind: PeerKind, folder: String, isFast: Bool) throws {
    let raw = kind == .lmdb ? peer_kind_lmdb : peer_kind_sqlite
    guard let handle = peer_open(raw, folder, isFast ? peer_commit_fast : peer_commit_durable)
    else {
      throw PeerError(description: "\(kind): \(String(cString: peer_open_error()))")
    }
    self.handle = handle
  }

  func close() { peer_close(handle) }

  func insert(teams: [Workload.Team]) throws {
    try withTexts(teams.flatMap { [$0.name, $0.uniformColor] }) { texts in
      let raw = teams.enumerated().map { index, team in
        peer_team(id: team.id, name: texts[2 * index], uniformColor: texts[2 * index + 1])
      }
      try check(peer_insert_teams(handle, raw, raw.count))
    }
  }

  func insert(players: PreparedPlayers) throws {
    try check(peer_insert_players(handle, players.rawPlayers, players.rawPlayers.count))
  }

  func fetchAll() throws -> Reading {
    try reading { peer_fetch_all(handle, &$0) }
  }

  func get(_ ids: [Int64]) throws -> Reading {
    try reading { peer_get(handle, ids, ids.count, &$0) }
  }

  func find(lastNames: [String]) throws -> Reading {
    try withTexts(lastNames) { texts in
      try reading { peer_find_by_last_name(handle, texts, texts.count, &$0) }
    }
  }

  func loadTeams(_ ids: [Int64]) throws -> Reading {
    try reading { peer_find_by_team(handle, ids, ids.count, &$0) }
  }

  func scan(word: String, height: Double) throws -> Reading {
    try withTexts([word]) { texts in
      try reading { peer_scan(handle, texts[0], height, &$0) }
    }
  }

  func sortedPage(offset: Int, limit: Int) throws -> Reading {
    try reading { peer_sorted_page(handle, offset, limit, &$0) }
  }

  func countBorn(in range: ClosedRange<Double>) throws -> Int {
    try count { peer_count_born_between(handle, range.lowerBound, range.upperBound, &$0) }
  }

  func countActive(position: String) throws -> Int {
    try withTexts([position]) { texts in
      try count { peer_count_active(handle, texts[0], &$0) }
    }
  }

  func setHeight(_ height: Double, of ids: [Int64]) throws {
    try check(peer_set_height(handle, ids, ids.count, height))
  }

  func delete(_ ids: [Int64]) throws {
    try check(peer_delete(handle, ids, ids.count))
  }

  private func reading(_ body: (inout peer_reading) -> Bool) throws -> Reading {
    var raw = peer_reading()
    try check(body(&raw))
    return Reading(sum: raw.sum, rowCount: raw.rowCount)
  }

  private func count(_ body: (inout UInt64) -> Bool) throws -> Int {
    var count: UInt64 = 0
    try check(body(&count))
    return Int(count)
  }

  private func check(_ succeeded: Bool) throws {
    guard succeeded else { throw PeerError(description: String(cString: peer_error(handle))) }
  }

  private func withTexts<Result>(
    _ texts: [String], _ body: ([peer_text]) throws -> Result
  ) rethrows -> Result {
    let byteCount = texts.reduce(0) { $0 + $1.utf8.count }
    let bytes = UnsafeMutableBufferPointer<CChar>.allocate(capacity: max(byteCount, 1))
    defer { bytes.deallocate() }
    var arena = TextArena(free: bytes[...])
    return try body(texts.map { arena.add($0) })
  }
}

import CPeers

/// Players in the forms that peers take them in, made before the clock starts.
final class PreparedPlayers {
  let players: [Workload.Player]
  private let texts: UnsafeMutableBufferPointer<CChar>
  private(set) var rawPlayers: [peer_player] = []

  init(_ players: [Workload.Player]) {
    self.players = players
    let byteCount = players.reduce(0) { total, player in
      player.texts.reduce(total) { $0 + $1.utf8.count }
    }
    texts = .allocate(capacity: max(byteCount, 1))
    rawPlayers.reserveCapacity(players.count)
    var arena = TextArena(free: texts[...])
    for player in players { rawPlayers.append(peer_player(player, in: &arena)) }
  }

  deinit {
    texts.deallocate()
  }
}

/// Texts laid one behind the other in memory that somebody else owns.
struct TextArena {
  var free: Slice<UnsafeMutableBufferPointer<CChar>>

  mutating func add(_ text: String) -> peer_text {
    var text = text
    return text.withUTF8 { bytes in
      let place = UnsafeMutableBufferPointer(rebasing: free.prefix(bytes.count))
      _ = place.initialize(from: bytes.lazy.map { CChar(bitPattern: $0) })
      free = free.dropFirst(bytes.count)
      return peer_text(bytes: UnsafePointer(place.baseAddress), byteCount: bytes.count)
    }
  }
}

extension Workload.Player {
  fileprivate var texts: [String] { [firstName, lastName, email, position, biography] }
}

extension peer_player {
  fileprivate init(_ player: Workload.Player, in arena: inout TextArena) {
    self.init(
      id: player.id, firstName: arena.add(player.firstName), lastName: arena.add(player.lastName),
      email: arena.add(player.email), position: arena.add(player.position),
      biography: arena.add(player.biography), birthDate: player.birthDate, height: player.height,
      teamID: player.teamID, active: player.active ? 1 : 0)
  }
}

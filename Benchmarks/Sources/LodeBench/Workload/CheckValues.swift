import Foundation

/// Figures that a right implementation of the workload must reproduce, for the two sizes that they are
/// known for. Other sizes are checked by comparing the peers.
enum CheckValues {
  /// FNV-1a-64 over the printed lines of the first 1,000 players.
  static let generatorHashes: [Int: UInt64] = [
    100_000: 0x92e8_c4f1_3113_5588,
    1_000_000: 0x4631_4201_74f7_eacd,
  ]

  /// The read sum of an operation, with the number of rows added where the operation finds rows.
  static func readSum(of operation: Operation, objectCount: Int) -> UInt64? {
    let sums = readSums[operation]
    switch objectCount {
    case 100_000: return sums?.0
    case 1_000_000: return sums?.1
    default: return nil
    }
  }

  private static let readSums: [Operation: (UInt64, UInt64)] = [
    .fetchAll: (18_446_688_881_459_232_729, 18_446_191_664_978_128_462),
    .get: (18_446_688_942_762_144_254, 18_446_688_812_444_180_626),
    .findByLastName: (18_446_467_650_316_754_863, 18_446_466_878_054_178_186),
    .scan: (18_446_742_439_785_686_729, 18_446_727_621_712_999_549),
    .loadTeams: (18_446_730_248_670_663_407, 18_446_730_237_160_873_731),
    .countRange: (199_920, 1_990_960),
    .countScan: (28_095, 281_076),
  ]

  /// The hash of the first players as generated now.
  static func generatorHash(_ workload: Workload) -> UInt64 {
    var hash = FNV1a()
    for player in workload.players(count: min(1_000, workload.objectCount)) {
      hash.add(line(player))
    }
    return hash.value
  }

  static func line(_ player: Workload.Player) -> String {
    let birthDate = String(Int64(player.birthDate))
    let height = String(format: "%.4f", player.height)
    return
      "\(player.id)|\(player.firstName)|\(player.lastName)|\(player.email)|\(birthDate)|\(height)|"
      + "\(player.position)|\(player.biography)|\(player.active ? 1 : 0)|\(player.teamID)\n"
  }
}

/// FNV-1a in 64 bits. The published check values were taken with this start, which is the usual offset
/// basis without its last decimal digit.
private struct FNV1a {
  private(set) var value: UInt64 = 1_469_598_103_934_665_603

  mutating func add(_ text: String) {
    for byte in text.utf8 {
      value = (value ^ UInt64(byte)) &* 0x100_0000_01b3
    }
  }
}

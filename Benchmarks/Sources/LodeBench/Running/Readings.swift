/// The operations that only read, with their choices made beforehand.
struct Readings {
  struct Result {
    var check: UInt64 = 0
    var unitCount = 1
  }

  private let workload: Workload
  private let ids: [Int64]
  private let lastNames: [String]
  private let teamIDs: [Int64]
  private let ranges: [ClosedRange<Double>]
  private let positions: [String]

  init(workload: Workload) {
    let choices = Choices(workload: workload)
    self.workload = workload
    ids = choices.playersToGet
    lastNames = choices.lastNamesToFind
    teamIDs = choices.teamsToLoad
    ranges = choices.birthDateRanges
    positions = choices.positionsToCount
  }

  func run(_ operation: Operation, on peer: inout any Peer) throws -> Result {
    switch operation {
    case .fetchAll:
      return Result(check: try peer.fetchAll().sum, unitCount: workload.objectCount)
    case .get:
      return Result(check: try peer.get(ids).sum, unitCount: ids.count)
    case .findByLastName:
      return Result(
        check: try peer.find(lastNames: lastNames).sumWithRows, unitCount: lastNames.count)
    case .loadTeams:
      return Result(check: try peer.loadTeams(teamIDs).sumWithRows, unitCount: teamIDs.count)
    case .scan:
      let reading = try peer.scan(word: Choices.scannedWord, height: Choices.scannedHeight)
      return Result(check: reading.sumWithRows, unitCount: workload.objectCount)
    case .sortedFirst:
      return try pages(offset: 0, times: workload.objectCount > 500_000 ? 20 : 200, of: &peer)
    case .sortedMiddle:
      return try pages(offset: workload.objectCount / 2, times: 10, of: &peer)
    case .countRange:
      let total = try ranges.reduce(0) { try $0 + peer.countBorn(in: $1) }
      return Result(check: UInt64(total), unitCount: ranges.count)
    case .countScan:
      let total = try positions.reduce(0) { try $0 + peer.countActive(position: $1) }
      return Result(check: UInt64(total), unitCount: positions.count)
    default:
      throw PeerError(description: "\(operation.rawValue) does not only read")
    }
  }

  private func pages(offset: Int, times: Int, of peer: inout any Peer) throws -> Result {
    var total = Reading()
    for _ in 0..<times {
      let page = try peer.sortedPage(offset: offset, limit: Choices.pageLength)
      total.sum &+= page.sum
      total.rowCount += page.rowCount
    }
    return Result(check: total.sumWithRows, unitCount: times)
  }
}

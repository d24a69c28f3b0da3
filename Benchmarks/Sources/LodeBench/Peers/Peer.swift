/// A store that runs the workload. Each method is one measured operation: what it does before it touches
/// the store is little, and what it answers proves that it did the work.
protocol Peer {
  mutating func insert(teams: [Workload.Team]) throws
  /// Inserts players in one durable transaction.
  mutating func insert(players: PreparedPlayers) throws
  mutating func fetchAll() throws -> Reading
  mutating func get(_ ids: [Int64]) throws -> Reading
  mutating func find(lastNames: [String]) throws -> Reading
  mutating func loadTeams(_ ids: [Int64]) throws -> Reading
  mutating func scan(word: String, height: Double) throws -> Reading
  mutating func sortedPage(offset: Int, limit: Int) throws -> Reading
  mutating func countBorn(in range: ClosedRange<Double>) throws -> Int
  mutating func countActive(position: String) throws -> Int
  mutating func setHeight(_ height: Double, of ids: [Int64]) throws
  mutating func delete(_ ids: [Int64]) throws
  /// Drops what was materialised, so that the next operation starts cold.
  mutating func forget()
  mutating func close() throws
}

extension Peer {
  mutating func forget() {}
}

/// The sum over every property of every row read, and the number of rows.
struct Reading {
  var sum: UInt64 = 0
  var rowCount: UInt64 = 0

  var sumWithRows: UInt64 { sum &+ rowCount }

  mutating func add(text: String) {
    var text = text
    text.withUTF8 { bytes in
      guard let first = bytes.first, let last = bytes.last else { return }
      sum &+= UInt64(bytes.count) &+ UInt64(first) &+ UInt64(last)
    }
  }

  mutating func add(integer: Int64) { sum &+= UInt64(bitPattern: integer) }

  mutating func add(birthDate: Double) { add(integer: Int64(birthDate)) }

  mutating func add(height: Double) { add(integer: Int64((height * 10_000).rounded())) }

  mutating func add(active: Bool) { sum &+= active ? 1 : 0 }
}

/// The stores that can be compared.
enum PeerKind: String, CaseIterable, Sendable {
  case lode
  case lmdb
  case sqlite
}

struct PeerError: Error, CustomStringConvertible {
  var description: String
}

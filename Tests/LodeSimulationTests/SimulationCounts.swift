/// What simulations did, for the line that they print.
struct SimulationCounts {
  private(set) var counts: [Event: Int] = [:]

  enum Event: String, CaseIterable {
    case programs
    case saves
    case refusedSaves = "refused"
    case bursts
    case comparisons
    case snapshots = "snapshots held"
    case checkpoints
    case mapsFull = "full maps"
    case faults = "faults met"
    case poisonings
    case failedOpenings = "failed openings"
    case closings
    case processCrashes = "process crashes"
    case crashesInside = "crashes inside an operation"
    case powerFailures = "power failures"
    case powerFailuresInside = "power failures inside an operation"
    case attachings = "openings beside another process"
  }

  mutating func count(_ event: Event, _ number: Int = 1) { counts[event, default: 0] += number }

  mutating func add(_ other: SimulationCounts) { counts.merge(other.counts) { $0 + $1 } }

  subscript(event: Event) -> Int { counts[event] ?? 0 }

  var text: String {
    Event.allCases.map { "\(self[$0]) \($0.rawValue)" }.joined(separator: ", ")
  }
}

/// One figure of one operation, with what proves that the work was done.
struct Sample: Codable, Sendable {
  var operation: String
  /// In the operation's unit.
  var value: Double
  /// The read sum or the count; nil for operations that read nothing.
  var check: UInt64?
}

/// Median and range of some figures.
struct Spread {
  let sorted: [Double]

  init(_ values: [Double]) {
    precondition(!values.isEmpty, "a spread of nothing")
    sorted = values.sorted()
  }

  var minimum: Double { sorted[0] }
  var maximum: Double { sorted[sorted.count - 1] }

  var median: Double {
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

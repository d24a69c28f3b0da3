import Foundation

/// A random generator (SplitMix64) whose seed a failing test prints.
package struct SeededGenerator: RandomNumberGenerator {
  package let seed: UInt64
  private var state: UInt64

  /// Takes the seed from the environment variable LODE_SEED, else from the system.
  package init() {
    let given = ProcessInfo.processInfo.environment["LODE_SEED"].flatMap { UInt64($0) }
    self.init(seed: given ?? UInt64.random(in: 1...UInt64(UInt32.max)))
  }

  /// Takes a seed.
  package init(seed: UInt64) {
    self.seed = seed
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns random bytes, as many as one of some counts.
  package mutating func bytes(_ counts: ClosedRange<Int>) -> [UInt8] {
    let count = Int.random(in: counts, using: &self)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count { withUnsafeBytes(of: next()) { bytes.append(contentsOf: $0) } }
    return Array(bytes[..<count])
  }

  /// Returns one of some elements, of which there is at least one.
  package mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  /// Returns true so many times in a hundred.
  package mutating func chance(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &self) < percent
  }
}

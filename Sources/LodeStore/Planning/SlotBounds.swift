internal import Foundation
internal import LodeModel

/// What all comparisons of a condition say of one column together, and which of them say it.
struct SlotBounds {
  /// The values that the column may have, with the comparison that says so.
  var points: (values: [Value], node: Int)?
  var lower: SlotTest.Edge?
  var upper: SlotTest.Edge?
  /// The comparisons that `lower` and `upper` imply.
  var rangeNodes: [Int] = []
  var prefix: (text: String, node: Int)?

  var hasRange: Bool { !rangeNodes.isEmpty }

  mutating func add(_ test: SlotTest, _ node: Int) {
    switch test {
    case .points(let values):
      // Of two lists the shorter one bounds; the other stays to be tested.
      if let points, points.values.count <= values.count { return }
      points = (values, node)
    case .range(let newLower, let newUpper):
      lower = Self.tighter(lower, newLower, .orderedDescending)
      upper = Self.tighter(upper, newUpper, .orderedAscending)
      rangeNodes.append(node)
    case .prefix(let text):
      if prefix == nil { prefix = (text, node) }
    case .never: break
    }
  }

  private static func tighter(
    _ left: SlotTest.Edge?, _ right: SlotTest.Edge?, _ tighter: ComparisonResult
  ) -> SlotTest.Edge? {
    guard let left, let right else { return left ?? right }
    switch Value.sortOrder(left.value, right.value) {
    case tighter: return left
    case .orderedSame: return left.isInclusive ? right : left
    default: return right
    }
  }
}

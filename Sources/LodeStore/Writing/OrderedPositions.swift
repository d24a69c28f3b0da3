// Positions of ordered members: 64-bit numbers with gaps between them, so that a member moves by
// getting a new number and the others keep theirs. Of a new order the longest run of members that
// still stand in their old order stays; the rest are placed evenly between their neighbours. Only when
// a gap is too small is the whole list numbered anew.

enum OrderedPositions {
  /// Where a new list begins: the middle, so that it can grow at both ends.
  private static let start: UInt64 = 1 << 63
  private static let step: UInt64 = 1 << 32

  /// Gives each member of a new order a position, the old one where possible.
  ///
  /// - Complexity: O(n log n) for n members.
  static func assign(_ members: [ObjectReference], old: [OrderedMember]) -> [OrderedMember] {
    let known = Dictionary(
      old.map { ($0.member, $0.position) }, uniquingKeysWith: { first, _ in first })
    var positions = longestRun(members.map { known[$0] })
    guard fillGaps(&positions) else { return renumbered(members) }
    return zip(members, positions).map { member, position in
      OrderedMember(position: position ?? 0, member: member)
    }
  }

  private static func renumbered(_ members: [ObjectReference]) -> [OrderedMember] {
    let step = min(step, (UInt64.max - start) / UInt64(members.count + 1))
    return members.enumerated().map { index, member in
      OrderedMember(position: start + UInt64(index) * step, member: member)
    }
  }

  /// Keeps the positions of a longest increasing run and clears the others (patience sorting).
  private static func longestRun(_ positions: [UInt64?]) -> [UInt64?] {
    /// For each length, the index at which the run of that length with the least end ends.
    var ends: [Int] = []
    var before = [Int](repeating: -1, count: positions.count)
    for (index, position) in positions.enumerated() {
      guard let position else { continue }
      var (low, high) = (0, ends.count)
      while low < high {
        let middle = (low + high) / 2
        if (positions[ends[middle]] ?? 0) < position { low = middle + 1 } else { high = middle }
      }
      before[index] = low == 0 ? -1 : ends[low - 1]
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var kept = [UInt64?](repeating: nil, count: positions.count)
    var next = ends.last ?? -1
    while next >= 0 {
      kept[next] = positions[next]
      next = before[next]
    }
    return kept
  }

  /// Gives positions to those that have none; false when there is no room somewhere.
  private static func fillGaps(_ positions: inout [UInt64?]) -> Bool {
    var index = 0
    while index < positions.count {
      guard positions[index] == nil else {
        index += 1
        continue
      }
      var end = index
      while end < positions.count, positions[end] == nil { end += 1 }
      let below = index == 0 ? nil : positions[index - 1]
      let above = end == positions.count ? nil : positions[end]
      guard fill(&positions, index..<end, below, above) else { return false }
      index = end
    }
    return true
  }

  private static func fill(
    _ positions: inout [UInt64?], _ range: Range<Int>, _ below: UInt64?, _ above: UInt64?
  ) -> Bool {
    let count = UInt64(range.count)
    let (first, step): (UInt64, UInt64)
    switch (below, above) {
    case (nil, nil):
      (first, step) = (start, min(self.step, (UInt64.max - start) / (count + 1)))
    case (let below?, nil):
      step = min(self.step, (UInt64.max - below) / (count + 1))
      first = below + step
    case (nil, let above?):
      step = min(self.step, above / (count + 1))
      first = above - step * count
    case (let below?, let above?):
      step = (above - below) / (count + 1)
      first = below + step
    }
    guard step > 0 else { return false }
    for (offset, index) in range.enumerated() { positions[index] = first + UInt64(offset) * step }
    return true
  }
}

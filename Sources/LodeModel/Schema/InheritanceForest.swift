/// Which entity inherits from which, of any descriptions, sound or not: trees in one order.
///
/// Everything is done in loops, so that neither long chains nor circles matter to the stack, and in a
/// time that grows with the count of entities.
struct InheritanceForest {
  /// Each entity's parent; nil for entities that name none, one that isn't there, or are in a circle.
  private(set) var parents: [Int?]

  /// The entities that inherit from themselves.
  private(set) var cyclicEntities: Set<Int> = []

  /// All entities, each before those that inherit from it and directly followed by them.
  private(set) var order: [Int] = []

  /// The places in `order` of each entity and of all below it.
  private(set) var subtrees: [Range<Int>]

  /// Makes the forest of descriptions; of several with one name, the first is the one inherited from.
  init(_ descriptions: [EntityDescription]) {
    let indices = Dictionary(
      descriptions.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    parents = descriptions.map { $0.superentityName.flatMap { indices[$0] } }
    subtrees = Array(repeating: 0..<0, count: descriptions.count)
    cutCircles()
    arrange()
  }

  private mutating func cutCircles() {
    /// The walk that has met an entity, from 1; 0 before any has.
    var walks = Array(repeating: 0, count: parents.count)
    for start in parents.indices where walks[start] == 0 {
      var place: Int? = start
      while let index = place, walks[index] == 0 {
        walks[index] = start + 1
        place = parents[index]
      }
      guard let entry = place, walks[entry] == start + 1 else { continue }
      var member = entry
      while cyclicEntities.insert(member).inserted, let next = parents[member] { member = next }
    }
    for index in cyclicEntities { parents[index] = nil }
  }

  private mutating func arrange() {
    var children: [[Int]] = Array(repeating: [], count: parents.count)
    for (index, parent) in parents.enumerated() {
      if let parent { children[parent].append(index) }
    }
    var waiting = Array(parents.indices.reversed().filter { parents[$0] == nil })
    while let index = waiting.popLast() {
      subtrees[index] = order.count..<(order.count + 1)
      order.append(index)
      waiting += children[index].reversed()
    }
    for index in order.reversed() {
      guard let parent = parents[index] else { continue }
      let end = max(subtrees[parent].upperBound, subtrees[index].upperBound)
      subtrees[parent] = subtrees[parent].lowerBound..<end
    }
  }
}

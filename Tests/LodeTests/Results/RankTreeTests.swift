import LodeRandom
import Lode
import LodeTesting
import Testing

struct RankTreeTests {
  @Test func `an empty tree has no nodes`() {
    let tree = RankTree()
    #expect(tree.count == 0)
    #expect(tree.first == 0)
    #expect(tree.last == 0)
    #expect(tree.gap(behind: { _ in true }).previous == 0)
  }

  @Test(arguments: [0, 1, 2, 3, 1000])
  func `nodes added at the end stand in the order of their addition`(count: Int) {
    var tree = RankTree()
    let nodes = (0..<count).map { _ in tree.insert(in: tree.gap(after: tree.last)) }
    #expect(nodes == Array(1...1000).prefix(count).map(RankTree.Node.init))
    #expect((0..<count).map { tree.node(at: $0) } == nodes)
    #expect(nodes.map { tree.position(of: $0) } == Array(0..<count))
    #expect(tree.checkInvariants())
  }

  @Test func `a removed node's number is given out again`() {
    var tree = RankTree()
    for _ in 0..<10 { _ = tree.insert(in: tree.gap(after: tree.last)) }
    tree.remove(4)
    tree.remove(9)
    #expect(tree.insert(in: tree.gap(after: 0)) == 9)
    #expect(tree.insert(in: tree.gap(after: 0)) == 4)
    #expect(tree.nodeMax == 10)
    #expect(tree.first == 4)
  }

  @Test func `random insertions and removals agree with an array`() {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    var tree = RankTree()
    var model: [RankTree.Node] = []
    for step in 0..<20_000 {
      let grows =
        model.isEmpty || Int.random(in: 0..<100, using: &random) < (step / 4000 % 2 == 0 ? 70 : 30)
      let position = Int.random(in: 0..<(grows ? model.count + 1 : model.count), using: &random)
      if grows {
        let gap = tree.gap(after: position == 0 ? 0 : model[position - 1])
        model.insert(tree.insert(in: gap), at: position)
      } else {
        tree.remove(model.remove(at: position))
      }
      #expect(tree.count == model.count, "seed \(seed)")
      guard step % 500 == 0 || step < 200 else { continue }
      #expect(tree.checkInvariants(), "seed \(seed), step \(step)")
      #expect(nodes(of: tree) == model, "seed \(seed), step \(step)")
      #expect(model.map { tree.position(of: $0) } == Array(0..<model.count), "seed \(seed)")
    }
  }

  @Test func `a gap is found by what stands before it`() {
    var tree = RankTree()
    for _ in 0..<100 { _ = tree.insert(in: tree.gap(after: tree.last)) }
    for bound in 1...100 as ClosedRange<RankTree.Node> {
      let gap = tree.gap(behind: { $0 < bound })
      #expect(gap.previous == bound - 1)
      #expect(gap.next == bound)
    }
    #expect(tree.gap(behind: { _ in true }).next == 0)
  }

  private func nodes(of tree: RankTree) -> [RankTree.Node] {
    Array(sequence(first: tree.first) { tree.node(after: $0) }.prefix(tree.count))
  }
}

import LodeRandom
import LodeModel
import Testing

@testable import LodeStore

@Suite struct OrderedPositionsTests {
  private static func references(_ range: Range<Int>) -> [ObjectReference] {
    range.map { ObjectReference(number: UInt64($0 + 1), entityNumber: 1) }
  }

  /// Counts the members whose position is another than before.
  private static func moved(_ old: [OrderedMember], _ new: [OrderedMember]) -> Int {
    Set(new).subtracting(old).count
  }

  @Test func `positions give the order that was asked for, whatever was before`() {
    withSeed { random in
      var members = Self.references(0..<30)
      var old: [OrderedMember] = []
      for _ in 0..<2_000 {
        switch random.pick([0, 0, 0, 1, 2]) {
        case 0 where members.count > 1:
          let moving = members.remove(at: random.pick(Array(members.indices)))
          members.insert(moving, at: Int.random(in: 0...members.count, using: &random))
        case 1: members.shuffle(using: &random)
        default:
          members.removeAll { _ in random.chance(10) }
          let fresh = Self.references(0..<40).filter { !members.contains($0) }.prefix(2)
          members.insert(
            contentsOf: fresh, at: Int.random(in: 0...members.count, using: &random))
        }
        let new = OrderedPositions.assign(members, old: old)
        #expect(new.map(\.member) == members)
        #expect(zip(new, new.dropFirst()).allSatisfy { $0.position < $1.position })
        old = new
      }
    }
  }

  @Test func `a move in a long list writes one member`() {
    var members = Self.references(0..<5_000)
    let old = OrderedPositions.assign(members, old: [])
    members.insert(members.remove(at: 4_000), at: 17)
    let new = OrderedPositions.assign(members, old: old)
    #expect(Self.moved(old, new) == 1)
    members.insert(members.remove(at: 0), at: 4_999)
    members.insert(members.remove(at: 2_500), at: 0)
    #expect(Self.moved(new, OrderedPositions.assign(members, old: new)) == 2)
  }

  @Test func `a gap that is used up brings new numbers to the list`() {
    var members = Self.references(0..<2)
    var old = OrderedPositions.assign(members, old: [])
    var renumberings = 0
    for index in 2..<200 {
      members.insert(contentsOf: Self.references(index..<index + 1), at: 1)
      let new = OrderedPositions.assign(members, old: old)
      #expect(new.map(\.member) == members)
      if Self.moved(old, new) > 1 { renumberings += 1 }
      old = new
    }
    #expect((1...10).contains(renumberings))
  }
}

import Testing

@testable import LodeBench

/// The workload is the one that the published figures were taken with.
struct WorkloadTests {
  @Test(arguments: [100_000, 1_000_000])
  func `the generator reproduces the hash of its first players`(objectCount: Int) {
    let workload = Workload(objectCount: objectCount)
    #expect(CheckValues.generatorHash(workload) == CheckValues.generatorHashes[objectCount])
  }

  @Test func `the first player is the known one`() {
    let player = Workload(objectCount: 100_000).player(at: 0)
    #expect(
      CheckValues.line(player).hasPrefix(
        "1|Mull|Rested|mull.rested1@example.com|-302259291|1.6382|full back|"
          + "Only turt be musted not before geamer glant lost my. "))
  }

  @Test func `a biography's scanned word is the seven hundredth`() {
    #expect(WordList()[700] == Choices.scannedWord)
  }

  @Test func `every team has 25 players`() {
    let workload = Workload(objectCount: 1_000)
    let sizes = Dictionary(grouping: workload.players(), by: \.teamID).values.map(\.count)
    #expect(sizes.count == workload.teamCount)
    #expect(Set(sizes) == [25])
  }

  @Test func `a median lies in the middle`() {
    #expect(Spread([3, 1, 2]).median == 2)
    #expect(Spread([4, 1, 2, 3]).median == 2.5)
  }
}

// What the look at a store's pages, which comes before every opening, must let pass. What it must not is
// shown by the flipped bits of LodeStoreTests.

import LodeKV
import LodeKVTesting
import Testing

@Suite struct PageCheckTests {
  // LMDB leaves a value its pages when a shorter one replaces it in the same transaction. That was taken for
  // damage, and such a store could not be opened any more. Random programs found it.
  @Test(arguments: [3_000, 4_080, 4_081, 9_000, 20_000])
  func `a long value that became shorter within one transaction is sound`(byteCount: Int) throws {
    try withFolder { folder in
      let engine = try LMDBEngine(open: folder, options: .small)
      var list = WriteList()
      list.put([1], [UInt8](repeating: 7, count: 20_000))
      list.put([1], [UInt8](repeating: 8, count: byteCount))
      try engine.commit(list)
      try engine.close()
      let reopened = try LMDBEngine(open: folder, options: .small)
      let value = try reopened.read { try $0.bytes([1]) }
      #expect(value == [UInt8](repeating: 8, count: byteCount))
      try reopened.close()
    }
  }
}

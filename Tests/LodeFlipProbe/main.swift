// Flips one bit after the other in a copy of a store's data file, opens it each time, asks everything that a
// store can be asked, and prints a line for each: what became of it. A program of its own, so that the test
// notices when the damage kills it.
//
//   LodeFlipProbe FOLDER SEED POSITION…     prints “POSITION OUTCOME”

import Foundation
import LodeModel
import LodeStore

let arguments = CommandLine.arguments
guard arguments.count > 3, let seed = UInt64(arguments[2]) else {
  fatalError("usage: LodeFlipProbe FOLDER SEED POSITION…")
}
let probe = try FlipProbe(URL(fileURLWithPath: arguments[1]))
for position in arguments.dropFirst(3).compactMap(UInt64.init) {
  // Names the byte before anything can happen.
  FileHandle.standardOutput.write(Data("\(position) ".utf8))
  let bit = UInt8(truncatingIfNeeded: (seed ^ position) % 8)
  FileHandle.standardOutput.write(Data("\(try probe.outcome(flipping: position, bit: bit))\n".utf8))
}

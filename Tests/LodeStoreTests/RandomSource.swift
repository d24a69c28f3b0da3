import Foundation
import LodeModel
import Testing

/// Random numbers that a seed repeats (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &self)]
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

/// Runs a random test with a seed that a failure shows; `LODE_SEED` repeats one.
func withSeed(
  sourceLocation: SourceLocation = #_sourceLocation, _ body: (inout SeededGenerator) throws -> Void
) rethrows {
  let given = ProcessInfo.processInfo.environment["LODE_SEED"].flatMap { UInt64($0) }
  let seed = given ?? UInt64.random(in: 0...UInt64.max)
  var generator = SeededGenerator(seed: seed)
  try withKnownSeed(seed) { try body(&generator) }
}

private func withKnownSeed(_ seed: UInt64, _ body: () throws -> Void) rethrows {
  print("seed \(seed)")
  try body()
}

/// Values of each type, chosen for trouble: few enough to collide, the extremes among them.
enum TroublesomeValues {
  static func value(of type: AttributeType, _ random: inout SeededGenerator) -> Value {
    switch type {
    case .boolean: .boolean(random.chance(50))
    case .integer16: .integer(random.pick([0, 1, -1, 7, Int64(Int16.max), Int64(Int16.min)]))
    case .integer32: .integer(random.pick([0, 1, -1, 7, Int64(Int32.max), Int64(Int32.min)]))
    case .integer64:
      .integer(random.pick([0, 1, -1, 7, .max, .min, 1 << 53, 1 << 53 + 1, -1 << 60]))
    case .double: .double(random.pick(doubles))
    case .float: .double(Double(Float(random.pick(doubles))))
    case .date: .date(Date(timeIntervalSinceReferenceDate: random.pick(doubles)))
    case .decimal: .decimal(random.pick(decimals))
    case .string: .string(random.pick(strings))
    case .uri: .uri(random.pick(urls))
    case .uuid: .uuid(random.pick(uuids))
    case .binaryData, .transformable: .data(random.pick(datas))
    case .objectID, .composite: .null
    }
  }

  static let doubles: [Double] = [
    0, -0.0, 1, -1, 0.1, 1.5, -1.5, 7, .infinity, -.infinity, .nan, -.nan, .greatestFiniteMagnitude,
    .leastNonzeroMagnitude, -.leastNonzeroMagnitude, 9_007_199_254_740_992, 1e30, -1e30, 3.25,
  ]

  static let decimals: [Decimal] = [
    0, 1, -1, 7, Decimal(string: "1.5") ?? 0, Decimal(string: "-1.5") ?? 0,
    Decimal(string: "1.500") ?? 0, Decimal(string: "0.1") ?? 0, Decimal(string: "1e30") ?? 0,
    Decimal(string: "-1e-30") ?? 0, Decimal(string: "12345678901234567890123456789012345678") ?? 0,
    Decimal(string: "1e-127") ?? 0, Decimal.greatestFiniteMagnitude,
    -Decimal.greatestFiniteMagnitude, .nan, Decimal(string: "155") ?? 0, 100, 99, -100,
  ]

  private static let long = String(repeating: "long ", count: 120)

  static let strings: [String] = [
    "", "a", "A", "b", "ab", "aB", "a\0", "a\0b", "\0", "\u{1}", "\u{E9}", "e\u{301}", "e",
    "\u{E5}\u{E4}\u{F6}", "a\u{30A}a\u{308}o\u{308}", "\u{1F468}\u{200D}\u{1F469}", "\u{FFFF}",
    "\u{10FFFF}", "\u{AC00}", "\u{1100}\u{1161}", "x\u{301}\u{323}", "x\u{323}\u{301}", "x",
    long, long + "a", long + "b", long + "e\u{301}", long + "\u{E9}",
    String(repeating: "\0", count: 300), String(repeating: "\0", count: 300) + "a",
    String(repeating: "\u{E9}", count: 300), String(repeating: "e\u{301}", count: 300) + "!",
  ]

  static let urls: [URL] = [
    "urn:a", "x:y", "urn:a:b", "z://host/path",
    "urn:" + String(repeating: "a", count: 600),
    "urn:" + String(repeating: "a", count: 600) + "b",
  ].compactMap { URL(string: $0) }

  static let uuids: [UUID] = [
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
    UUID(uuid: (255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255)),
    UUID(uuid: (127, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
    UUID(uuid: (128, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)),
  ]

  static let datas: [Data] = [
    Data(), Data([0]), Data([0xFF]), Data(repeating: 7, count: 63), Data(repeating: 7, count: 64),
    Data(repeating: 7, count: 5_000),
  ]
}

import Foundation
import LodeModel
import LodeRandom

/// Runs a random test with a seed that it prints; `LODE_SEED` repeats one.
func withSeed(_ body: (inout SeededGenerator) throws -> Void) rethrows {
  var generator = SeededGenerator()
  print("LODE_SEED=\(generator.seed)")
  try body(&generator)
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

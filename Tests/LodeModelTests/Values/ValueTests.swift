import Foundation
import LodeModel
import Testing

/// Values in and out of Swift types, and object IDs.
struct ValueTests {
  private func roundTrips<T: AttributeValue & Equatable>(_ values: T...) -> Bool {
    values.allSatisfy { T.attributeType.accepts($0.value) && T(value: $0.value) == $0 }
      && T(value: .null) == nil
  }

  @Test func `every attribute type round trips through a value`() throws {
    #expect(roundTrips(true, false) && roundTrips(Int.min, .max) && roundTrips(Int64.min, .max))
    #expect(roundTrips(Int32.min, .max) && roundTrips(Int16.min, .max))
    #expect(
      roundTrips(0.1, -.infinity, .leastNonzeroMagnitude)
        && roundTrips(Float(0.1), .greatestFiniteMagnitude))
    #expect(roundTrips("", "å") && roundTrips(Data(), Data([1])) && roundTrips(UUID()))
    #expect(roundTrips(Date.distantPast, Date(timeIntervalSinceReferenceDate: 0.1)))
    #expect(roundTrips(Decimal(string: "1e-100") ?? 0, Decimal.greatestFiniteMagnitude))
    #expect(roundTrips(try #require(URL(string: "urn:a:b"))))
  }

  @Test func `nothing is cut to fit`() {
    #expect(Int16(value: .integer(32_768)) == nil && Int32(value: .integer(1 << 31)) == nil)
    #expect(!AttributeType.integer16.accepts(.integer(-32_769)))
    #expect(
      !AttributeType.float.accepts(.double(1e39)) && AttributeType.float.accepts(.double(.nan)))
    #expect(!AttributeType.integer64.accepts(.double(1)))
    for type in AttributeType.allCases { #expect(type.accepts(.null)) }
  }

  @Test func `an object ID is read back from its text when its store is known`() {
    let store = StoreIdentifier(UUID())
    let objectID = ManagedObjectID(store: store, entityName: EntityName("A/B c"), number: 7)
    #expect(ManagedObjectID(knownText: objectID.description) == objectID)
    for text in [
      "", "x-lode://", "x-lode://\(UUID())/A/B c/7", "x-lode://\(store.uuid)/never met/7",
      "x-lode://\(store.uuid)/A/B c/0", "x-lode://\(store.uuid)/A/B c/281474976710656",
      "x-lode://\(store.uuid)/7", "x-core://\(store.uuid)/A/B c/7",
    ] {
      #expect(ManagedObjectID(knownText: text) == nil, "\(text)")
    }
  }

  @Test func `constants become the type of what they are compared with, where that is exact`() {
    let cases: [(Value, AttributeType, Value?)] = [
      (.integer(5), .double, .double(5)), (.integer(.max), .double, .integer(.max)),
      (.double(5), .integer16, .integer(5)), (.double(5.5), .integer16, .double(5.5)),
      (.double(0.1), .decimal, .decimal(Decimal(1) / 10)),
      (.double(1e300), .decimal, .double(1e300)),
      (.decimal(Decimal(1) / 10), .double, .double(0.1)), (.decimal(5), .integer64, .integer(5)),
      (.integer(1), .boolean, .boolean(true)), (.double(0), .boolean, .boolean(false)),
      (.integer(2), .boolean, .integer(2)), (.boolean(true), .integer16, .integer(1)),
      (.integer(5), .date, date(5)), (.double(-0.5), .date, date(-0.5)), (.string("x"), .date, nil),
      (.string("x"), .integer16, nil), (.integer(1), .string, nil), (.string("no"), .uuid, nil),
      (.null, .uuid, .null), (.integer(1), .objectID, nil),
      (.data(Data()), .transformable, .data(Data())),
    ]
    for (value, type, expected) in cases {
      #expect(value.converted(to: type) == expected, "\(value) to \(type)")
    }
  }

  @Test func `text is composed canonically`() {
    for (text, composed) in [
      ("abc", "abc"), ("å", "\u{E5}"), ("a\u{30A}", "\u{E5}"), ("творог", "творог"),
      ("и\u{306}", "\u{439}"), ("名前", "名前"), ("か\u{3099}", "\u{304C}"),
      ("\u{212B}", "\u{E5}".uppercased()),
    ] {
      #expect(Array(text.canonicallyComposed.utf8) == Array(composed.utf8), "\(text)")
    }
  }

  @Test func `every scalar's composition equals it and is its own`() {
    // Foundation composed U+10041 with an accent into Á, by way of its lower 16 bits.
    for value in UInt32(0x300)...0x1FFFF {
      guard let scalar = Unicode.Scalar(value) else { continue }
      let text = String(Character(scalar)) + "\u{301}"
      let composed = text.canonicallyComposed
      #expect(composed == text, "U+\(String(value, radix: 16))")
      #expect(composed.canonicallyComposed.utf8.elementsEqual(composed.utf8))
    }
  }
}

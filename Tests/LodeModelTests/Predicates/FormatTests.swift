import Foundation
import LodeCases
import LodeModel
import Testing

/// Reading and writing formats: errors and their places, limits, round trips.
struct FormatTests {
  /// How many random texts are read; `LODE_FUZZ` sets it.
  private static let soupCount =
    ProcessInfo.processInfo.environment["LODE_FUZZ"].flatMap { Int($0) } ?? 5_000

  private func failure(
    _ format: String, _ arguments: [(any PredicateArgument)?] = []
  ) -> ObjectPredicateError? {
    do throws(ObjectPredicateError) {
      _ = try ObjectPredicate(format, arguments: arguments)
      return nil
    } catch { return error }
  }

  @Test(arguments: [
    ("", 0), ("name", 4), ("name ==", 7), ("name == 'x' AND", 15), ("(name == 'x'", 12),
    ("name == 'x')", 11), ("name == 'x", 8), ("name == 'a\\q'", 10), ("name ==[x] 'a'", 8),
    ("name ==[cx] 'a'", 9), ("name == 1a", 9), ("name == 0x", 8), ("name = = 3", 7),
    ("ANY name", 8), ("name IN {1, 2", 13), ("name IN {1 2}", 11), ("name BETWEEN {1}", 13),
    ("name == 'x' name == 'y'", 12), ("name.'x' == 3", 5), ("name . == 3", 7), ("@count == 3", 0),
    ("size == 3", 0), ("name NOT IN {}", 5), ("5 == ; 3", 5), ("name == 'x' AND OR", 16),
    ("name == \"\\ud800\"", 9), ("name == \"\\u12\"", 9), ("(name == 3) == 4", 1),
    ("(name == 3) + 4 == 5", 1), ("name == (a == 3)", 9), ("é == ;", 6), ("name == 1e999", 8),
    ("-'x' == 3", 0), ("'a' + 'b' == name", 4), ("~'x' == 3", 0), ("a[ == 3", 3), ("a[0 == 3", 4),
    ("a.@foo == 3", 2), ("a.@count.b == 3", 9), ("sum(a, b) == 3", 0), ("sum(a == 3", 6),
    ("TERNARY(a, 1, 2) == 3", 9), ("TERNARY(a > 1, 2) == 3", 16),
    ("SUBQUERY(a, b, c > 1) == 3", 12),
    ("SUBQUERY(a, $b) == 3", 14), ("SUBQUERY(a, $b, c) == 3", 17), ("CAST(a) == 3", 6),
    ("a ** == 3", 5), ("a UNION == 3", 8), ("$ == 3", 1), ("$1 == 3", 1),
    ("name == %%", 8), ("name == %y", 8), ("name == 3 3", 10), ("CAST(3, 'Foo') == name", 8),
  ])
  func `a syntax error tells its place`(_ format: String, _ offset: Int) throws {
    let error = try #require(failure(format), "\(format)")
    #expect(error.offset == offset, "\(format): \(error)")
    #expect([.syntax, .typeMismatch].contains(error.code), "\(format): \(error)")
  }

  @Test(arguments: [
    ("ANYKEY == 3", 0), ("FETCH(a, b, NO) == 3", 0), ("FUNCTION(a, 'b') == 3", 0),
    ("shout(a) == 3", 0), ("distanceToLocation:fromLocation:(a, b) < 3", 0), ("$a := 3", 3),
    ("a UTI-EQUALS 'b'", 2),
  ])
  func `what isn't offered is refused by name`(_ format: String, _ offset: Int) throws {
    let error = try #require(failure(format), "\(format)")
    #expect(error.code == .unsupported && error.offset == offset, "\(format): \(error)")
  }

  @Test func `arguments must go with placeholders`() {
    let cases: [(String, [(any PredicateArgument)?], Int)] = [
      ("a == %@", [], 5), ("a == %@ AND b == %@", [1], 17), ("a == 1", [1], 6),
      ("a == '%@'", [1], 9), ("a == %d", ["x"], 5), ("a == %f", ["x"], 5), ("%K == 1", [1], 0),
      ("%K == 1", ["a..b"], 0), ("a == %s", [1], 5), ("a == %d", [nil], 5), ("%K == 1", [""], 0),
    ]
    #expect(
      failure("a == %f", [true])?.message
        == "argument 1 is a Boolean, which doesn't go with this placeholder")
    #expect(
      failure("a == %s", [1])?.message
        == "argument 1 is an integer, which doesn't go with this placeholder")
    for (format, arguments, offset) in cases {
      let error = failure(format, arguments)
      #expect(
        error?.code == .arguments && error?.offset == offset,
        "\(format): \(String(describing: error))")
    }
  }

  @Test func `a pattern that can't be read is refused when made`() {
    for pattern in ["(", "[a", "a)", "*"] {
      let error = failure("name MATCHES %@", [pattern])
      #expect(error?.code == .invalidPattern && error?.offset == 13, "\(pattern)")
    }
    #expect(
      failure("name MATCHES 'a('")?.message
        == "MATCHES needs an ICU regular expression: expected ')', at character 2 of the pattern")
  }

  @Test func `depth and length are bounded`() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "a == 1" + String(repeating: ")", count: count)
    }
    #expect(failure(nested(200)) == nil)
    #expect(failure(nested(201))?.code == .tooLarge)
    #expect(failure(String(repeating: "(", count: 500_000))?.code == .tooLarge)
    #expect(failure(String(repeating: "NOT ", count: 200_000) + "a == 1")?.code == .tooLarge)
    #expect(failure("a == " + String(repeating: "-", count: 500_000) + "1")?.code == .tooLarge)
    #expect(failure("a IN " + String(repeating: "{", count: 500_000))?.code == .tooLarge)
    #expect(failure(String(repeating: " ", count: 1 << 20) + "a == 1")?.code == .tooLarge)
    for link in ["+a", "**a", " UNION a", "&a"] {
      #expect(failure("a" + String(repeating: link, count: 100_000) + " == 1")?.code == .tooLarge)
    }
    for (start, end) in [
      ("sum(", ")"), ("TERNARY(a == ", ", 1, 2)"), ("SUBQUERY(", ", $x, TRUEPREDICATE)"),
      ("a[", "]"),
      ("CAST(", ", 'Int')"), ("-", ""), ("~", ""),
    ] {
      let nested =
        String(repeating: start, count: 10_000) + "a" + String(repeating: end, count: 10_000)
      #expect(failure(nested + " == 1")?.code == .tooLarge, "\(start)")
    }
    #expect(failure("a" + String(repeating: "[0]", count: 100_000) + " == 1")?.code == .tooLarge)
    #expect(failure("a" + String(repeating: "+a", count: 150) + " == 1") == nil)
    #expect(failure("a" + String(repeating: ".a", count: 500_000) + " == 1")?.code == .tooLarge)
    #expect(failure("a" + String(repeating: ".a", count: 98) + " == 1") == nil)
    let long = Array(repeating: "a == 1", count: 20_000).joined(separator: " OR ")
    #expect(failure(long) == nil)
  }

  @Test func `binding and evaluation refuse what is nested too deeply`() throws {
    var deep = ObjectPredicate.comparison(
      ObjectComparison(.keyPath(ObjectKeyPath("name")), .equal, .constant(.null)))
    for _ in 0..<201 { deep = .not(deep) }
    let entity = try #require(try League.model().entitiesByName["Player"])
    #expect(throws: ObjectPredicateError.self) { try deep.bound(to: entity) }
    #expect(throws: ObjectPredicateError.self) { try deep.evaluate(with: [:] as [String: Value]) }
  }

  @Test func `canonical forms`() throws {
    for (format, canonical) in [
      ("a=1&&b<>2||!c=>3", "(a == 1 AND b != 2) OR NOT c >= 3"),
      ("some a.b like[dc] 'x*'", #"ANY a.b LIKE[cd] "x*""#), ("#Size == -5", "#Size == -5"),
      ("a IN {}", "a IN {}"), ("a == 'it''s'", ""), ("SELF.a == self", "a == SELF"),
      ("a == 'q\"'", #"a == "q\"""#), ("a[SIZE] == 2", "a.@count == 2"), ("a == .5", "a == 0.5"),
      ("a.@sum.b==sum:(a.b)", "a.b.@sum == a.b.@sum"), ("a.@unionOfObjects.b==c", "a.b == c"),
      ("a.@distinctUnionOfSets.b==c", "a.b.@distinctUnionOfObjects == c"),
      ("count:(a)==count({1})", "a.@count == count({1})"),
      ("(a)-(b-c)==(a-b)-c", "a - (b - c) == a - b - c"),
      ("(a**b)**c==a**(b**c)", "(a ** b) ** c == a ** b ** c"),
      ("a+(b*c)==(a+b)*c", "a + b * c == (a + b) * c"),
      ("-(a)==-(a+b)", "-a == -(a + b)"), ("add:to:(a,1)==1+2", "a + 1 == 3"),
      ("objectFrom:withIndex:(a,FIRST)==a[0]", "a[FIRST] == a[0]"),
      ("a['b']==a['c d']", #"a.b == a.#"c d""#), ("(a+b)[0]==(a).b", "(a + b)[0] == a.b"),
      ("ternary(a>1,b,c)==NOW()", ""),
      ("Ternary(a>1&&b,c,d)==1", ""), ("TERNARY(a>1,b,c)==now()", "TERNARY(a > 1, b, c) == now()"),
      ("subquery(a,$x,$x.b=1)[SIZE]>0", "SUBQUERY(a, $x, $x.b == 1).@count > 0"),
      ("CAST(a,'Date')<$b", #"CAST(a, "NSDate") < $b"#),
      ("#SELF.a==#SELF", "#SELF.a == #SELF"),
      ("noindex:(a)==uppercase:(b)", "noindex(a) == uppercase(b)"),
      ("a UNION b MINUS c==d", "a UNION b MINUS c == d"),
    ] where !canonical.isEmpty {
      #expect(try ObjectPredicate(format).format == canonical)
    }
  }

  @Test func `what is kept of formats is what they say, however many there are`() throws {
    for round in 1...2 {
      for number in 0..<400 {
        let expected = ObjectPredicate.comparison(
          ObjectComparison(
            .keyPath(ObjectKeyPath("a")), .equal, .constant(.integer(Int64(number)))))
        #expect(try ObjectPredicate("a == \(number)") == expected, "round \(round)")
      }
      #expect(failure("a ==")?.offset == 4)
    }
    #expect(try ObjectPredicate("a == %@", 1) != ObjectPredicate("a == %@", 2))
    #expect(failure("a == %@")?.code == .arguments)
  }

  @Test func `every predicate reads back from what it is written as`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var predicates = RandomPredicates(seed: seed)
    for _ in 0..<1_000 {
      let predicate = predicates.predicate()
      let format = predicate.format
      #expect(try ObjectPredicate(format) == predicate, "seed \(seed): \(format)")
    }
  }

  @Test func `no change to a format traps, and what is read reads back`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var predicates = RandomPredicates(seed: seed)
    let entity = try #require(try League.model().entitiesByName["Player"])
    for _ in 0..<(Self.soupCount / 5) {
      let predicate = predicates.predicate(depth: 2)
      _ = try? predicate.bound(to: entity)
      _ = try? predicate.evaluate(with: predicates.values())
      let format = predicates.mutated(predicate.format)
      guard let changed = try? ObjectPredicate(format) else { continue }
      #expect(try ObjectPredicate(changed.format) == changed, "seed \(seed): \(format)")
      _ = try? changed.bound(to: entity)
      _ = try? changed.evaluate(with: predicates.values())
    }
  }

  @Test func `no text traps, and what is read reads back`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var predicates = RandomPredicates(seed: seed)
    let entity = try #require(try League.model().entitiesByName["Player"])
    for _ in 0..<Self.soupCount {
      let format = predicates.soup()
      let predicate = try? ObjectPredicate(format, arguments: ["name", "name", 1])
      guard let predicate = predicate ?? (try? ObjectPredicate(format)) else { continue }
      #expect(try ObjectPredicate(predicate.format) == predicate, "seed \(seed): \(format)")
      _ = try? predicate.bound(to: entity)
      _ = try? predicate.evaluate(with: predicates.values())
    }
  }
}

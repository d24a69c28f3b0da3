import Foundation
import LodeCases
import LodeModel
import Testing

/// Cases that users of other object stores hit, in plain and bound evaluation.
struct CaseTests {
  /// Returns those of some names that match a format, asked of a player's name.
  private func names(
    _ names: [String?], _ format: String, _ arguments: (any PredicateArgument)?...
  ) throws -> [String?] {
    let predicate = try ObjectPredicate(format, arguments: arguments)
    let graph = ObjectGraph(try League.model())
    let bound = try predicate.bound(to: try #require(graph.model.entitiesByName["Player"]))
    return try names.filter { name in
      let values = ["name": name.map { Value.string($0) } ?? .null]
      let answer = try bound.evaluate(on: graph.source(graph.insert("Player", values)))
      #expect(try predicate.evaluate(with: values) == answer)
      return answer
    }
  }

  @Test func `unequal to a value includes nil`() throws {
    let authors = ["A", "B", nil]
    #expect(try names(authors, "name != 'A'") == ["B", nil])
    #expect(try names(authors, "NOT (name == 'A')") == ["B", nil])
    #expect(try names(authors, "name == nil") == [nil])
    #expect(try names(authors, "name != nil") == ["A", "B"])
  }

  @Test func `nothing is in an empty list`() throws {
    #expect(try names(["1", "2", nil], "name IN {}").isEmpty)
    #expect(try names(["1", "2", nil], "NOT (name IN {})") == ["1", "2", nil])
    #expect(try names(["1", nil], "name IN %@", [String]()).isEmpty)
  }

  @Test func `an empty operand is found nowhere`() throws {
    let texts = ["", "a", nil]
    for format in ["name BEGINSWITH ''", "name CONTAINS ''", "name ENDSWITH ''", "'' IN name"] {
      #expect(try names(texts, format).isEmpty, "\(format)")
    }
    #expect(try names(texts, "name == ''") == [""])
    #expect(try names(texts, "name LIKE '*'") == ["", "a"])
    #expect(try names(texts, "name LIKE ''") == [""])
    #expect(try names(texts, "name MATCHES ''") == [""])
  }

  @Test func `wildcards are star and question mark alone`() throws {
    let texts = ["100%", "100x", "a_c", "abc", "a*c"]
    #expect(try names(texts, "name LIKE '100%'") == ["100%"])
    #expect(try names(texts, "name LIKE '100*'") == ["100%", "100x"])
    #expect(try names(texts, "name LIKE 'a_c'") == ["a_c"])
    #expect(try names(texts, "name LIKE 'a?c'") == ["a_c", "abc", "a*c"])
    #expect(try names(texts, #"name LIKE 'a\\*c'"#) == ["a*c"])
    #expect(try names(texts, "name CONTAINS '%'") == ["100%"])
  }

  @Test func `case and diacritics are folded beyond ASCII`() throws {
    let texts = ["творог", "Творог", "ТВОРОГ", "Crèpes Suzette"]
    #expect(try names(texts, "name ==[c] 'творог'").count == 3)
    #expect(try names(texts, "name CONTAINS[c] 'ТВОР'").count == 3)
    #expect(try names(texts, "name BEGINSWITH[cd] 'crepes'") == ["Crèpes Suzette"])
    #expect(try names(texts, "name BEGINSWITH[c] 'crepes'").isEmpty)
    #expect(try names(texts, "name MATCHES[cd] 'crepes .*'") == ["Crèpes Suzette"])
    #expect(try names(texts, "name LIKE[cd] 'cREPES*'") == ["Crèpes Suzette"])
    #expect(try names(texts, "name MATCHES[c] 'творог'").count == 3)
  }

  @Test func `case folding is full`() throws {
    for (left, right) in [
      ("Straße", "STRASSE"), ("ẞ", "ss"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("İ", "i\u{307}"), ("ﬁ", "FI"),
      ("ǰ", "J\u{30C}"), ("\u{212A}", "k"), ("ŉ", "ʼN"),
    ] {
      #expect(try names([left], "name ==[c] %@", right) == [left])
      #expect(try names([right], "name ==[c] %@", left) == [right])
    }
    #expect(try names(["ı"], "name ==[c] 'i'").isEmpty)
    #expect(try names(["ø"], "name ==[d] 'o'").isEmpty)
    #expect(try names(["が"], "name ==[d] 'か'") == ["が"])
    #expect(try names(["कि"], "name ==[d] 'क'").isEmpty)
  }

  @Test func `composed and decomposed letters are one`() throws {
    let texts = ["\u{E5}\u{E4}\u{F6}.xlsx", "a\u{30A}a\u{308}o\u{308}.xlsx"]
    for text in texts {
      for format in [
        "name == %@", "name BEGINSWITH %@", "name LIKE %@", "name IN {%@}", "name CONTAINS %@",
        "name ENDSWITH %@", "name ==[c] %@", "name BETWEEN {%@, 'ö'}",
      ] {
        #expect(try names(texts, format, text) == texts, "\(format)")
      }
    }
    #expect(try names(texts, "name MATCHES '\u{E5}.*'") == texts)
    #expect(try names(texts, "name MATCHES 'a\u{30A}.*'") == texts)
    #expect(try names(texts, "name BEGINSWITH 'a'").isEmpty)
    #expect(try names(texts, "name BEGINSWITH[d] 'a'") == texts)
    #expect(try names(texts, "name ==[n] %@", texts[0]) == [texts[0]])
  }

  @Test func `ranges hold their bounds, and nothing when turned around`() throws {
    let predicates = [
      ("n BETWEEN {2, 4}", [2, 3, 4]), ("n BETWEEN {4, 2}", []), ("n BETWEEN {2, 5-1}", [2, 3, 4]),
    ]
    for (format, expected) in predicates {
      let predicate = try ObjectPredicate(format)
      for make in [
        { Value.integer($0) }, { date(Double($0)) }, { .decimal(Decimal($0)) },
        { .double(Double($0)) },
      ] as [(Int64) -> Value] {
        let found = try (1...5).filter { try predicate.evaluate(with: ["n": make(Int64($0))]) }
        #expect(found == expected, "\(format)")
      }
      #expect(try !predicate.evaluate(with: ["n": .null]))
    }
  }
}

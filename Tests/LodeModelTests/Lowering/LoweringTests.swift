import Foundation
import LodeModel
import Testing

/// A class of objects, equal when they are the same, as managed objects are.
private class Thing: Hashable {
  static func == (left: Thing, right: Thing) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private final class Member: Thing, PropertyNaming {
  var name = ""
  var nickname: String?
  var age = 0
  var isCaptain = false
  var rating: Double?
  var position: Position?
  var team: Squad?

  static func propertyName(of keyPath: AnyKeyPath) -> String? {
    switch keyPath {
    case \Member.name: "name"
    case \Member.nickname: "nickname"
    case \Member.age: "age"
    case \Member.isCaptain: "isCaptain"
    case \Member.rating: "rating"
    case \Member.position: "position"
    case \Member.team: "team"
    default: nil
    }
  }
}

private final class Squad: Thing, PropertyNaming {
  var name = ""
  var isOpen: Bool?
  var members: [Member] = []
  var guests: Set<Guest> = []

  static func propertyName(of keyPath: AnyKeyPath) -> String? {
    switch keyPath {
    case \Squad.name: "name"
    case \Squad.isOpen: "isOpen"
    case \Squad.members: "members"
    case \Squad.guests: "guests"
    default: nil
    }
  }
}

private final class Guest: Thing, PropertyNaming {
  var name = ""
  static func propertyName(of keyPath: AnyKeyPath) -> String? {
    keyPath == \Guest.name ? "name" : nil
  }
}

private enum Position: String, Codable { case goal, wing }

/// Swift predicates and the formats that they become.
struct LoweringTests {
  private func format<Root: PropertyNaming>(_ predicate: Predicate<Root>) throws -> String {
    try ObjectPredicate(lowering: predicate).format
  }

  private func failure<Root: PropertyNaming>(_ predicate: Predicate<Root>) -> ObjectPredicateError?
  {
    do throws(ObjectPredicateError) {
      _ = try ObjectPredicate(lowering: predicate)
      return nil
    } catch { return error }
  }

  @Test func `comparisons and logic`() throws {
    let limit = 20
    #expect(try format(#Predicate<Member> { $0.name == "Ann" }) == #"name == "Ann""#)
    #expect(try format(#Predicate<Member> { $0.name != "Ann" }) == #"name != "Ann""#)
    #expect(
      try format(#Predicate<Member> { $0.age < limit && $0.age >= 3 }) == "age < 20 AND age >= 3")
    #expect(try format(#Predicate<Member> { $0.age > 5 || $0.age <= 2 }) == "age > 5 OR age <= 2")
    #expect(try format(#Predicate<Member> { !($0.age > 5) }) == "NOT age > 5")
    #expect(try format(#Predicate<Member> { $0.isCaptain }) == "isCaptain == TRUE")
    #expect(try format(#Predicate<Member> { !$0.isCaptain }) == "isCaptain != TRUE")
    #expect(try format(#Predicate<Member> { _ in true }) == "TRUEPREDICATE")
    #expect(try format(#Predicate<Member> { $0.age > limit - 2 * 3 }) == "age > 14")
    #expect(try format(#Predicate<Member> { $0.age > -limit }) == "age > -20")
    #expect(try format(#Predicate<Member> { 3 < $0.age }) == "3 < age")
  }

  @Test func `nil, optional chains and their fallbacks`() throws {
    #expect(try format(#Predicate<Member> { $0.team == nil }) == "team == NULL")
    #expect(try format(#Predicate<Member> { $0.team?.name == "Crew" }) == #"team.name == "Crew""#)
    #expect(try format(#Predicate<Member> { $0.team?.name == nil }) == "team.name == NULL")
    #expect(try format(#Predicate<Member> { $0.nickname == nil }) == "nickname == NULL")
    #expect(
      try format(#Predicate<Member> { $0.nickname?.contains("x") ?? false })
        == #"nickname CONTAINS "x""#)
    #expect(
      try format(#Predicate<Member> { $0.nickname?.contains("x") == true })
        == #"nickname CONTAINS "x""#)
    #expect(
      try format(#Predicate<Member> { $0.nickname?.starts(with: "x") ?? true })
        == #"nickname BEGINSWITH "x" OR nickname == NULL"#)
    #expect(
      try format(#Predicate<Member> { ($0.nickname ?? "none") == "none" })
        == #"nickname == "none" OR nickname == NULL"#)
    #expect(try format(#Predicate<Member> { ($0.rating ?? 0) > 3 }) == "rating > 3.0")
    #expect(try format(#Predicate<Member> { $0.team?.isOpen ?? false }) == "team.isOpen == TRUE")
    #expect(
      try format(#Predicate<Member> { if let team = $0.team { team.name != "x" } else { false } })
        == #"team != NULL AND team.name != "x""#)
  }

  @Test func `conditional expressions`() throws {
    #expect(
      try format(#Predicate<Member> { $0.age > 3 ? $0.isCaptain : $0.name == "x" })
        == #"(age > 3 AND isCaptain == TRUE) OR (NOT age > 3 AND name == "x")"#)
    #expect(
      try format(#Predicate<Member> { ($0.isCaptain ? 1 : 2) == $0.age })
        == "(isCaptain == TRUE AND 1 == age) OR (isCaptain != TRUE AND 2 == age)")
  }

  @Test func `texts`() throws {
    let part = "nn"
    #expect(try format(#Predicate<Member> { $0.name.contains(part) }) == #"name CONTAINS "nn""#)
    #expect(try format(#Predicate<Member> { $0.name.starts(with: "A") }) == #"name BEGINSWITH "A""#)
    #expect(try format(#Predicate<Member> { $0.name.isEmpty }) == #"name == """#)
    #expect(try format(#Predicate<Member> { $0.name < "M" }) == #"name < "M""#)
  }

  @Test func `ranges and lists`() throws {
    let (ages, closed, open, above) = ([1, 2, 3], 1...5, 1..<5, 18...)
    let positions: [Position?] = [.goal, .wing]
    let goal = Position.goal
    #expect(try format(#Predicate<Member> { (1...5).contains($0.age) }) == "age BETWEEN {1, 5}")
    #expect(try format(#Predicate<Member> { (1..<5).contains($0.age) }) == "age >= 1 AND age < 5")
    #expect(try format(#Predicate<Member> { closed.contains($0.age) }) == "age BETWEEN {1, 5}")
    #expect(try format(#Predicate<Member> { open.contains($0.age) }) == "age >= 1 AND age < 5")
    #expect(try format(#Predicate<Member> { above.contains($0.age) }) == "age >= 18")
    #expect(try format(#Predicate<Member> { ages.contains($0.age) }) == "age IN {1, 2, 3}")
    #expect(
      try format(#Predicate<Member> { positions.contains($0.position) })
        == #"position IN {"goal", "wing"}"#)
    #expect(try format(#Predicate<Member> { $0.position == goal }) == #"position == "goal""#)
  }

  @Test func `to-many relationships`() throws {
    #expect(try format(#Predicate<Squad> { $0.members.isEmpty }) == "members.@count == 0")
    #expect(try format(#Predicate<Squad> { $0.guests.count > 3 }) == "guests.@count > 3")
    #expect(
      try format(#Predicate<Squad> { $0.members.contains { $0.age > 3 } }) == "ANY members.age > 3")
    #expect(
      try format(#Predicate<Squad> { $0.members.allSatisfy { $0.age > 3 && $0.isCaptain } })
        == "ALL members.age > 3 AND ALL members.isCaptain == TRUE")
    #expect(
      try format(#Predicate<Squad> { $0.members.contains { 3 < $0.age || $0.name == "x" } })
        == #"ANY members.age > 3 OR ANY members.name == "x""#)
    #expect(
      try format(#Predicate<Squad> { !$0.members.contains { !($0.age > 3) } })
        == "ALL members.age > 3")
    #expect(
      try format(#Predicate<Member> { $0.team?.members.contains { $0.age > 3 } ?? false })
        == "ANY team.members.age > 3")
    #expect(
      try format(
        #Predicate<Squad> {
          $0.members.contains { $0.team?.members.contains { $0.age > 3 } ?? false }
        }) == "ANY members.team.members.age > 3")
  }

  @Test func `conditions on one member become subqueries`() throws {
    #expect(
      try format(#Predicate<Squad> { $0.members.contains { $0.age > 3 && $0.isCaptain } })
        == "SUBQUERY(members, $member, $member.age > 3 AND $member.isCaptain == TRUE).@count != 0")
    #expect(
      try format(#Predicate<Squad> { $0.members.allSatisfy { $0.age > 3 || $0.isCaptain } })
        == "SUBQUERY(members, $member, NOT ($member.age > 3 OR $member.isCaptain == TRUE)).@count == 0"
    )
    #expect(
      try format(#Predicate<Squad> { $0.members.filter { $0.age > 3 }.count > 2 })
        == "SUBQUERY(members, $member, $member.age > 3).@count > 2")
    #expect(
      try format(#Predicate<Squad> { $0.members.filter { $0.age > 3 }.isEmpty })
        == "SUBQUERY(members, $member, $member.age > 3).@count == 0")
    #expect(
      try format(#Predicate<Squad> { squad in squad.members.contains { $0.name == squad.name } })
        == "ANY members.name == name")
    let nested = #Predicate<Squad> { squad in
      squad.members.contains { member in
        member.age > 3 && (member.team?.members.contains { $0.age < member.age }) == true
      }
    }
    #expect(
      try format(nested)
        == "SUBQUERY(members, $member, $member.age > 3 AND ANY $member.team.members.age < $member.age)"
        + ".@count != 0")
  }

  @Test func `arithmetic on properties`() throws {
    #expect(try format(#Predicate<Member> { $0.age + 1 > 3 }) == "age + 1 > 3")
    #expect(try format(#Predicate<Member> { ($0.age - 2) * 3 == 9 }) == "(age - 2) * 3 == 9")
    #expect(try format(#Predicate<Member> { $0.age / 2 == 9 }) == "age / 2 == 9")
    #expect(try format(#Predicate<Member> { $0.age % 2 == 1 }) == "modulus:by:(age, 2) == 1")
    #expect(try format(#Predicate<Member> { -$0.age < 1 }) == "-age < 1")
    #expect(try format(#Predicate<Member> { $0.name.count > 3 }) == "length(name) > 3")
    #expect(
      try format(#Predicate<Member> { ($0.rating ?? 0) * 2 > 3 })
        == "TERNARY(rating != NULL, rating, 0.0) * 2.0 > 3.0")
    #expect(try format(#Predicate<Squad> { $0.members[0].age > 3 }) == "members[0].age > 3")
    #expect(
      try format(#Predicate<Squad> { $0.members.first?.age == 3 }) == "members[FIRST].age == 3")
  }

  @Test func `what can't be expressed is named`() {
    #expect(
      failure(#Predicate<Squad> { $0.members[0..<2].isEmpty })?.message
        .hasPrefix("a subscript by a range can't be expressed") == true)
    let unknown = failure(#Predicate<Member> { $0.hashValue == 3 })
    #expect(unknown?.code == .unknownKey && unknown?.description.contains("0x") == false)
  }

  @Test func `a sort descriptor becomes a sort term`() throws {
    #expect(try SortTerm(lowering: SortDescriptor(\Member.name)) == SortTerm("name"))
    #expect(
      try SortTerm(lowering: SortDescriptor(\Member.age, order: .reverse))
        == SortTerm("age", ascending: false))
    for descriptor in [SortDescriptor(\Member.name.count), SortDescriptor(\Member.team?.name)] {
      let error = #expect(throws: ObjectPredicateError.self) {
        try SortTerm(lowering: descriptor)
      }
      #expect(error?.code == .unknownKey)
      #expect(error?.message.contains(#"SortTerm("team.name")"#) == true)
      #expect(error?.description.contains("0x") == false)
    }
  }
}

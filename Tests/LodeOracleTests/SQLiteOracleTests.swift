import LodeRandom
import LodeTesting
import Foundation
import Lode
import Testing

/// Random predicates answered by a store of ours and by SQLite, where SQL has the same meaning.
///
/// `LODE_ORACLE` sets how many data sets are made.
struct SQLiteOracleTests {
  private static let setCount =
    ProcessInfo.processInfo.environment["LODE_ORACLE"].flatMap { Int($0) } ?? 8

  @Test(arguments: [(StoreKind.inMemory, false), (.inMemory, true), (.lmdb, true)])
  func `stores answer as SQLite does`(_ kind: StoreKind, _ isIndexed: Bool) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    print("oracle seed \(seed)")
    var random = SeededGenerator(seed: seed)
    var tellingCount = 0
    for _ in 0..<Self.setCount {
      try kind.withContainer(OracleLeague.model(isIndexed: isIndexed)) { container in
        let database = try Database()
        let league = try OracleLeague(in: container.viewContext, database, &random)
        try container.viewContext.save()
        var questions = OracleQuestions(random: random)
        for _ in 0..<100 {
          let answerCount = try expectAgreement(
            on: questions.question(), league, database, container, seed)
          if 0 < answerCount && answerCount < league.teams.count { tellingCount += 1 }
        }
        random = questions.random
      }
    }
    // Questions that hold for some teams and not for all are those that tell something.
    #expect(tellingCount > Self.setCount * 40)
  }

  /// Puts a question to both; returns how many teams SQLite found.
  private func expectAgreement(
    on question: OracleQuestion, _ league: OracleLeague, _ database: Database,
    _ container: PersistentContainer, _ seed: UInt64
  ) throws -> Int {
    let context = container.viewContext
    let expected = try database.integers("SELECT id FROM team t WHERE \(question.sql) ORDER BY id")
      .map { league.teams[$0].objectID }
    do {
      let found = try context.fetchObjectIDs(context.request("Team", question.format))
      #expect(found == expected, "seed \(seed): \(question.format)\n\(question.sql)")
    } catch { Issue.record("seed \(seed): \(question.format): \(error)") }
    return expected.count
  }

  @Test(arguments: StoreKind.allCases)
  func `stores order as SQLite does`(_ kind: StoreKind) throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    try kind.withContainer(OracleLeague.model(isIndexed: true)) { container in
      let context = container.viewContext
      let database = try Database()
      let league = try OracleLeague(in: context, database, &random)
      try context.save()
      for name in ["name", "rank", "budget", "fee", "founded", "active"] {
        for isAscending in [true, false] {
          let request = try context.request("Team", sort: [SortTerm(name, ascending: isAscending)])
          request.fetchOffset = Int.random(in: 0..<20, using: &random)
          request.fetchLimit = Int.random(in: 1..<20, using: &random)
          let sql =
            "SELECT id FROM team ORDER BY \(name) \(isAscending ? "" : "DESC"), id "
            + "LIMIT \(request.fetchLimit) OFFSET \(request.fetchOffset)"
          let expected = try database.integers(sql).map { league.teams[$0].objectID }
          #expect(try context.fetchObjectIDs(request) == expected, "seed \(seed): \(sql)")
        }
      }
    }
  }
}

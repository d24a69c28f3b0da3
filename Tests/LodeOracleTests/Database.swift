import CSQLite

/// A database in memory of another make, which answers questions in SQL.
final class Database {
  struct Failure: Error {
    var sql: String
    var message: String
  }

  private var connection: OpaquePointer?

  init() throws {
    guard sqlite3_open(":memory:", &connection) == SQLITE_OK else {
      throw Failure(sql: "", message: "can't be opened")
    }
  }

  deinit { sqlite3_close(connection) }

  func execute(_ sql: String) throws {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  /// Returns the first column of the answer.
  func integers(_ sql: String) throws -> [Int] {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK else {
      throw failure(sql)
    }
    defer { sqlite3_finalize(statement) }
    var integers: [Int] = []
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: integers.append(Int(sqlite3_column_int64(statement, 0)))
      case SQLITE_DONE: return integers
      default: throw failure(sql)
      }
    }
  }

  private func failure(_ sql: String) -> Failure {
    Failure(sql: sql, message: sqlite3_errmsg(connection).map { String(cString: $0) } ?? "")
  }
}

// Raw SQLite: one table each, three indexes, cached prepared statements, write-ahead log.
#include "peer.hpp"

#include <memory>
#include <sqlite3.h>
#include <unordered_map>

namespace {

constexpr const char *schema =
    "CREATE TABLE IF NOT EXISTS team(id INTEGER PRIMARY KEY, name TEXT, uniformColor TEXT);"
    "CREATE TABLE IF NOT EXISTS player(id INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT,"
    " email TEXT, birthDate REAL, height REAL, position TEXT, biography TEXT, active INTEGER,"
    " teamID INTEGER);"
    "CREATE INDEX IF NOT EXISTS player_lastName ON player(lastName);"
    "CREATE INDEX IF NOT EXISTS player_teamID ON player(teamID);"
    "CREATE INDEX IF NOT EXISTS player_birthDate ON player(birthDate);";

#define PLAYER_COLUMNS \
  "SELECT id, firstName, lastName, email, birthDate, height, position, biography, active, teamID" \
  " FROM player "

/// A prepared statement in use: its bindings are gone and it is ready again when this goes away.
class Statement {
public:
  explicit Statement(sqlite3_stmt *prepared) : handle(prepared) {}
  ~Statement() { sqlite3_reset(handle); }
  Statement(const Statement &) = delete;

  void bind(int index, int64_t integer) { check(sqlite3_bind_int64(handle, index, integer)); }
  void bind(int index, double number) { check(sqlite3_bind_double(handle, index, number)); }
  void bind(int index, std::string_view text) {
    check(sqlite3_bind_text(handle, index, text.data(), int(text.size()), SQLITE_STATIC));
  }

  /// Moves to the next row, and answers whether there is one.
  bool step() {
    const int code = sqlite3_step(handle);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    check(code);
    return false;
  }

  void run() {
    while (step()) {}
    sqlite3_reset(handle);
  }

  int64_t integer(int column) { return sqlite3_column_int64(handle, column); }

  Player player() {
    return {integer(0),          text(1),
            text(2),             text(3),
            text(6),             text(7),
            sqlite3_column_double(handle, 4),
            sqlite3_column_double(handle, 5),
            integer(9),          integer(8) != 0};
  }

private:
  sqlite3_stmt *handle;

  std::string text(int column) {
    auto bytes = reinterpret_cast<const char *>(sqlite3_column_text(handle, column));
    return {bytes, size_t(sqlite3_column_bytes(handle, column))};
  }

  void check(int code) {
    if (code != SQLITE_OK) throw std::runtime_error(sqlite3_errmsg(sqlite3_db_handle(handle)));
  }
};

class SQLitePeer final : public peer {
public:
  SQLitePeer(const std::string &folder, peer_commit commit) {
    const std::string path = folder + "/players.sqlite";
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
    if (sqlite3_open_v2(path.c_str(), &database, flags, nullptr) != SQLITE_OK) fail();
    execute("PRAGMA journal_mode = WAL");
    execute(
        commit == peer_commit_durable ? "PRAGMA synchronous = FULL"
                                      : "PRAGMA synchronous = NORMAL");
    execute(schema);
  }

  ~SQLitePeer() override {
    for (auto &entry : statements) sqlite3_finalize(entry.second);
    sqlite3_close(database);
  }

  void insertTeams(const peer_team *teams, size_t count) override {
    inTransaction([&] {
      Statement insert(prepared("INSERT INTO team VALUES(?, ?, ?)"));
      for (size_t i = 0; i < count; i++) {
        insert.bind(1, teams[i].id);
        insert.bind(2, view(teams[i].name));
        insert.bind(3, view(teams[i].uniformColor));
        insert.run();
      }
    });
  }

  void insertPlayers(const peer_player *players, size_t count) override {
    inTransaction([&] {
      Statement insert(prepared("INSERT INTO player VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
      for (size_t i = 0; i < count; i++) {
        const peer_player &player = players[i];
        insert.bind(1, player.id);
        insert.bind(2, view(player.firstName));
        insert.bind(3, view(player.lastName));
        insert.bind(4, view(player.email));
        insert.bind(5, player.birthDate);
        insert.bind(6, player.height);
        insert.bind(7, view(player.position));
        insert.bind(8, view(player.biography));
        insert.bind(9, int64_t(player.active));
        insert.bind(10, player.teamID);
        insert.run();
      }
    });
  }

  void fetchAll(peer_reading &reading) override {
    Statement select(prepared(PLAYER_COLUMNS "ORDER BY id"));
    readAll(select, reading);
  }

  void get(const int64_t *ids, size_t count, peer_reading &reading) override {
    for (size_t i = 0; i < count; i++) {
      Statement select(prepared(PLAYER_COLUMNS "WHERE id = ?"));
      select.bind(1, ids[i]);
      if (select.step()) read(select.player(), reading);
    }
  }

  void findByLastName(const peer_text *names, size_t count, peer_reading &reading) override {
    for (size_t i = 0; i < count; i++) {
      Statement select(prepared(PLAYER_COLUMNS "WHERE lastName = ?"));
      select.bind(1, view(names[i]));
      readAll(select, reading);
    }
  }

  void findByTeam(const int64_t *teamIDs, size_t count, peer_reading &reading) override {
    for (size_t i = 0; i < count; i++) {
      Statement select(prepared(PLAYER_COLUMNS "WHERE teamID = ?"));
      select.bind(1, teamIDs[i]);
      readAll(select, reading);
    }
  }

  void scan(std::string_view word, double height, peer_reading &reading) override {
    Statement select(prepared(PLAYER_COLUMNS "WHERE height > ? AND instr(biography, ?) > 0"));
    select.bind(1, height);
    select.bind(2, word);
    readAll(select, reading);
  }

  void sortedPage(size_t offset, size_t limit, peer_reading &reading) override {
    Statement select(prepared(PLAYER_COLUMNS "ORDER BY lastName, id LIMIT ? OFFSET ?"));
    select.bind(1, int64_t(limit));
    select.bind(2, int64_t(offset));
    readAll(select, reading);
  }

  uint64_t countBornBetween(double from, double through) override {
    Statement select(
        prepared("SELECT count(*) FROM player WHERE birthDate BETWEEN ? AND ?"));
    select.bind(1, from);
    select.bind(2, through);
    return select.step() ? uint64_t(select.integer(0)) : 0;
  }

  uint64_t countActive(std::string_view position) override {
    Statement select(prepared("SELECT count(*) FROM player WHERE position = ? AND active"));
    select.bind(1, position);
    return select.step() ? uint64_t(select.integer(0)) : 0;
  }

  void setHeight(const int64_t *ids, size_t count, double height) override {
    inTransaction([&] {
      for (size_t i = 0; i < count; i++) {
        Player player;
        {
          Statement select(prepared(PLAYER_COLUMNS "WHERE id = ?"));
          select.bind(1, ids[i]);
          if (!select.step()) throw std::runtime_error("no such player");
          player = select.player();
        }
        Statement update(prepared("UPDATE player SET height = ? WHERE id = ?"));
        update.bind(1, height);
        update.bind(2, player.id);
        update.run();
      }
    });
  }

  void remove(const int64_t *ids, size_t count) override {
    inTransaction([&] {
      Statement erase(prepared("DELETE FROM player WHERE id = ?"));
      for (size_t i = 0; i < count; i++) {
        erase.bind(1, ids[i]);
        erase.run();
      }
    });
  }

private:
  sqlite3 *database = nullptr;
  std::unordered_map<const char *, sqlite3_stmt *> statements;

  [[noreturn]] void fail() { throw std::runtime_error(sqlite3_errmsg(database)); }

  void execute(const char *text) {
    if (sqlite3_exec(database, text, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
  }

  /// The statement of a text, prepared once. Texts are literals, so their address identifies them.
  sqlite3_stmt *prepared(const char *text) {
    auto &statement = statements[text];
    if (!statement) {
      const unsigned flags = SQLITE_PREPARE_PERSISTENT;
      if (sqlite3_prepare_v3(database, text, -1, flags, &statement, nullptr) != SQLITE_OK) fail();
    }
    return statement;
  }

  template <typename Body> void inTransaction(Body body) {
    execute("BEGIN IMMEDIATE");
    try {
      body();
    } catch (...) {
      sqlite3_exec(database, "ROLLBACK", nullptr, nullptr, nullptr);
      throw;
    }
    execute("COMMIT");
  }

  static void readAll(Statement &select, peer_reading &reading) {
    std::vector<Player> rows;
    while (select.step()) rows.push_back(select.player());
    for (const auto &row : rows) read(row, reading);
  }
};

} // namespace

peer *openSQLite(const std::string &folder, peer_commit commit) {
  return new SQLitePeer(folder, commit);
}

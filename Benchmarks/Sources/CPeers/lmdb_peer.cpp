// Raw LMDB: records under their number, three index databases of (value, number). A record is birthDate,
// height, teamID, active, then five strings behind 16-bit lengths, little endian.
#include "peer.hpp"

#include <cstring>
#include <lmdb.h>

namespace {

constexpr size_t mapByteCount = size_t(16) << 30;

void check(int code) {
  if (code != MDB_SUCCESS) throw std::runtime_error(mdb_strerror(code));
}

MDB_val value(const void *bytes, size_t byteCount) {
  return {byteCount, const_cast<void *>(bytes)};
}

template <typename Integer> MDB_val value(const Integer &integer) {
  return value(&integer, sizeof integer);
}

uint64_t bigEndian(uint64_t bits) { return __builtin_bswap64(bits); }

/// The bits of a number, turned so that their unsigned order is the order of the numbers.
uint64_t ordered(double number) {
  uint64_t bits;
  std::memcpy(&bits, &number, sizeof bits);
  bits ^= bits >> 63 ? ~uint64_t(0) : uint64_t(1) << 63;
  return bigEndian(bits);
}

constexpr size_t headByteCount = 8 + 8 + 8 + 1;

void append(std::string &bytes, std::string_view text) {
  const uint16_t byteCount = static_cast<uint16_t>(text.size());
  bytes.append(reinterpret_cast<const char *>(&byteCount), sizeof byteCount);
  bytes.append(text);
}

void encode(
    std::string &bytes, double birthDate, double height, int64_t teamID, uint8_t active,
    const std::string_view (&texts)[5]) {
  bytes.clear();
  bytes.append(reinterpret_cast<const char *>(&birthDate), 8);
  bytes.append(reinterpret_cast<const char *>(&height), 8);
  bytes.append(reinterpret_cast<const char *>(&teamID), 8);
  bytes.push_back(static_cast<char>(active));
  for (const auto &text : texts) append(bytes, text);
}

void encode(std::string &bytes, const peer_player &player) {
  encode(
      bytes, player.birthDate, player.height, player.teamID, player.active,
      {view(player.firstName), view(player.lastName), view(player.email), view(player.position),
       view(player.biography)});
}

/// A record's fields without copying: views into the map, valid while the transaction lives.
struct RecordView {
  double birthDate;
  double height;
  int64_t teamID;
  bool active;
  std::string_view texts[5];

  explicit RecordView(const MDB_val &record) {
    auto bytes = static_cast<const char *>(record.mv_data);
    std::memcpy(&birthDate, bytes, 8);
    std::memcpy(&height, bytes + 8, 8);
    std::memcpy(&teamID, bytes + 16, 8);
    active = bytes[24] != 0;
    bytes += headByteCount;
    for (auto &text : texts) {
      uint16_t byteCount;
      std::memcpy(&byteCount, bytes, sizeof byteCount);
      text = {bytes + sizeof byteCount, byteCount};
      bytes += sizeof byteCount + byteCount;
    }
  }

  Player player(int64_t id) const {
    return {id,
            std::string(texts[0]),
            std::string(texts[1]),
            std::string(texts[2]),
            std::string(texts[3]),
            std::string(texts[4]),
            birthDate,
            height,
            teamID,
            active};
  }
};

class Transaction {
public:
  Transaction(MDB_env *environment, unsigned flags) {
    check(mdb_txn_begin(environment, nullptr, flags, &handle));
  }
  ~Transaction() {
    if (handle) mdb_txn_abort(handle);
  }
  Transaction(const Transaction &) = delete;

  void commit() {
    MDB_txn *finished = handle;
    handle = nullptr;
    check(mdb_txn_commit(finished));
  }

  operator MDB_txn *() const { return handle; }

private:
  MDB_txn *handle = nullptr;
};

class Cursor {
public:
  Cursor(MDB_txn *transaction, MDB_dbi database) {
    check(mdb_cursor_open(transaction, database, &handle));
  }
  ~Cursor() { mdb_cursor_close(handle); }
  Cursor(const Cursor &) = delete;

  /// Moves, and answers whether there was an entry.
  bool move(MDB_val &key, MDB_val &data, MDB_cursor_op operation) {
    const int code = mdb_cursor_get(handle, &key, &data, operation);
    if (code == MDB_NOTFOUND) return false;
    check(code);
    return true;
  }

  /// The number of entries under the key the cursor is at.
  size_t duplicateCount() {
    size_t count = 0;
    check(mdb_cursor_count(handle, &count));
    return count;
  }

private:
  MDB_cursor *handle = nullptr;
};

class LMDBPeer final : public peer {
public:
  explicit LMDBPeer(const std::string &folder) {
    check(mdb_env_create(&environment));
    check(mdb_env_set_mapsize(environment, mapByteCount));
    check(mdb_env_set_maxdbs(environment, 8));
    check(mdb_env_open(environment, folder.c_str(), 0, 0644));
    const unsigned index = MDB_CREATE | MDB_DUPSORT | MDB_DUPFIXED | MDB_INTEGERDUP;
    Transaction transaction(environment, 0);
    check(mdb_dbi_open(transaction, "teams", MDB_CREATE | MDB_INTEGERKEY, &teams));
    check(mdb_dbi_open(transaction, "players", MDB_CREATE | MDB_INTEGERKEY, &players));
    check(mdb_dbi_open(transaction, "lastName", index, &byLastName));
    check(mdb_dbi_open(transaction, "teamID", index | MDB_INTEGERKEY, &byTeam));
    check(mdb_dbi_open(transaction, "birthDate", index, &byBirthDate));
    transaction.commit();
  }

  ~LMDBPeer() override { mdb_env_close(environment); }

  void insertTeams(const peer_team *list, size_t count) override {
    Transaction transaction(environment, 0);
    std::string bytes;
    for (size_t i = 0; i < count; i++) {
      bytes.clear();
      append(bytes, view(list[i].name));
      append(bytes, view(list[i].uniformColor));
      put(transaction, teams, value(list[i].id), value(bytes.data(), bytes.size()), MDB_APPEND);
    }
    transaction.commit();
  }

  void insertPlayers(const peer_player *list, size_t count) override {
    Transaction transaction(environment, 0);
    std::string bytes;
    for (size_t i = 0; i < count; i++) {
      const peer_player &player = list[i];
      const MDB_val number = value(player.id);
      const uint64_t born = ordered(player.birthDate);
      encode(bytes, player);
      put(transaction, players, number, value(bytes.data(), bytes.size()), MDB_APPEND);
      const auto lastName = view(player.lastName);
      put(transaction, byLastName, value(lastName.data(), lastName.size()), number, 0);
      put(transaction, byTeam, value(player.teamID), number, 0);
      put(transaction, byBirthDate, value(born), number, 0);
    }
    transaction.commit();
  }

  void fetchAll(peer_reading &reading) override {
    Transaction transaction(environment, MDB_RDONLY);
    Cursor cursor(transaction, players);
    std::vector<Player> all;
    MDB_val key, data;
    for (bool found = cursor.move(key, data, MDB_FIRST); found;
         found = cursor.move(key, data, MDB_NEXT)) {
      all.push_back(RecordView(data).player(integer(key)));
    }
    for (const auto &player : all) read(player, reading);
  }

  void get(const int64_t *ids, size_t count, peer_reading &reading) override {
    for (size_t i = 0; i < count; i++) {
      Transaction transaction(environment, MDB_RDONLY);
      read(player(transaction, ids[i]), reading);
    }
  }

  void findByLastName(const peer_text *names, size_t count, peer_reading &reading) override {
    for (size_t i = 0; i < count; i++) {
      readAll(byLastName, value(names[i].bytes, names[i].byteCount), reading);
    }
  }

  void findByTeam(const int64_t *teamIDs, size_t count, peer_reading &reading) override {
    for (size_t i = 0; i < count; i++) readAll(byTeam, value(teamIDs[i]), reading);
  }

  void scan(std::string_view word, double height, peer_reading &reading) override {
    Transaction transaction(environment, MDB_RDONLY);
    Cursor cursor(transaction, players);
    MDB_val key, data;
    for (bool found = cursor.move(key, data, MDB_FIRST); found;
         found = cursor.move(key, data, MDB_NEXT)) {
      const RecordView record(data);
      if (record.height <= height) continue;
      const auto &text = record.texts[4];
      if (!memmem(text.data(), text.size(), word.data(), word.size())) continue;
      read(record.player(integer(key)), reading);
    }
  }

  void sortedPage(size_t offset, size_t limit, peer_reading &reading) override {
    Transaction transaction(environment, MDB_RDONLY);
    Cursor cursor(transaction, byLastName);
    MDB_val key, data;
    bool found = cursor.move(key, data, MDB_FIRST);
    while (found && cursor.duplicateCount() <= offset) {
      offset -= cursor.duplicateCount();
      found = cursor.move(key, data, MDB_NEXT_NODUP);
    }
    for (; found && offset > 0; offset--) found = cursor.move(key, data, MDB_NEXT_DUP);
    for (; found && limit > 0; limit--) {
      read(player(transaction, integer(data)), reading);
      found = cursor.move(key, data, MDB_NEXT);
    }
  }

  uint64_t countBornBetween(double from, double through) override {
    Transaction transaction(environment, MDB_RDONLY);
    Cursor cursor(transaction, byBirthDate);
    const uint64_t first = ordered(from), last = ordered(through);
    MDB_val key = value(first), data;
    uint64_t count = 0;
    for (bool found = cursor.move(key, data, MDB_SET_RANGE);
         found && std::memcmp(key.mv_data, &last, 8) <= 0;
         found = cursor.move(key, data, MDB_NEXT)) {
      count++;
    }
    return count;
  }

  uint64_t countActive(std::string_view position) override {
    Transaction transaction(environment, MDB_RDONLY);
    Cursor cursor(transaction, players);
    MDB_val key, data;
    uint64_t count = 0;
    for (bool found = cursor.move(key, data, MDB_FIRST); found;
         found = cursor.move(key, data, MDB_NEXT)) {
      const RecordView record(data);
      if (record.active && record.texts[3] == position) count++;
    }
    return count;
  }

  void setHeight(const int64_t *ids, size_t count, double height) override {
    Transaction transaction(environment, 0);
    std::string bytes;
    for (size_t i = 0; i < count; i++) {
      const Player changed = player(transaction, ids[i]);
      encode(
          bytes, changed.birthDate, height, changed.teamID, changed.active,
          {changed.firstName, changed.lastName, changed.email, changed.position,
           changed.biography});
      put(transaction, players, value(ids[i]), value(bytes.data(), bytes.size()), 0);
    }
    transaction.commit();
  }

  void remove(const int64_t *ids, size_t count) override {
    Transaction transaction(environment, 0);
    for (size_t i = 0; i < count; i++) {
      const Player old = player(transaction, ids[i]);
      const uint64_t born = ordered(old.birthDate);
      erase(transaction, players, value(ids[i]), nullptr);
      MDB_val number = value(ids[i]);
      erase(transaction, byLastName, value(old.lastName.data(), old.lastName.size()), &number);
      erase(transaction, byTeam, value(old.teamID), &number);
      erase(transaction, byBirthDate, value(born), &number);
    }
    transaction.commit();
  }

private:
  MDB_env *environment = nullptr;
  MDB_dbi teams = 0, players = 0, byLastName = 0, byTeam = 0, byBirthDate = 0;

  static int64_t integer(const MDB_val &bytes) {
    int64_t number;
    std::memcpy(&number, bytes.mv_data, sizeof number);
    return number;
  }

  static void put(MDB_txn *transaction, MDB_dbi database, MDB_val key, MDB_val data, unsigned flags) {
    check(mdb_put(transaction, database, &key, &data, flags));
  }

  static void erase(MDB_txn *transaction, MDB_dbi database, MDB_val key, MDB_val *data) {
    check(mdb_del(transaction, database, &key, data));
  }

  Player player(MDB_txn *transaction, int64_t id) const {
    MDB_val key = value(id), data;
    check(mdb_get(transaction, players, &key, &data));
    return RecordView(data).player(id);
  }

  void readAll(MDB_dbi index, MDB_val key, peer_reading &reading) const {
    Transaction transaction(environment, MDB_RDONLY);
    Cursor cursor(transaction, index);
    MDB_val data;
    std::vector<Player> rows;
    for (bool found = cursor.move(key, data, MDB_SET_KEY); found;
         found = cursor.move(key, data, MDB_NEXT_DUP)) {
      rows.push_back(player(transaction, integer(data)));
    }
    for (const auto &row : rows) read(row, reading);
  }
};

} // namespace

peer *openLMDB(const std::string &folder) { return new LMDBPeer(folder); }

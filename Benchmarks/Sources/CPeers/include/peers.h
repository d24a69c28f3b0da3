// The peers that Lode is measured against: raw LMDB and raw SQLite, each used as well as its C interface
// allows. Written in C++ with std::string members, so that a peer pays for materialising an object what
// any typed program would.
#ifndef LODE_PEERS_H
#define LODE_PEERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// UTF-8 bytes that the caller keeps alive during the call.
typedef struct {
  const char *bytes;
  size_t byteCount;
} peer_text;

typedef struct {
  int64_t id;
  peer_text firstName;
  peer_text lastName;
  peer_text email;
  peer_text position;
  peer_text biography;
  double birthDate;
  double height;
  int64_t teamID;
  uint8_t active;
} peer_player;

typedef struct {
  int64_t id;
  peer_text name;
  peer_text uniformColor;
} peer_team;

/// What an operation read: the sum over all properties of all rows, and the number of rows.
typedef struct {
  uint64_t sum;
  uint64_t rowCount;
} peer_reading;

typedef enum { peer_kind_lmdb, peer_kind_sqlite } peer_kind;

/// Whether a commit is on the disk when it returns. LMDB is always durable.
typedef enum { peer_commit_durable, peer_commit_fast } peer_commit;

typedef struct peer peer;

// Every function that fails writes a message, valid until the peer's next call, and answers false; a
// peer that cannot be opened is null and its message is in `peer_open_error`.

peer *peer_open(peer_kind kind, const char *folder, peer_commit commit);
const char *peer_open_error(void);
const char *peer_error(const peer *peer);
void peer_close(peer *peer);

bool peer_insert_teams(peer *peer, const peer_team *teams, size_t count);
/// Inserts the players in one transaction.
bool peer_insert_players(peer *peer, const peer_player *players, size_t count);

/// Materialises all players, keeps them, then reads every property.
bool peer_fetch_all(peer *peer, peer_reading *reading);
bool peer_get(peer *peer, const int64_t *ids, size_t count, peer_reading *reading);
bool peer_find_by_last_name(
    peer *peer, const peer_text *names, size_t count, peer_reading *reading);
bool peer_find_by_team(peer *peer, const int64_t *teamIDs, size_t count, peer_reading *reading);
/// Players whose biography contains the word, case-sensitively, and who are taller.
bool peer_scan(peer *peer, peer_text word, double height, peer_reading *reading);
/// Players in the order of their last names.
bool peer_sorted_page(peer *peer, size_t offset, size_t limit, peer_reading *reading);
bool peer_count_born_between(peer *peer, double from, double through, uint64_t *count);
bool peer_count_active(peer *peer, peer_text position, uint64_t *count);

/// Fetches each player, sets the height and saves, all in one transaction.
bool peer_set_height(peer *peer, const int64_t *ids, size_t count, double height);
bool peer_delete(peer *peer, const int64_t *ids, size_t count);

#ifdef __cplusplus
}
#endif

#endif

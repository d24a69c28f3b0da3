// The C face of the peers: each function runs one method and keeps the message of what it threw.
#include "peer.hpp"

static std::string openError;

peer *peer_open(peer_kind kind, const char *folder, peer_commit commit) {
  try {
    return kind == peer_kind_lmdb ? openLMDB(folder) : openSQLite(folder, commit);
  } catch (const std::exception &error) {
    openError = error.what();
    return nullptr;
  }
}

const char *peer_open_error(void) { return openError.c_str(); }
const char *peer_error(const peer *peer) { return peer->message.c_str(); }
void peer_close(peer *peer) { delete peer; }

template <typename Body> static bool attempt(peer *peer, Body body) {
  try {
    body();
    return true;
  } catch (const std::exception &error) {
    peer->message = error.what();
    return false;
  }
}

bool peer_insert_teams(peer *peer, const peer_team *teams, size_t count) {
  return attempt(peer, [&] { peer->insertTeams(teams, count); });
}

bool peer_insert_players(peer *peer, const peer_player *players, size_t count) {
  return attempt(peer, [&] { peer->insertPlayers(players, count); });
}

bool peer_fetch_all(peer *peer, peer_reading *reading) {
  return attempt(peer, [&] { peer->fetchAll(*reading); });
}

bool peer_get(peer *peer, const int64_t *ids, size_t count, peer_reading *reading) {
  return attempt(peer, [&] { peer->get(ids, count, *reading); });
}

bool peer_find_by_last_name(
    peer *peer, const peer_text *names, size_t count, peer_reading *reading) {
  return attempt(peer, [&] { peer->findByLastName(names, count, *reading); });
}

bool peer_find_by_team(peer *peer, const int64_t *teamIDs, size_t count, peer_reading *reading) {
  return attempt(peer, [&] { peer->findByTeam(teamIDs, count, *reading); });
}

bool peer_scan(peer *peer, peer_text word, double height, peer_reading *reading) {
  return attempt(peer, [&] { peer->scan(view(word), height, *reading); });
}

bool peer_sorted_page(peer *peer, size_t offset, size_t limit, peer_reading *reading) {
  return attempt(peer, [&] { peer->sortedPage(offset, limit, *reading); });
}

bool peer_count_born_between(peer *peer, double from, double through, uint64_t *count) {
  return attempt(peer, [&] { *count = peer->countBornBetween(from, through); });
}

bool peer_count_active(peer *peer, peer_text position, uint64_t *count) {
  return attempt(peer, [&] { *count = peer->countActive(view(position)); });
}

bool peer_set_height(peer *peer, const int64_t *ids, size_t count, double height) {
  return attempt(peer, [&] { peer->setHeight(ids, count, height); });
}

bool peer_delete(peer *peer, const int64_t *ids, size_t count) {
  return attempt(peer, [&] { peer->remove(ids, count); });
}

// What both peers share: the materialised player, the sum that proves every property was read, and the
// interface behind the C functions.
#pragma once

#include "peers.h"

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

struct Player {
  int64_t id;
  std::string firstName;
  std::string lastName;
  std::string email;
  std::string position;
  std::string biography;
  double birthDate;
  double height;
  int64_t teamID;
  bool active;
};

inline std::string_view view(const peer_text &text) { return {text.bytes, text.byteCount}; }

inline uint64_t sum(std::string_view text) {
  if (text.empty()) return 0;
  return text.size() + static_cast<unsigned char>(text.front())
      + static_cast<unsigned char>(text.back());
}

inline uint64_t sum(const Player &player) {
  return static_cast<uint64_t>(player.id) + sum(player.firstName) + sum(player.lastName)
      + sum(player.email) + sum(player.position) + sum(player.biography)
      + static_cast<uint64_t>(static_cast<int64_t>(player.birthDate))
      + static_cast<uint64_t>(std::llround(player.height * 10000)) + (player.active ? 1 : 0)
      + static_cast<uint64_t>(player.teamID);
}

inline void read(const Player &player, peer_reading &reading) {
  reading.sum += sum(player);
  reading.rowCount += 1;
}

/// One peer. A method that fails throws; the C functions turn that into a message.
struct peer {
  std::string message;

  virtual ~peer() = default;
  virtual void insertTeams(const peer_team *teams, size_t count) = 0;
  virtual void insertPlayers(const peer_player *players, size_t count) = 0;
  virtual void fetchAll(peer_reading &reading) = 0;
  virtual void get(const int64_t *ids, size_t count, peer_reading &reading) = 0;
  virtual void findByLastName(const peer_text *names, size_t count, peer_reading &reading) = 0;
  virtual void findByTeam(const int64_t *teamIDs, size_t count, peer_reading &reading) = 0;
  virtual void scan(std::string_view word, double height, peer_reading &reading) = 0;
  virtual void sortedPage(size_t offset, size_t limit, peer_reading &reading) = 0;
  virtual uint64_t countBornBetween(double from, double through) = 0;
  virtual uint64_t countActive(std::string_view position) = 0;
  virtual void setHeight(const int64_t *ids, size_t count, double height) = 0;
  virtual void remove(const int64_t *ids, size_t count) = 0;
};

peer *openLMDB(const std::string &folder);
peer *openSQLite(const std::string &folder, peer_commit commit);

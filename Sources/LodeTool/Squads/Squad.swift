import Foundation

/// A team and its players as the data file has them.
struct Squad: Equatable {
  struct Player: Equatable {
    var number: Int
    /// GK, DF, MF or FW.
    var position: String
    var name: String
    var dateOfBirth: Date
    var club: String
    /// The code of the club's country.
    var clubCountry: String
  }

  /// Three letters.
  var code: String
  var name: String
  /// A to L.
  var group: String
  var confederation: String
  var continent: String
  var players: [Player] = []
}

/// The 2,000 words that names and biographies are made of: 128 common ones, the rest put together from
/// onsets, vowels and codas in a scattered order.
struct WordList {
  static let count = 2_000

  private let words: [String]
  private let capitalized: [String]

  init() {
    let made = (Self.common.count..<Self.count).map { index in
      let place = ((index - Self.common.count) * 1_151) % 1_872
      return onsets[place / 78] + vowels[(place / 13) % 6] + codas[place % 13]
    }
    words = Self.common + made
    capitalized = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
  }

  subscript(index: Int) -> String { words[index] }

  /// The word with its first letter in upper case.
  func capitalized(_ index: Int) -> String { capitalized[index] }

  /// First name `index`, 0 to 399.
  func firstName(_ index: Int) -> String { capitalized[129 + 4 * index] }

  /// Last name `index`, 0 to 20,591.
  func lastName(_ index: Int) -> String {
    capitalized[128 + index % 1_872] + nameEndings[index / 1_872]
  }

  private static let common = """
    the of and a to in is was he for it with as his on be at by had not are but from or have an they which \
    one you were her all she there would their we him been has when who will more no if out so said what up \
    its about into than them can only other new some could time these two may then do first any my now such \
    like our over man me even most made after also did many before must through back years where much your \
    way well down should because each just those people how too little state good very make world still own \
    see men work long get here between both life being under never day same another
    """.split(separator: " ").map(String.init)
}

private let onsets = [
  "b", "bl", "br", "c", "ch", "cl", "cr", "d", "dr", "f", "fl", "fr", "g", "gl", "gr", "h", "l",
  "m", "p",
  "pl", "r", "s", "st", "t",
]
private let vowels = ["a", "e", "i", "o", "u", "ea"]
private let codas = [
  "nd", "rt", "ck", "ning", "sted", "mer", "ver", "nt", "sh", "ll", "dy", "tion", "st",
]
private let nameEndings = [
  "", "son", "ham", "ford", "ley", "ton", "man", "berg", "well", "wood", "by",
]

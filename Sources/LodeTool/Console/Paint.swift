import Foundation

/// Colours for text on a terminal; plain text everywhere else.
struct Paint {
  enum Color: String {
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case yellow = "33"
    case cyan = "36"
  }

  let isColored: Bool

  static let plain = Paint(isColored: false)

  /// Colours when the standard output is a terminal that has them and its user wants them
  /// (`NO_COLOR` is unset or empty, `TERM` is not `dumb`).
  static func forStandardOutput(environment: [String: String]) -> Paint {
    let isWanted = environment["NO_COLOR", default: ""].isEmpty
    let isAble = environment["TERM", default: "dumb"] != "dumb"
    return Paint(isColored: isWanted && isAble && isatty(STDOUT_FILENO) == 1)
  }

  func callAsFunction(_ color: Color, _ text: String) -> String {
    isColored ? "\u{1B}[\(color.rawValue)m\(text)\u{1B}[0m" : text
  }
}

import Foundation

// Predicates are written as formats without placeholders. What is written reads back to an equal
// predicate if that has the form in which formats are read: compounds of two parts or more, lists of
// constants as one constant, no `SELF` in front of names.

extension ObjectPredicate: CustomStringConvertible {
  /// The predicate as a format that `ObjectPredicate.init(_:_:)` reads back.
  ///
  /// It contains the values that the predicate compares with: not for logs where those are secret.
  public var format: String {
    var output = ""
    write(into: &output, depth: 0)
    return output
  }

  public var description: String { format }

  func write(into output: inout String, depth: Int) {
    guard depth <= PredicateLimits.depthMax else { return output += "…" }
    switch self {
    case .constant(let constant): output += constant ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): write(parts, " AND ", ifEmpty: true, into: &output, depth: depth)
    case .or(let parts): write(parts, " OR ", ifEmpty: false, into: &output, depth: depth)
    case .not(let part):
      output += "NOT "
      part.writePart(into: &output, depth: depth + 1)
    case .comparison(let comparison): comparison.write(into: &output, depth: depth + 1)
    }
  }

  private func write(
    _ parts: [ObjectPredicate], _ word: String, ifEmpty: Bool, into output: inout String, depth: Int
  ) {
    guard !parts.isEmpty else {
      return ObjectPredicate.constant(ifEmpty).write(into: &output, depth: depth)
    }
    for (index, part) in parts.enumerated() {
      if index > 0 { output += word }
      part.writePart(into: &output, depth: depth + 1)
    }
  }

  /// Writes the predicate as a part of another, in parentheses where it is a compound.
  private func writePart(into output: inout String, depth: Int) {
    switch self {
    case .and, .or:
      output += "("
      write(into: &output, depth: depth)
      output += ")"
    default: write(into: &output, depth: depth)
    }
  }
}

extension ObjectComparison: CustomStringConvertible {
  public var description: String {
    var output = ""
    write(into: &output, depth: 0)
    return output
  }

  fileprivate func write(into output: inout String, depth: Int) {
    switch quantifier {
    case .direct: break
    case .any: output += "ANY "
    case .all: output += "ALL "
    case .none: output += "NONE "
    }
    left.write(into: &output, depth: depth)
    output += " \(`operator`.rawValue)\(options.letters) "
    right.write(into: &output, depth: depth)
  }
}

extension ObjectComparison.Options {
  /// The options as they stand behind an operator; empty for none.
  fileprivate var letters: String {
    let letters: [(Self, String)] = [
      (.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"),
      (.localeSensitive, "l"),
    ]
    let set = letters.filter { contains($0.0) }.map(\.1).joined()
    return set.isEmpty ? "" : "[\(set)]"
  }
}

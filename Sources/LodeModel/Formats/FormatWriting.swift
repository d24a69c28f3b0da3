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

  private func write(into output: inout String, depth: Int) {
    guard depth <= PredicateLimits.depthMax else { return output += "…" }
    switch self {
    case .constant(let constant): output += constant ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .and(let parts): write(parts, " AND ", ifEmpty: true, into: &output, depth: depth)
    case .or(let parts): write(parts, " OR ", ifEmpty: false, into: &output, depth: depth)
    case .not(let part):
      output += "NOT "
      part.writePart(into: &output, depth: depth + 1)
    case .comparison(let comparison): comparison.write(into: &output)
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
    write(into: &output)
    return output
  }

  fileprivate func write(into output: inout String) {
    switch quantifier {
    case .direct: break
    case .any: output += "ANY "
    case .all: output += "ALL "
    case .none: output += "NONE "
    }
    left.write(into: &output, depth: 0)
    output += " \(`operator`.rawValue)\(options.letters) "
    right.write(into: &output, depth: 0)
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

extension ObjectExpression: CustomStringConvertible {
  public var description: String {
    var output = ""
    write(into: &output, depth: 0)
    return output
  }

  fileprivate func write(into output: inout String, depth: Int) {
    guard depth <= PredicateLimits.depthMax else { return output += "…" }
    switch self {
    case .constant(let value): value.write(into: &output, depth: depth)
    case .selfObject: output += "SELF"
    case .keyPath(let path): path.write(into: &output)
    case .count(let path):
      path.write(into: &output)
      output += ".@count"
    case .list(let elements):
      output += "{"
      for (index, element) in elements.enumerated() {
        if index > 0 { output += ", " }
        element.write(into: &output, depth: depth + 1)
      }
      output += "}"
    }
  }
}

extension ObjectKeyPath {
  /// Writes the path, with `#` before names that would be read as something else.
  fileprivate func write(into output: inout String) {
    for (index, name) in names.enumerated() {
      if index > 0 { output += "." }
      if name == "SELF" && index == 0 && names.count > 1 {
        output += name
      } else if !FormatLexer.isName(name) {
        output += "#"
        StringLiteral.write(name, into: &output)
      } else {
        output += FormatKeywords.keyword(name) == nil || index > 0 ? name : "#" + name
      }
    }
  }
}

extension Value {
  fileprivate func write(into output: inout String, depth: Int) {
    guard depth <= PredicateLimits.depthMax else { return output += "…" }
    switch self {
    case .null: output += "NULL"
    case .boolean(let boolean): output += boolean ? "TRUE" : "FALSE"
    case .integer(let integer): output += String(integer)
    case .double(let double): double.write(into: &output)
    case .decimal(let decimal):
      writeCast(.string(decimal.isNaN ? "NaN" : "\(decimal)"), "NSDecimalNumber", &output, depth)
    case .string(let text): StringLiteral.write(text, into: &output)
    case .date(let date):
      writeCast(.double(date.timeIntervalSinceReferenceDate), "NSDate", &output, depth)
    case .data(let data): writeCast(.string(data.base64EncodedString()), "NSData", &output, depth)
    case .uuid(let uuid): writeCast(.string(uuid.uuidString), "NSUUID", &output, depth)
    case .uri(let uri): writeCast(.string(uri.absoluteString), "NSURL", &output, depth)
    case .objectID(let objectID):
      writeCast(.string(objectID.description), "ManagedObjectID", &output, depth)
    case .list(let members): write(members, into: &output, depth: depth)
    case .composite(let elements):
      let parts = elements.sorted { $0.key < $1.key }.flatMap { [.string($0.key), $0.value] }
      writeCast(.list(parts), "Composite", &output, depth)
    }
  }

  private func write(_ members: [Value], into output: inout String, depth: Int) {
    output += "{"
    for (index, member) in members.enumerated() {
      if index > 0 { output += ", " }
      member.write(into: &output, depth: depth + 1)
    }
    output += "}"
  }

  private func writeCast(
    _ operand: Value, _ type: String, _ output: inout String, _ depth: Int
  ) {
    output += "CAST("
    operand.write(into: &output, depth: depth + 1)
    output += ", \"\(type)\")"
  }
}

extension Double {
  /// Writes the shortest digits that read back to the same number; infinities and NaN as casts of text.
  fileprivate func write(into output: inout String) {
    output += isFinite ? description : "CAST(\"\(self)\", \"Double\")"
  }
}

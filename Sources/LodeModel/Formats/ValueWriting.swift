import Foundation

// Constants as formats write them: literals, and casts of literals for the types without one.

extension Value {
  func write(into output: inout String, depth: Int) {
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

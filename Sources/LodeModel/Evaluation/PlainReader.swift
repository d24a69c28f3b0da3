/// Reads key paths in plain values: a composite's elements by name, a list's members one by one.
///
/// A related object is a composite, whose element `objectID`, if it has one, is its identity; a to-many
/// relationship is a list of composites.
struct PlainReader: PathReader {
  let root: Value

  var selfValue: Value { root.identity }

  func value(at path: ObjectKeyPath) throws -> Value {
    let end = try Self.walk(from: root, path.names[...])
    switch end {
    case .single(let value): return value.identity
    case .many(let values): return .list(values.map(\.identity))
    }
  }

  func contains(
    at path: ObjectKeyPath, where isSatisfied: (Value) throws -> Bool
  ) throws -> Bool {
    try members(at: path).contains(where: isSatisfied)
  }

  func count(at path: ObjectKeyPath) throws -> Int { try members(at: path).count }

  private func members(at path: ObjectKeyPath) throws -> [Value] {
    switch try value(at: path) {
    case .list(let values): return values
    case .null: return []
    default:
      throw ObjectPredicateError(
        .invalidQuantifier, "this key path leads to one value, not to a collection",
        keyPath: path.string)
    }
  }

  private enum End {
    case single(Value)
    case many([Value])
  }

  private static func walk(from value: Value, _ names: ArraySlice<String>) throws -> End {
    var value = value
    var names = names
    while true {
      if case .list(let members) = value { return try walk(members, names) }
      guard let name = names.popFirst() else { return .single(value) }
      switch value {
      case .null: return .single(.null)
      case .composite(let elements): value = elements[name] ?? .null
      default:
        throw ObjectPredicateError(
          .invalidKeyPath, "“\(name)” can't be found in \(value.kindWithArticle)", keyPath: name)
      }
    }
  }

  private static func walk(_ members: [Value], _ names: ArraySlice<String>) throws -> End {
    var values: [Value] = []
    for member in members {
      switch try walk(from: member, names) {
      case .single(let value): values.append(value)
      case .many(let more): values += more
      }
    }
    return .many(values)
  }
}

extension Value {
  /// The identity that stands for a composite which has one; other values themselves.
  fileprivate var identity: Value {
    if case .composite(let elements) = self, let objectID = elements["objectID"] {
      return objectID
    }
    return self
  }
}

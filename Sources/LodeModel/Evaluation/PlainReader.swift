/// Reads key paths in plain values: a composite's elements by name, a list's members one by one.
///
/// A related object is a composite, whose element `objectID`, if it has one, is its identity; a to-many
/// relationship is a list of composites.
struct PlainReader: PathReader {
  let root: Value

  var selfValue: Value { root }

  func value(at path: ObjectKeyPath) throws -> Value { comparable(try origin(at: path)) }

  func origin(at path: ObjectKeyPath) throws -> Value { try origin(at: path, from: root) }

  func origin(at path: ObjectKeyPath, from member: Value) throws -> Value {
    switch try Self.walk(from: member, path.names[...]) {
    case .single(let value): value
    case .many(let values): .list(values)
    }
  }

  func members(of value: Value) throws -> [Value] {
    switch value {
    case .list(let members): members
    case .null: []
    default: [value]
    }
  }

  func contains(
    memberOf value: Value, where isSatisfied: (Value) throws -> Bool
  ) throws -> Bool {
    try members(of: value).contains(where: isSatisfied)
  }

  func value(of member: Value) -> Value { member }

  func nothing(at path: ObjectKeyPath) -> Value { .null }

  func comparable(_ value: Value) -> Value {
    if case .list(let members) = value { return .list(members.map(\.identity)) }
    return value.identity
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
      case .composite(let elements): value = Self.element(name, of: elements)
      default:
        throw ObjectPredicateError(
          .invalidKeyPath, "“\(name)” can't be found in \(value.kindWithArticle)", keyPath: name)
      }
    }
  }

  /// Returns the element of a name; `entity`, where there is none, is told by the identity.
  private static func element(_ name: String, of elements: [String: Value]) -> Value {
    if let element = elements[name] { return element }
    guard name == "entity", case .objectID(let objectID) = elements["objectID"] else {
      return .null
    }
    return .string(objectID.entityName.string)
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
  var identity: Value {
    if case .composite(let elements) = self, let objectID = elements["objectID"] {
      return objectID
    }
    return self
  }
}

/// Reads bound key paths by slot: in stored rows, in pending objects, in whatever is a source.
struct SourceReader<Source: PredicateSource>: PathReader {
  let source: Source

  var selfValue: Value { source.objectID.map { .objectID($0) } ?? .null }

  /// A member of a collection: its value, and what stands behind it when it is an object.
  struct Member {
    let value: Value
    let source: Source?
  }

  func origin(at path: BoundPath) throws -> Value { try value(at: path) }

  func members(of value: Value) throws -> [Member] {
    switch value {
    case .null: []
    case .list(let members): try members.compactMap(member)
    default: try member(value).map { [$0] } ?? []
    }
  }

  func contains(
    memberOf value: Value, where isSatisfied: (Member) throws -> Bool
  ) throws -> Bool {
    switch value {
    case .null: return false
    case .list(let members):
      for value in members {
        if let member = try member(value), try isSatisfied(member) { return true }
      }
      return false
    default: return try member(value).map(isSatisfied) ?? false
    }
  }

  private func member(_ value: Value) throws -> Member? {
    guard case .objectID(let objectID) = value else { return Member(value: value, source: nil) }
    return try source.source(for: objectID).map { Member(value: value, source: $0) }
  }

  func value(of member: Member) -> Value { member.value }

  func origin(at path: BoundPath, from member: Member) throws -> Value {
    guard let source = member.source else { return nothing(at: path) }
    return try SourceReader(source: source).value(at: path)
  }

  func nothing(at path: BoundPath) -> Value { path.isToMany ? .list([]) : .null }

  func comparable(_ value: Value) -> Value { value }

  func value(at path: BoundPath) throws -> Value {
    if path.isToMany {
      var values: [Value] = []
      _ = try contains(at: path) {
        values.append($0)
        return false
      }
      return .list(values)
    }
    guard path.properties.count > 1 else {
      return try path.end(in: source.value(of: path.properties[0]))
    }
    return try toOneValue(at: path)
  }

  private func toOneValue(at path: BoundPath) throws -> Value {
    var place = source
    for property in path.properties.dropLast() {
      guard let next = try Self.follow(place.value(of: property), from: place) else { return .null }
      place = next
    }
    return try path.end(in: place.value(of: path.properties[path.properties.count - 1]))
  }

  func contains(at path: BoundPath, where isSatisfied: (Value) throws -> Bool) throws -> Bool {
    try Self.contains(path, step: 0, from: source, isBelowToMany: false, isSatisfied)
  }

  func count(at path: BoundPath) throws -> Int {
    if path.properties.count == 1 {
      guard case .list(let members) = try source.value(of: path.properties[0]) else { return 0 }
      return members.count
    }
    var count = 0
    _ = try contains(at: path) { _ in
      count += 1
      return false
    }
    return count
  }

  /// Walks a path that leads through a to-many: a nil hop before the first to-many makes the collection
  /// empty, one below it is a null member; members whose objects are gone are passed over.
  private static func contains(
    _ path: BoundPath, step: Int, from place: Source, isBelowToMany: Bool,
    _ isSatisfied: (Value) throws -> Bool
  ) throws -> Bool {
    let property = path.properties[step]
    let value = try place.value(of: property)
    let isLast = step == path.properties.count - 1
    guard property.isToMany else {
      if isLast { return try isSatisfied(path.end(in: value)) }
      guard let next = try follow(value, from: place) else {
        return try isBelowToMany && isSatisfied(.null)
      }
      return try contains(
        path, step: step + 1, from: next, isBelowToMany: isBelowToMany, isSatisfied)
    }
    guard case .list(let members) = value else { return false }
    if isLast { return try members.contains(where: isSatisfied) }
    return try members.contains { member in
      guard let next = try follow(member, from: place) else { return false }
      return try contains(path, step: step + 1, from: next, isBelowToMany: true, isSatisfied)
    }
  }

  private static func follow(_ value: Value, from place: Source) throws -> Source? {
    guard case .objectID(let objectID) = value else { return nil }
    return try place.source(for: objectID)
  }
}

extension BoundPath {
  /// Returns what the path leads to in the value of its last property.
  ///
  /// An object may hold a floating-point number that its `float` attribute will round when it is saved.
  fileprivate func end(in value: Value) -> Value {
    let end = elementNames.isEmpty ? value : value.element(elementNames)
    return attributeType == .float ? end.roundedToFloat : end
  }
}

extension Value {
  /// Returns the element of a composite that names lead to; the value itself when there are none.
  fileprivate func element(_ names: [String]) -> Value {
    var value = self
    for name in names {
      guard case .composite(let elements) = value else { return .null }
      value = elements[name] ?? .null
    }
    return value
  }
}

/// One side of a comparison, read by a path of some kind.
package indirect enum Operand<Path: Sendable>: Sendable {
  case constant(Value)
  case selfObject
  case path(Path)
  case count(Path)
  case list([Operand])
  /// What the variable of a subquery stands for; subqueries are numbered from the outermost.
  case member(Int)
  /// A path from what another operand yields.
  case behind(Operand, Path)
  case function(ObjectFunction, [Operand])
  case cast(Operand, ObjectCast)
  case conditional(Condition<Path>, Operand, Operand)
  case subquery(Operand, Condition<Path>)
  /// The name of an object's entity.
  case entityName(Operand)
}

/// Where a condition's paths are read.
package protocol PathReader {
  associatedtype Path: Sendable
  /// A member of a collection from which paths go on.
  associatedtype Member

  /// What `SELF` is.
  var selfValue: Value { get }

  /// Returns the value at the end of a path as it is compared, null when a hop is nil; a list of all
  /// values when the path leads through a to-many.
  func value(at path: Path) throws -> Value

  /// Returns the value at the end of a path, from which paths go on.
  func origin(at path: Path) throws -> Value

  /// Tells whether one of the values at the end of a to-many path satisfies a test; stops at the first.
  func contains(at path: Path, where isSatisfied: (Value) throws -> Bool) throws -> Bool

  /// Returns how many values are at the end of a to-many path.
  func count(at path: Path) throws -> Int

  /// Returns the members of a collection, without those whose objects are gone; a single value is its
  /// own, null has none.
  func members(of value: Value) throws -> [Member]

  /// Tells whether a member of a collection satisfies a test; stops at the first, and reads none behind it.
  func contains(memberOf value: Value, where isSatisfied: (Member) throws -> Bool) throws -> Bool

  /// Returns the value that a member is.
  func value(of member: Member) -> Value

  /// Returns the value at the end of a path from a member.
  func origin(at path: Path, from member: Member) throws -> Value

  /// Returns what a path yields where nothing is: null, or a list without members.
  func nothing(at path: Path) -> Value

  /// Returns a value as it is compared.
  func comparable(_ value: Value) -> Value
}

extension Operand {
  /// Returns the operand's value as it is compared.
  func value<Reader: PathReader>(
    _ reader: Reader, _ members: [Reader.Member]
  ) throws -> Value where Reader.Path == Path {
    switch self {
    case .constant(let value): value
    case .path(let path): try reader.value(at: path)
    case .count(let path): .integer(Int64(try reader.count(at: path)))
    default: reader.comparable(try origin(reader, members))
    }
  }

  /// Returns the operand's value, from which paths go on.
  private func origin<Reader: PathReader>(
    _ reader: Reader, _ members: [Reader.Member]
  ) throws -> Value where Reader.Path == Path {
    switch self {
    case .constant(let value): return value
    case .selfObject: return reader.selfValue
    case .path(let path): return try reader.origin(at: path)
    case .count(let path): return .integer(Int64(try reader.count(at: path)))
    case .list(let operands): return .list(try operands.map { try $0.origin(reader, members) })
    case .member(let index): return reader.value(of: members[index])
    case .behind(let base, let path): return try Self.read(path, behind: base, reader, members)
    case .function(let function, let arguments):
      return try Self.call(function, arguments, reader, members)
    case .cast(let operand, let type):
      return type.result(try operand.value(reader, members)) ?? .null
    case .conditional(let test, let first, let second):
      return try test.holds(reader, members: members)
        ? first.origin(reader, members) : second.origin(reader, members)
    case .subquery(let collection, let condition):
      return try Self.select(from: collection, condition, reader, members)
    case .entityName(let operand):
      guard case .objectID(let objectID) = try operand.value(reader, members) else { return .null }
      return .string(objectID.entityName.string)
    }
  }

  private static func call<Reader: PathReader>(
    _ function: ObjectFunction, _ arguments: [Operand], _ reader: Reader,
    _ members: [Reader.Member]
  ) throws -> Value where Reader.Path == Path {
    switch function {
    // These yield members as they are, from which paths may go on.
    case .first, .last, .element, .distinct, .noIndex, .ofEntity:
      try function.result(arguments.map { try $0.origin(reader, members) })
    default: try function.result(arguments.map { try $0.value(reader, members) })
    }
  }

  private static func read<Reader: PathReader>(
    _ path: Path, behind base: Operand, _ reader: Reader, _ members: [Reader.Member]
  ) throws -> Value where Reader.Path == Path {
    if case .member(let index) = base { return try reader.origin(at: path, from: members[index]) }
    let value = try base.origin(reader, members)
    let origins = try reader.members(of: value)
    guard case .list = value else {
      return try origins.first.map { try reader.origin(at: path, from: $0) }
        ?? reader.nothing(at: path)
    }
    var values: [Value] = []
    for origin in origins {
      switch try reader.origin(at: path, from: origin) {
      case .list(let more): values += more
      case let value: values.append(value)
      }
    }
    return .list(values)
  }

  private static func select<Reader: PathReader>(
    from collection: Operand, _ condition: Condition<Path>, _ reader: Reader,
    _ members: [Reader.Member]
  ) throws -> Value where Reader.Path == Path {
    var selected: [Value] = []
    _ = try reader.contains(memberOf: collection.origin(reader, members)) { member in
      if try condition.holds(reader, members: members + [member]) {
        selected.append(reader.value(of: member))
      }
      return false
    }
    return .list(selected)
  }

  /// Tells whether a member of the collection that this is satisfies a condition; stops at the first.
  func contains<Reader: PathReader>(
    _ condition: Condition<Path>, _ reader: Reader, _ members: [Reader.Member]
  ) throws -> Bool where Reader.Path == Path {
    try reader.contains(memberOf: origin(reader, members)) { member in
      try condition.holds(reader, members: members + [member])
    }
  }

  /// The operand's value when it is the same wherever it is read.
  var constantValue: Value? {
    switch self {
    case .constant(let value): return value
    case .list(let operands):
      let values = operands.compactMap(\.constantValue)
      return values.count == operands.count ? .list(values) : nil
    default: return nil
    }
  }
}

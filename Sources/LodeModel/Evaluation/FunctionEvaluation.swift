import Foundation

// What functions make of values. Null among the arguments gives null, but for aggregates, which pass
// over null members, and for `distinct` and the operators of collections. A function that has no meaning
// for its arguments is an error, which binding to an entity finds beforehand.

extension ObjectFunction {
  /// Returns the result for the given arguments, whose count is right.
  package func result(_ arguments: [Value]) throws(ObjectPredicateError) -> Value {
    guard arguments.count == argumentCount else {
      throw ObjectPredicateError(
        .typeMismatch, "\(rawValue) takes \(argumentCount) arguments, not \(arguments.count)")
    }
    guard let result = try value(arguments) else {
      let kinds = arguments.map(\.kindWithArticle).joined(separator: " and ")
      throw ObjectPredicateError(.typeMismatch, "\(rawValue) has no meaning for \(kinds)")
    }
    return result
  }

  private func value(_ arguments: [Value]) throws(ObjectPredicateError) -> Value? {
    switch self {
    case .now: return .date(.now)
    case .random: return .double(.random(in: 0..<1))
    case .noIndex: return arguments[0]
    case .union, .intersection, .difference: return combined(arguments[0], arguments[1])
    case .element: return element(arguments[0], arguments[1])
    case .ofEntity: return narrowed(arguments[0], arguments[1])
    case .first: return members(arguments[0])?.first ?? .null
    case .last: return members(arguments[0])?.last ?? .null
    case .count, .sum, .average, .minimum, .maximum, .median, .mode, .standardDeviation, .distinct:
      return members(arguments[0]).flatMap { Aggregation(members: $0).result(self) }
    case .add, .subtract, .multiply, .divide, .modulus, .power:
      return Arithmetic.result(arguments[0], self, arguments[1])
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift:
      return bits(arguments[0], arguments[1])
    default: return arguments[0].isNull ? .null : scalar(arguments[0])
    }
  }

  private func scalar(_ argument: Value) -> Value? {
    switch (self, argument) {
    case (.uppercase, .string(let text)): .string(text.uppercased())
    case (.lowercase, .string(let text)): .string(text.lowercased())
    case (.canonical, .string(let text)):
      .string(StringFolding([.caseInsensitive, .diacriticInsensitive]).fold(text))
    case (.length, .string(let text)): .integer(Int64(text.count))
    case (.length, .data(let data)): .integer(Int64(data.count))
    case (.negate, _): Arithmetic.negated(argument)
    case (.complement, _):
      argument.asNumber.map { _ in argument.asBits.map { .integer(~$0) } ?? .null }
    case (.randomBelow, _):
      argument.asNumber.map { _ in
        argument.asBits.flatMap { $0 > 0 ? .integer(.random(in: 0..<$0)) : nil } ?? .null
      }
    case (.absolute, _), (.floor, _), (.ceiling, _), (.truncate, _): rounded(argument)
    default: argument.asDouble.flatMap(transcendental)
    }
  }

  private func transcendental(_ number: Double) -> Value? {
    switch self {
    case .squareRoot: .result(number.squareRoot())
    case .logarithm: .result(log10(number))
    case .naturalLogarithm: .result(log(number))
    case .exponential: .result(exp(number))
    default: nil
    }
  }

  private func rounded(_ argument: Value) -> Value? {
    switch (argument.asNumber, self) {
    case (.integer(let number), .absolute):
      number < 0 ? Arithmetic.negated(.integer(number)) : .integer(number)
    case (.integer(let number), _): .integer(number)
    case (.double(let number), .absolute): .double(abs(number))
    case (.double(let number), _): .double(number.rounded(direction))
    case (.decimal(let number), .absolute): .decimal(abs(number))
    case (.decimal(let number), _): .decimal(number.rounded(direction))
    default: nil
    }
  }

  private var direction: FloatingPointRoundingRule {
    switch self {
    case .floor: .down
    case .ceiling: .up
    default: .towardZero
    }
  }

  /// Works on the 64 bits of whole numbers; what is shifted out is gone. Other numbers have no bits, and the
  /// result is null.
  private func bits(_ left: Value, _ right: Value) -> Value? {
    guard left.asNumber != nil, right.asNumber != nil else { return nil }
    guard let left = left.asBits, let right = right.asBits else { return .null }
    switch self {
    case .bitwiseAnd: return .integer(left & right)
    case .bitwiseOr: return .integer(left | right)
    case .bitwiseXor: return .integer(left ^ right)
    case .leftShift: return .integer(left << right)
    case .rightShift: return .integer(left >> right)
    default: return nil
    }
  }
}

// Collections.
extension ObjectFunction {
  /// Returns the members of a collection; a nil one has none.
  private func members(_ value: Value) -> [Value]? {
    switch value {
    case .list(let members): members
    case .null: []
    default: nil
    }
  }

  private func element(_ collection: Value, _ index: Value) -> Value? {
    guard let members = members(collection), index.asNumber != nil else { return nil }
    guard let index = index.asBits.flatMap({ Int(exactly: $0) }), members.indices.contains(index)
    else { return .null }
    return members[index]
  }

  /// Returns an object if its entity is the named one, or one of the named ones.
  private func narrowed(_ object: Value, _ names: Value) -> Value? {
    if object.isNull { return .null }
    guard case .objectID(let objectID) = object.identity else { return nil }
    let name = Value.string(objectID.entityName.string)
    switch names {
    case .string: return names == name ? object : .null
    case .list(let names): return names.contains(name) ? object : .null
    default: return nil
    }
  }

  /// Joins collections as sets: each member once, in the order of its first place.
  private func combined(_ left: Value, _ right: Value) -> Value? {
    guard let left = members(left), let right = members(right) else { return nil }
    let other = ValueSet(right)
    switch self {
    case .union: return .list(ValueSet(left + right).members)
    case .intersection: return .list(ValueSet(left).members.filter(other.contains))
    default: return .list(ValueSet(left).members.filter { !other.contains($0) })
    }
  }
}

extension Value {
  /// The whole number as 64 bits; nil for any other value.
  fileprivate var asBits: Int64? {
    switch self {
    case .boolean(let boolean): boolean ? 1 : 0
    case .integer(let integer): integer
    case .double(let double): Int64(exactly: double)
    case .decimal:
      if case .integer(let integer) = converted(to: .integer64) { integer } else { nil }
    default: nil
    }
  }
}

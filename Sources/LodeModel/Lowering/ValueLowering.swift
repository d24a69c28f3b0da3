import Foundation

// Values: what a predicate captured, its variables, and properties.

/// A part of a Swift predicate that may have a value of its own, whatever object it is asked about.
private protocol CapturedExpression {
  var captured: Any? { get }
}

extension PredicateLowering {
  /// Returns what an expression captured; nil when it reads the object.
  static func captured(_ expression: any PredicateExpression) -> Any? {
    (expression as? any CapturedExpression)?.captured
  }
}

extension PredicateExpressions.Value: LowerableExpression, CapturedExpression {
  fileprivate var captured: Any? { value }

  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    guard let value = Value(captured: value) else {
      throw ObjectPredicateError(
        .unsupported, "a captured \(Output.self) can't be compared with properties")
    }
    return .expression(.constant(value))
  }
}

extension PredicateExpressions.Variable: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    guard let base = lowering.bases[key] else { throw PredicateLowering.unsupported(self) }
    return .expression(base)
  }
}

extension PredicateExpressions.KeyPath: LowerableExpression, CapturedExpression {
  fileprivate var captured: Any? {
    (PredicateLowering.captured(root) as? Root.Output).map { $0[keyPath: keyPath] }
  }

  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    if let captured { return .expression(.constant(try constant(captured))) }
    let base = try lowering.value(root)
    switch kind {
    case .collectionCount where Root.Output.self == String.self:
      return .expression(.function(.length, [base]))
    case .collectionCount: return .expression(.function(.count, [base]))
    case .collectionIsEmpty where Root.Output.self == String.self:
      return .predicate(compare(base, .equal, .string("")))
    case .collectionIsEmpty:
      return .predicate(compare(.function(.count, [base]), .equal, .integer(0)))
    case .collectionFirst: return .expression(.function(.first, [base]))
    case .bidirectionalCollectionLast: return .expression(.function(.last, [base]))
    case nil: return .expression(base.appending(try propertyName()))
    @unknown default:
      throw PredicateLowering.unsupported(
        self, because: PropertyLookup.text(keyPath).map { "“\($0)”" })
    }
  }

  private func compare(
    _ left: ObjectExpression, _ operator: ObjectComparison.Operator, _ right: LodeModel.Value
  ) -> ObjectPredicate {
    .comparison(ObjectComparison(left, `operator`, .constant(right)))
  }

  private func constant(_ captured: Any) throws(ObjectPredicateError) -> LodeModel.Value {
    guard let value = LodeModel.Value(captured: captured) else {
      throw PredicateLowering.unsupported(self, because: "it isn't a type of attributes")
    }
    return value
  }

  private func propertyName() throws(ObjectPredicateError) -> String {
    guard let naming = Root.Output.self as? any PropertyNaming.Type,
      let name = naming.propertyName(of: keyPath)
    else {
      throw PropertyLookup.failure(
        Root.Output.self, keyPath, "write a predicate as text for what is no property")
    }
    return name
  }
}

private protocol AnyOptional {
  var anyWrapped: Any? { get }
}

extension Optional: AnyOptional {
  var anyWrapped: Any? { self }
}

extension Value {
  /// Makes the value that a captured value has beside properties: what can be an argument, enumerations
  /// by their raw values, characters, and arrays and sets of these; nil for anything else.
  init?(captured: Any) {
    if let optional = captured as? any AnyOptional {
      guard let wrapped = optional.anyWrapped else {
        self = .null
        return
      }
      self.init(captured: wrapped)
      return
    }
    switch captured {
    case let argument as any PredicateArgument: self = argument.predicateValue
    case let character as Character: self = .string(String(character))
    case let raw as any RawRepresentable: self.init(captured: raw.rawValue)
    case let members as [Any]: self.init(members: members)
    case let members as Set<AnyHashable>: self.init(members: members.map(\.base))
    default: return nil
    }
  }

  private init?(members: [Any]) {
    let values = members.compactMap { Value(captured: $0) }
    guard values.count == members.count else { return nil }
    self = .list(values)
  }
}

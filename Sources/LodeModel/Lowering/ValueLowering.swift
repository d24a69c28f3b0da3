import Foundation

// Values: what a predicate captured, its variables, properties, and arithmetic on what was captured.

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
    guard let names = lowering.names[key] else { throw PredicateLowering.unsupported(self) }
    return .expression(PredicateLowering.expression(names))
  }
}

extension PredicateExpressions.KeyPath: LowerableExpression, CapturedExpression {
  fileprivate var captured: Any? {
    (PredicateLowering.captured(root) as? Root.Output).map { $0[keyPath: keyPath] }
  }

  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    if root is CapturedObjects<Root.Output> { return try capturedObject(&lowering) }
    if let captured { return .expression(.constant(try constant(captured))) }
    let names = try lowering.path(root)
    switch kind {
    case .collectionCount where Root.Output.self != String.self:
      return .expression(.count(ObjectKeyPath(names)))
    case .collectionIsEmpty where Root.Output.self == String.self:
      return .predicate(compare(PredicateLowering.expression(names), .equal, .string("")))
    case .collectionIsEmpty:
      return .predicate(compare(.count(ObjectKeyPath(names)), .equal, .integer(0)))
    case nil: return .expression(.keyPath(ObjectKeyPath(names + [try propertyName()])))
    default:
      throw PredicateLowering.unsupported(
        self, because: PropertyLookup.text(keyPath).map { "“\($0)”" })
    }
  }

  /// Reads the identity of a captured object, the only thing that is known of it.
  private func capturedObject(
    _ lowering: inout PredicateLowering
  ) throws(ObjectPredicateError) -> Lowered {
    guard try propertyName() == "objectID" else {
      throw PredicateLowering.unsupported(
        self,
        because: "a captured object is known by its objectID alone; read it into a constant "
          + "before the predicate")
    }
    return try lowering.lower(root)
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

// Arithmetic.
extension PredicateLowering {
  fileprivate mutating func calculate(
    _ whole: any PredicateExpression, _ left: any PredicateExpression, _ operation: String,
    _ right: any PredicateExpression
  ) throws(ObjectPredicateError) -> Lowered {
    guard case .constant(let left) = try value(left), case .constant(let right) = try value(right),
      let result = ConstantArithmetic.result(left, operation, right)
    else { throw Self.unsupported(whole) }
    return .expression(.constant(result))
  }
}

extension PredicateExpressions.Arithmetic: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    switch op {
    case .add: try lowering.calculate(self, lhs, "+", rhs)
    case .subtract: try lowering.calculate(self, lhs, "-", rhs)
    case .multiply: try lowering.calculate(self, lhs, "*", rhs)
    @unknown default: throw PredicateLowering.unsupported(self)
    }
  }
}

extension PredicateExpressions.IntDivision: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.calculate(self, lhs, "/", rhs)
  }
}

extension PredicateExpressions.FloatDivision: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    try lowering.calculate(self, lhs, "/", rhs)
  }
}

extension PredicateExpressions.UnaryMinus: LowerableExpression {
  func lower(_ lowering: inout PredicateLowering) throws(ObjectPredicateError) -> Lowered {
    guard case .constant(let value) = try lowering.value(wrapped),
      let negated = ConstantArithmetic.negated(value)
    else { throw PredicateLowering.unsupported(self) }
    return .expression(.constant(negated))
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

import SwiftDiagnostics
import SwiftParser
import SwiftSyntax

/// The arguments of `@Attribute`.
struct AttributeArguments {
  private static let optionNames = ["unique", "indexed", "transient"]

  var options: [String] = []
  /// The arguments that expansions hand on as written: `originalName: "surname"`.
  var passedOn: [String] = []

  /// What is wrong with the arguments, each problem at its argument.
  private(set) var diagnostics: [Diagnostic] = []

  init() {}

  init(_ use: AttributeSyntax) {
    for argument in use.labeledArguments {
      if argument.label == nil {
        readOption(argument.expression)
      } else {
        diagnostics += argument.emptyNameDiagnostics
        passedOn.append(argument.trimmedWithoutComma)
      }
    }
    refuseTransientKeys(use)
  }

  private mutating func readOption(_ expression: ExprSyntax) {
    guard let name = expression.as(MemberAccessExprSyntax.self)?.declName.baseName.text else {
      diagnostics.append(
        Problem("option", "write the option out here: .unique, .indexed or .transient")
          .at(expression))
      return
    }
    // The compiler itself refuses a name that is none.
    guard Self.optionNames.contains(name) else { return }
    if options.contains(name) {
      diagnostics.append(Problem("option", ".\(name) is given twice; remove one").at(expression))
    }
    options.append(name)
  }

  private mutating func refuseTransientKeys(_ use: AttributeSyntax) {
    guard options.contains("transient"),
      let key = options.first(where: { $0 == "unique" || $0 == "indexed" })
    else { return }
    diagnostics.append(
      Problem(
        "option",
        "a transient attribute is never stored, so it can't be \(key); remove one of the two"
      ).at(use))
  }
}

/// The arguments of `@Relationship`.
struct RelationshipArguments {
  struct Inverse {
    let name: String
    /// The name as written, which may stand in backticks.
    let token: String
    /// The class that the key path was written with; nil where it begins with a dot.
    let root: String?
  }

  var inverse: Inverse?
  /// The arguments that expansions hand on as written: `deleteRule: .cascade`.
  var passedOn: [String] = []

  private(set) var countArgument: LabeledExprSyntax?
  /// What is wrong with the arguments, each problem at its argument.
  private(set) var diagnostics: [Diagnostic] = []

  init() {}

  init(_ use: AttributeSyntax) {
    for argument in use.labeledArguments {
      switch argument.label?.text {
      case "inverse":
        readInverse(argument.expression)
        continue
      case "minimumCount", "maximumCount": countArgument = countArgument ?? argument
      default: break
      }
      diagnostics += argument.emptyNameDiagnostics
      passedOn.append(argument.trimmedWithoutComma)
    }
    checkCounts(use)
  }

  private mutating func readInverse(_ expression: ExprSyntax) {
    if expression.is(NilLiteralExprSyntax.self) { return }
    guard let keyPath = expression.as(KeyPathExprSyntax.self), keyPath.components.count == 1,
      let property = keyPath.components.first?.component.as(KeyPathPropertyComponentSyntax.self)
    else {
      diagnostics.append(
        Problem(
          "inverse",
          "the inverse is a key path to one property of the other class, as in \\.team"
        ).at(expression))
      return
    }
    inverse = Inverse(
      name: property.declName.baseName.text.withoutBackticks,
      token: property.declName.baseName.text,
      root: keyPath.root?.trimmedDescription)
  }

  private mutating func checkCounts(_ use: AttributeSyntax) {
    func count(_ label: String) -> Int? {
      use.labeledArguments.first { $0.label?.text == label }?.expression
        .as(IntegerLiteralExprSyntax.self).flatMap { Int($0.literal.text) }
    }
    guard let maximum = count("maximumCount"), maximum > 0,
      let minimum = count("minimumCount"), minimum > maximum
    else { return }
    diagnostics.append(
      Problem(
        "count", "at least \(minimum) and at most \(maximum) can't both hold; change one"
      ).at(use))
  }
}

extension AttributeSyntax {
  var labeledArguments: [LabeledExprSyntax] {
    guard case .argumentList(let list) = arguments else { return [] }
    return Array(list)
  }
}

extension LabeledExprSyntax {
  var trimmedWithoutComma: String { with(\.trailingComma, nil).trimmedDescription }

  /// The problem of an `originalName` that is no name.
  fileprivate var emptyNameDiagnostics: [Diagnostic] {
    guard label?.text == "originalName",
      expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue == ""
    else { return [] }
    return [
      Problem("originalName", "the original name is empty; give the old name or remove it")
        .at(expression)
    ]
  }
}

extension String {
  /// An identifier's name where it is written in backticks to be told from a keyword.
  var withoutBackticks: String {
    count > 2 && hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self
  }
}

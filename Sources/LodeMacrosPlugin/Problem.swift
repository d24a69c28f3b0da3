import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// What is wrong with a declaration, and what to do about it, in words.
struct Problem: DiagnosticMessage {
  let id: String
  let message: String
  let severity = DiagnosticSeverity.error

  var diagnosticID: MessageID { MessageID(domain: "LodeMacros", id: id) }

  init(_ id: String, _ message: String) {
    self.id = id
    self.message = message
  }

  /// Returns the problem at a place in the source, with what would solve it.
  func at(_ node: some SyntaxProtocol, _ fixes: Fix?...) -> Diagnostic {
    Diagnostic(node: node, message: self, fixIts: fixes.compactMap { $0?.fixIt })
  }
}

/// A change of the source that solves a problem.
struct Fix: FixItMessage {
  let message: String
  private let changes: [FixIt.Change]

  var fixItID: MessageID { MessageID(domain: "LodeMacros", id: "fix: \(message)") }
  var fixIt: FixIt { FixIt(message: self, changes: changes) }

  /// Replaces a node by another one, which gets the spaces and comments around the old one.
  static func replace<Node: SyntaxProtocol>(
    _ old: Node, by new: some SyntaxProtocol, _ message: String
  ) -> Fix {
    var new = Syntax(new)
    new.leadingTrivia = old.leadingTrivia
    new.trailingTrivia = old.trailingTrivia
    return Fix(message: message, changes: [.replace(oldNode: Syntax(old), newNode: new)])
  }

  /// Removes a modifier, an attribute or another element of a declaration with the space behind it.
  static func remove(_ element: some SyntaxProtocol, _ message: String) -> Fix {
    let range = element.positionAfterSkippingLeadingTrivia..<element.endPosition
    return Fix(
      message: message,
      changes: [.replaceText(range: range, with: "", in: Syntax(element))])
  }

  /// Inserts text directly behind a node.
  static func insert(
    _ text: String, behind node: some SyntaxProtocol, _ message: String
  ) -> Fix {
    let position = node.endPositionBeforeTrailingTrivia
    return Fix(
      message: message,
      changes: [.replaceText(range: position..<position, with: text, in: Syntax(node))])
  }
}

import SwiftBasicFormat
import SwiftDiagnostics
import SwiftParser
import SwiftSyntax
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros

@testable import LodeMacrosPlugin

/// What the macros make of a source text, without a compiler.
struct Expansion {
  let text: String
  /// Each diagnostic as `line:column message`, in the order of the source.
  let diagnostics: [String]
  /// The source with the first fix of every diagnostic applied.
  let mended: String

  init(_ source: String) {
    let file = Parser.parse(source: source)
    let context = BasicMacroExpansionContext(
      sourceFiles: [file: .init(moduleName: "App", fullFilePath: "App.swift")])
    let expanded = file.expand(
      macros: Self.macros,
      contextGenerator: { node in
        BasicMacroExpansionContext(
          sharingWith: context, lexicalContext: Self.lexicalContext(of: node))
      },
      indentationWidth: .spaces(2))
    text = expanded.description.split(separator: "\n").map { line in
      line.last == " " ? String(line.dropLast()) : String(line)
    }.joined(separator: "\n")

    let places = context.diagnostics.map { diagnostic in
      (
        place: context.location(
          for: diagnostic.position, anchoredAt: diagnostic.node,
          fileName: "App.swift"), diagnostic: diagnostic
      )
    }.sorted { ($0.place.line, $0.place.column) < ($1.place.line, $1.place.column) }
    diagnostics = places.map { "\($0.place.line):\($0.place.column) \($0.diagnostic.message)" }
    mended = Self.apply(places.map(\.diagnostic), to: source, context)
  }

  private static var macros: [String: any Macro.Type] {
    [
      "Model": ModelMacro.self, "Attribute": AttributeMacro.self,
      "Relationship": RelationshipMacro.self, "Unmodeled": UnmodeledMacro.self,
      "_ModelProperty": PropertyMacro.self,
    ]
  }

  private static func lexicalContext(of node: Syntax) -> [Syntax] {
    var context: [Syntax] = []
    var next = node.parent
    while let parent = next {
      if parent.isProtocol((any DeclGroupSyntax).self) { context.append(parent) }
      next = parent.parent
    }
    return context
  }

  private static func apply(
    _ diagnostics: [Diagnostic], to source: String, _ context: BasicMacroExpansionContext
  ) -> String {
    var bytes = Array(source.utf8)
    let edits = diagnostics.compactMap { diagnostic -> (Range<Int>, String)? in
      guard let edit = diagnostic.fixIts.first?.edits.first else { return nil }
      let start = context.location(
        for: edit.range.lowerBound, anchoredAt: diagnostic.node, fileName: "App.swift")
      return (
        start.offset..<start.offset + edit.range.upperBound.utf8Offset
          - edit.range.lowerBound.utf8Offset, edit.replacement
      )
    }
    for (range, text) in edits.sorted(by: { $0.0.lowerBound > $1.0.lowerBound }) {
      bytes.replaceSubrange(range, with: Array(text.utf8))
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

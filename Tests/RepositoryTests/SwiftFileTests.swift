import Testing

/// The scanner under the other tests: a rule is only as good as what it sees.
struct SwiftFileTests {
  @Test func `comments and literals are told from code`() {
    let text = #"""
      let a = "// no \(name("x")) !" /* yes /* nested */ */ + b // end
      """#
    let mask = SourceMask(text)
    let words = mask.text(of: .code).split(separator: " ").map(String.init)
    #expect(words == ["let", "a", "=", "name(", ")", "+", "b"])
    let comments = mask.text(of: .comment).split(separator: " ").joined(separator: " ")
    #expect(comments == "/* yes /* nested */ */ // end")
  }

  @Test func `raw and long strings end where they end`() {
    let text = "let a = #\"quote \" \\(no)\"#; let b = \"\"\"\n  \"two\" lines\n  \"\"\"\nlet c = 1"
    let words = SourceMask(text).text(of: .code).split { $0.isWhitespace }.map(String.init)
    #expect(words == ["let", "a", "=", ";", "let", "b", "=", "let", "c", "=", "1"])
  }

  @Test func `a string left open ends with its line`() {
    let code = SourceMask("let a = \"open\nlet b = 2").text(of: .code)
    #expect(code.contains("let b = 2"))
  }

  @Test func `only types at the top of a file are its types`() {
    let file = file("private struct A { struct B {} }\npublic final class C<D> { func e() {} }\n")
    #expect(file.topLevelTypes.map(\.name) == ["A", "C"])
    #expect(file.topLevelTypes.map(\.isPrivate) == [true, false])
    #expect(file.declaredNames == ["A", "B", "C", "D"])
  }

  @Test func `a function's lines are counted from its keyword to its brace`() {
    let file = file(
      """
      protocol P {
        func bare()
        var value: Int { get }
      }
      struct S: P {
        func bare(
          _ body: () -> Void = { print(1) }
        ) {
          body()
        }
        init() {}
        var value: Int { 1 }
        var stored = [1].map { $0 }
      }
      """)
    let functions = file.functions.map { "\($0.name) \($0.line) \($0.lineCount)" }
    #expect(functions == ["var value 3 1", "func bare 6 5", "init ( 11 1", "var value 12 1"])
  }

  @Test func `imports are found under every modifier`() {
    let file = file(
      "@preconcurrency package import Foundation\nimport struct Lode.Thing\nimport A.B\n")
    #expect(file.imports.map(\.name) == ["Foundation", "Lode", "A"])
  }

  @Test func `a doc comment may stand above attributes`() {
    let file = file(
      """
      /// Says what it is.
      @available(
        *, unavailable, message: "(no)"
      )
      @inlinable
      public func a() {}

      public var b = 1
      public private(set) var c = 1
      extension A { public static func == (l: A, r: A) -> Bool { true } }
      public import Foundation
      """)
    #expect(file.exportedDeclarationLines == [2, 8])
    #expect(file.hasDocComment(aboveLine: 2))
    #expect(!file.hasDocComment(aboveLine: 8))
  }

  private func file(_ text: String) -> SwiftFile {
    SwiftFile(path: "Sources/LodeKV/Bytes/Sample.swift", text: text)
  }
}
